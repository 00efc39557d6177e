// How a run went, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

std::string run_text(const engine::System& system, const engine::RunSummary& summary);

/// What <stem>.summary.json holds: how it ended, the complete plan, statistics.
formats::Value run_value(const engine::System& system, const engine::RunSummary& summary);

/// Writes it beside the result; gives the path.
std::string write_summary(const engine::System& system, const engine::RunSummary& summary);

}  // namespace seam::report
