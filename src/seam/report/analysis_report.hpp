// A stability analysis for people and for programs.
#pragma once

#include <string>

#include "seam/engine/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// First line first: stable or not, at which step; then why, and what became of every monolithic pole.
std::string analysis_text(const engine::System& system, const analysis::Stability& stability);

formats::Value analysis_value(const engine::System& system, const analysis::Stability& stability);

}  // namespace seam::report
