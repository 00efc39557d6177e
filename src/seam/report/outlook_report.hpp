// What will become of a coupling, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// The verdict in the first line; then why, the steps and errors of every method, and what to do.
std::string outlook_text(const engine::System& system, const engine::Outlook& outlook);

/// All of it.
formats::Value outlook_value(const engine::System& system, const engine::Outlook& outlook);

/// A plan that was tuned and written to a file.
std::string tuned_text(const engine::Tuned& tuned, const std::string& file);
formats::Value tuned_value(const engine::Tuned& tuned, const std::string& file);

}  // namespace seam::report
