// How far a run is, how it went and how it compares, for people and for programs.
#pragma once

#include <string>

#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"
#include "seam/record/compare.hpp"

namespace seam::report {

std::string run_text(const engine::System& system, const engine::RunSummary& summary);

/// What <stem>.summary.json holds: how it ended, the complete plan, statistics.
formats::Value run_value(const engine::System& system, const engine::RunSummary& summary);

/// Writes it beside the result; gives the path.
std::string write_summary(const engine::System& system, const engine::RunSummary& summary);

std::string comparison_text(const record::Comparison& comparison);
formats::Value comparison_value(const record::Comparison& comparison);

/// "car [#####.....]  50 %  5 of 10 s, 2 times real time, 2.5 s left"; `elapsed` is the wall time so far, s.
std::string progress_words(const std::string& name, const stepping::Progress& progress, double elapsed);

/// A duration as a person reads it: "0.4 s", "25 s", "3 min 20 s", "2 h 5 min".
std::string duration_words(double seconds);

}  // namespace seam::report
