// Values of a study: read once, and filled with the numbers of a point where they have expressions.
#pragma once

#include "seam/engine/open/system.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/study/expression.hpp"

namespace seam::study {

/// Texts are read as behind `--set path=`, quoted or not: "[1, 2]" is a list. {expressions} are left for `fill`.
system::Value read_template(const formats::Node& node, base::Problems& problems);

/// What one of the paths plan.coupling, plan.corrector, plan.feedthrough and plan.schedule says; parameters of methods
/// may have {expressions}.
engine::CouplingChanges read_coupling_template(const std::string& path, const formats::Node& node,
                                               base::Problems& problems);

/// Every {expression} becomes its number; false with the problem of one that has none.
bool fill(system::Value& value, const Lookup& lookup, ExpressionProblem& problem);
bool fill(engine::CouplingChanges& changes, const Lookup& lookup, ExpressionProblem& problem);

/// With its writing; a text if there is no such unit.
system::Value number_value(double number, const std::string& unit, const base::Location& where = {});

}  // namespace seam::study
