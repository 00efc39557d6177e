// What each verb does. All give an exit code; what goes wrong is thrown and handled in main.
#pragma once

#include "arguments.hpp"

namespace seam::cli {

inline constexpr int done = 0, problems_in_input = 1, wrong_usage = 2, run_diverged = 3, subsystem_failed = 4,
                     requirement_not_met = 5, internal_error = 70, interrupted_by_user = 130;

int run_system(const Arguments& arguments);
int analyze_system(const Arguments& arguments);
int linearize_system(const Arguments& arguments);
int tune_plan(const Arguments& arguments);
int solve_reference(const Arguments& arguments);
int compare_results(const Arguments& arguments);
int check_system(const Arguments& arguments);
int convert_system(const Arguments& arguments);
int show_system(const Arguments& arguments);
int run_study(const Arguments& arguments);
int list_methods(const Arguments& arguments);

/// For FMUs by themselves.
bool names_an_fmu(const std::string& file);
int show_fmu(const Arguments& arguments);
int check_fmu(const Arguments& arguments);
int new_system_file(const Arguments& arguments);
int build_fmu(const Arguments& arguments);

}  // namespace seam::cli
