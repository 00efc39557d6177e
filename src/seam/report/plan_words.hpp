// A plan in a few words, as a user would say it.
#pragma once

#include <string>

#include "seam/engine/open/system.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// "foh", or "mixed" if connections differ; "foh with plc" if they are corrected.
std::string coupling_words(const system::Plan& plan);
std::string word(system::Feedthrough feedthrough);
/// "held", "fresh" or "mixed".
std::string feedthrough_words(const system::Plan& plan);
/// "1 ms", "0.25 s": with the prefix that makes the number short.
std::string time_words(double seconds);

/// The complete plan by the names of the description: what a run used, to the last number.
formats::Value plan_value(const engine::System& system);

}  // namespace seam::report
