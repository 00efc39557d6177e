// What a system is made of, and where every value came from; and what a conversion wrote.
#pragma once

#include <string>

#include "seam/engine/convert.hpp"
#include "seam/engine/system.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

std::string system_text(const engine::System& system);
formats::Value system_value(const engine::System& system);

std::string conversion_text(const engine::Converted& converted);
formats::Value conversion_value(const engine::Converted& converted);

}  // namespace seam::report
