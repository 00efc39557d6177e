// Values of a study: read once, and filled with the numbers of a point where they have expressions.
#pragma once

#include <optional>

#include "seam/engine/system.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/study/expression.hpp"

namespace seam::study {

/// Texts are read as behind `--set path=`, quoted or not: "[1, 2]" is a list.
system::Value read_value(const formats::Node& node, base::Problems& problems);

/// The same, and {expressions} in its texts are left for `fill`.
system::Value read_template(const formats::Node& node, base::Problems& problems);

/// What one of the paths plan.coupling, plan.corrector, plan.feedthrough and plan.schedule says; parameters of methods
/// may have {expressions}.
engine::CouplingChanges read_coupling_template(const std::string& path, const formats::Node& node,
                                               base::Problems& problems);

/// Every {expression} becomes its number; false with the problem of one that has none.
bool fill(system::Value& value, const Lookup& lookup, ExpressionProblem& problem);
bool fill(engine::CouplingChanges& changes, const Lookup& lookup, ExpressionProblem& problem);

}  // namespace seam::study
