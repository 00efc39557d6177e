// What will become of a coupling and of its designs, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/predict/designs.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// First line first: stable or not, at which step; then why.
/// `time` is the operating point of what was linearised; none: the start.
std::string verdict_text(const engine::System& system, const analysis::Stability& stability,
                         const std::optional<double>& time = {});
/// What became of every monolithic pole.
std::string pole_text(const analysis::Stability& stability);

/// With the caller's verdict, which may know more than the radius: stable, marginal, unstable, not known.
formats::Value analysis_value(const engine::System& system, const analysis::Stability& stability,
                              const std::string& verdict);

/// Designs side by side; empty without designs.
std::string design_text(const engine::DesignComparison& comparison);
formats::Value design_value(const engine::DesignComparison& comparison);

/// The verdict in the first line; then why, the steps and errors of every method, and what to do.
std::string outlook_text(const engine::System& system, const engine::Outlook& outlook);

/// All of it.
formats::Value outlook_value(const engine::System& system, const engine::Outlook& outlook);

/// A plan that was tuned and written to a file.
std::string tuned_text(const engine::Tuned& tuned, const std::string& file);
formats::Value tuned_value(const engine::Tuned& tuned, const std::string& file);

}  // namespace seam::report
