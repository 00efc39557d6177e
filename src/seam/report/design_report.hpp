// Designs side by side, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/predict/designs.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// Empty without designs.
std::string design_text(const engine::DesignComparison& comparison);
formats::Value design_value(const engine::DesignComparison& comparison);

}  // namespace seam::report
