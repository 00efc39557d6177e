// Small answers of the command line: JSON as printed, failures, checks, references.
#pragma once

#include <string>

#include "seam/base/problem.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// The version of seam, as CMake knows it.
inline const char* version() { return SEAM_VERSION; }

/// One JSON object with a line end.
std::string json(const formats::Value& value);

formats::Value failure_value(int exit_code, const std::string& message, const base::Problems& problems);

std::string reference_text(const engine::System& system, const engine::ReferenceSummary& summary);
formats::Value reference_value(const engine::System& system, const engine::ReferenceSummary& summary);

std::string check_text(const engine::System& system);
formats::Value check_value(const engine::System& system);

}  // namespace seam::report
