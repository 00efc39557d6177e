// A stability analysis for people and for programs.
#pragma once

#include <string>

#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// First line first: stable or not, at which step; then why, and what became of every monolithic pole.
std::string analysis_text(const engine::System& system, const analysis::Stability& stability);

/// The parts of it: the verdict with its reasons, and the poles.
/// `time` is the operating point of what was linearised; none: the start.
std::string verdict_text(const engine::System& system, const analysis::Stability& stability,
                         const std::optional<double>& time = {});
std::string pole_text(const analysis::Stability& stability);

formats::Value analysis_value(const engine::System& system, const analysis::Stability& stability);
/// With the caller's verdict instead of that of the radius alone: stable, marginal, unstable, not known.
formats::Value analysis_value(const engine::System& system, const analysis::Stability& stability,
                              const std::string& verdict);

}  // namespace seam::report
