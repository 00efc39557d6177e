// What will become of a coupling, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/outlook.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// The verdict in the first line; then why, the steps and errors of every method, and what to do.
std::string outlook_text(const engine::System& system, const engine::Outlook& outlook);

/// All of it.
formats::Value outlook_value(const engine::System& system, const engine::Outlook& outlook);

}  // namespace seam::report
