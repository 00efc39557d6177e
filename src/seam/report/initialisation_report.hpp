// In which order the outputs of a system are found at the start, and which of them only together.
#pragma once

#include <string>

#include "seam/assembly/initialisation_order.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

std::string initialisation_text(const engine::System& system, const assembly::Assembly& assembly);
formats::Value initialisation_value(const engine::System& system, const assembly::Assembly& assembly);

}  // namespace seam::report
