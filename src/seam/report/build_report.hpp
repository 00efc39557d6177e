// What became of a source FMU.
#pragma once

#include <string>

#include "seam/engine/open/build_fmu.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

std::string build_text(const engine::Built& built);
formats::Value build_value(const engine::Built& built);

}  // namespace seam::report
