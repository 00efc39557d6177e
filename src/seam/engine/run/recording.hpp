// What of a run is recorded, how often, and where it goes.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/run/run.hpp"

namespace seam::engine {

/// Throws base::ProblemsFound if a file that a run would write is one that it reads, or is to be written twice, or has
/// no folder. To be asked before the log file is opened.
void check_files(const System& system, const RunSettings& settings);

/// Every file this system was read from: its own, FMUs, tables, scenarios.
std::vector<std::string> input_files(const System& system);

/// Where the result goes by default.
std::string result_file(const System& system);

/// <name><suffix> in the current folder.
std::string default_file(const System& system, const std::string& suffix);

/// Throws base::ProblemsFound if the result would replace what it is computed from.
void check_no_input(const System& system, const std::string& file);

/// Macro steps from one row to the next.
base::Tick steps_a_row(const System& system);

/// The columns to record, of a program that was compiled for it. Throws base::ProblemsFound if a pattern of the record
/// chooses nothing.
std::vector<stepping::Column> select_columns(const System& system, const coupling::Program& program);

/// There is none of what was asked for, and why: throws base::ProblemsFound.
[[noreturn]] void cannot(const System& system, const std::string& what, const std::string& reason);

}  // namespace seam::engine
