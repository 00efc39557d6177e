#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "seam/fmi/description/check_description.hpp"
#include "seam/fmi/description/words.hpp"

namespace seam::fmi {
namespace {

using Members = std::unordered_set<std::size_t>;

Members members(const std::vector<Unknown>& unknowns, std::string_view list, const ModelDescription& description,
                Notes& notes) {
  Members found;
  for (const Unknown& unknown : unknowns) {
    if (found.insert(unknown.variable).second) continue;
    notes.error(unknown.line, fmt::format("the model structure lists {} twice among the {}",
                                          in_quotes(description.variables[unknown.variable].name), list));
  }
  return found;
}

bool is_unknown_at_start(const Variable& variable) {
  return variable.initial == Initial::approx || variable.initial == Initial::calculated;
}

// FMI 2.0.5, 2.2.8 and FMI 3.0.2, 2.4.8: which variables the list of initial unknowns must have.
Members expected_initial_unknowns(const ModelDescription& description, const Members& derivatives) {
  Members expected;
  const auto add_if_unknown = [&](std::size_t i) {
    if (is_unknown_at_start(description.variables[i])) expected.insert(i);
  };
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality == Causality::output && variable.clocks.empty()) add_if_unknown(i);
    if (variable.causality == Causality::calculated_parameter) expected.insert(i);
  }
  for (const std::size_t derivative : derivatives) {
    add_if_unknown(derivative);
    if (description.variables[derivative].derivative_of)
      add_if_unknown(*description.variables[derivative].derivative_of);
  }
  return expected;
}

void check_outputs(const ModelDescription& description, Notes& notes) {
  const Members outputs = members(description.structure.outputs, "outputs", description, notes);
  for (const Unknown& unknown : description.structure.outputs) {
    const Variable& variable = description.variables[unknown.variable];
    if (variable.causality == Causality::output) continue;
    notes.error(unknown.line, fmt::format("the model structure lists {} among the outputs, but its causality is {}",
                                          in_quotes(variable.name), word(variable.causality)));
  }
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality != Causality::output || outputs.count(i)) continue;
    notes.error(variable.line,
                fmt::format("the output {} is missing in the model structure", in_quotes(variable.name)));
  }
}

bool is_float(const Variable& variable) { return variable.type == Type::float32 || variable.type == Type::float64; }

void check_derivatives(const ModelDescription& description, Notes& notes) {
  for (const Unknown& unknown : description.structure.derivatives) {
    const Variable& variable = description.variables[unknown.variable];
    if (!variable.derivative_of) {
      notes.error(unknown.line, fmt::format("{} is listed as a state derivative, but does not say of which state",
                                            in_quotes(variable.name)));
    } else if (!is_float(variable) || variable.variability != Variability::continuous) {
      notes.error(unknown.line, fmt::format("the state derivative {} is not continuous", in_quotes(variable.name)));
    }
  }
  for (const Unknown& unknown : description.structure.clocked_states) {
    const Variable& variable = description.variables[unknown.variable];
    if (variable.clocks.empty() || !variable.previous) {
      notes.error(unknown.line, fmt::format("the clocked state {} needs the attributes clocks and previous",
                                            in_quotes(variable.name)));
    }
  }
}

// FMI 2.0.5, 2.2.7, "alias": one start value, and one unit, for all variables of one base type and value reference.
void check_alias_sets(const ModelDescription& description, Notes& notes) {
  std::map<std::pair<Type, std::uint32_t>, const Variable*> with_start, with_unit;
  for (const Variable& variable : description.variables) {
    const Type base = variable.type == Type::enumeration ? Type::int32 : variable.type;
    const std::pair key(base, variable.value_reference);
    if (!variable.start.empty() && variable.variability != Variability::constant) {
      const auto [first, is_new] = with_start.emplace(key, &variable);
      if (!is_new) {
        notes.error(variable.line, fmt::format("{} is an alias of {}; only one of them may have a start value",
                                               in_quotes(variable.name), in_quotes(first->second->name)));
      }
    }
    const auto [first, is_new] = with_unit.emplace(key, &variable);
    if (!is_new && first->second->unit != variable.unit) {
      notes.error(variable.line, fmt::format("{} is an alias of {}, but their units differ", in_quotes(variable.name),
                                             in_quotes(first->second->name)));
    }
  }
}

void check_references(const ModelDescription& description, Notes& notes) {
  std::unordered_map<std::uint32_t, const Variable*> first_of;
  for (const Variable& variable : description.variables) {
    const auto [first, is_new] = first_of.emplace(variable.value_reference, &variable);
    if (is_new) continue;
    notes.error(variable.line, fmt::format("{} has the value reference {} of {}", in_quotes(variable.name),
                                           variable.value_reference, in_quotes(first->second->name)));
  }
}

}  // namespace

void check_names(const ModelDescription& description, Notes& notes) {
  std::unordered_set<std::string> names;
  std::size_t independent = 0;
  const auto take = [&](const std::string& name, int line) {
    if (!names.insert(name).second)
      notes.error(line, fmt::format("there are two variables called {}", in_quotes(name)));
  };
  for (const Variable& variable : description.variables) {
    take(variable.name, variable.line);
    for (const std::string& alias : variable.aliases) take(alias, variable.line);
    if (variable.causality == Causality::independent && ++independent == 2) {
      notes.error(variable.line, "there is more than one independent variable");
    }
  }
  if (description.version == Version::fmi3) {
    if (independent == 0) notes.error(0, "there is no independent variable");
    check_references(description, notes);
  } else if (description.version == Version::fmi2) {
    check_alias_sets(description, notes);
  }
  std::unordered_set<std::string> categories;
  for (const LogCategory& category : description.log_categories) {
    if (!categories.insert(category.name).second) {
      notes.error(0, fmt::format("the log category {} is there twice", in_quotes(category.name)));
    }
  }
}

void check_structure(const ModelDescription& description, Notes& notes) {
  if (description.version == Version::fmi1) return;  // its outputs say themselves what they depend on
  check_outputs(description, notes);
  check_derivatives(description, notes);
  const Members derivatives = members(description.structure.derivatives, "state derivatives", description, notes);
  const Members listed = members(description.structure.initial_unknowns, "initial unknowns", description, notes);
  for (const std::size_t i : expected_initial_unknowns(description, derivatives)) {
    const Variable& variable = description.variables[i];
    if (listed.count(i)) continue;
    notes.error(variable.line, fmt::format("{} is missing among the initial unknowns of the model structure",
                                           in_quotes(variable.name)));
  }
}

}  // namespace seam::fmi
