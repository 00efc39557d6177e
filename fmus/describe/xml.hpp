// Pieces of XML that the versions share.
#pragma once

#include <string>
#include <vector>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

/// With everything escaped that a parser would take for markup or normalise away.
std::string escaped(const std::string& text);
/// ` name="text"`, escaped.
std::string attribute(const std::string& name, const std::string& text);
std::string flag(const std::string& name, bool value);
/// FMI 1.0 and 2: the element below <ScalarVariable>.
std::string scalar_type(const Variable& variable);

/// <UnitDefinitions>, with the exponents of the base units; nothing if no variable has a unit.
std::string unit_definitions(const Model& model);
std::string log_categories();
std::string default_experiment(const Model& model);

/// The words of the standard; empty where it has a default.
std::string word(Causality causality);
std::string word(Variability variability);
std::string word(Initial initial);

/// The name of the type definition of an enumeration.
std::string enumeration_name(const Variable& variable);
/// One variable for each enumeration that needs a type definition.
std::vector<const Variable*> enumerations(const Model& model);

/// What has to be listed among the initial unknowns.
bool is_initial_unknown(const Model& model, int place);
/// What an initial unknown depends on: inputs and time where they reach it directly, and parameters.
std::vector<int> initial_dependencies(const Model& model, int place);

}  // namespace seam::fmus
