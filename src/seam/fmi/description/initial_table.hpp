// Which causality goes with which variability, and which `initial` with the two: the tables of both standards.
#pragma once

#include <optional>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// Whether they go together: FMI 2.0.5, 2.2.7 and FMI 3.0.2, 2.4.7.4, "allowed combinations of variability/causality".
bool is_allowed(Causality causality, Variability variability);

/// FMI 2.0.5, 2.2.7 and FMI 3.0.2, 2.4.7.5, "definition of initial": the default, if there is one.
/// FMI 2 gives inputs none, FMI 3 gives them `exact`.
std::optional<Initial> default_initial(Version version, Causality causality, Variability variability);

/// Whether the value may be written; the combination itself must be allowed.
bool may_be_written(Version version, Causality causality, Variability variability, Initial initial);

}  // namespace seam::fmi
