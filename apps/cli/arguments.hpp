// What the user typed.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/open/system.hpp"
#include "seam/engine/predict/outlook_flags.hpp"
#include "seam/engine/predict/reference.hpp"

namespace seam::cli {

enum class Verb {
  none,
  run,
  analyze,
  reference,
  compare,
  check,
  methods,
  info,
  new_system,
  build,
  convert,
  tune,
  linearize,
  study
};

struct Arguments {
  Verb verb = Verb::none;
  std::vector<std::string> files;
  engine::Changes changes;
  std::string output;
  engine::ReferenceRequest reference;
  engine::OutlookFlags outlook;
  double target = 0.0;  ///< expected error; 0: none given
  std::string require;
  std::string name;  ///< of a method or a model
  std::vector<std::string> subsystems;
  std::string at;     ///< time of an operating point; empty: the start
  std::string ports;  ///< connected or all; empty: as the verb likes
  double max_nrmse = -1.0;
  double growth_limit = 1e30;
  double step_timeout = 0.0;  ///< s; 0: no limit
  std::vector<std::string> connect;
  std::string initial_state, final_state;  ///< files; empty: none
  std::string fmi_log_file;                ///< for calls and messages of FMUs; empty: standard error
  std::string fmu_log;                     ///< categories to log, or "all"; empty: none
  bool log_fmi_calls = false;
  bool all_variables = false;
  bool dot = false;         ///< a system as a graph for Graphviz
  bool parameters = false;  ///< of a system, with their origins
  bool force = false;
  bool json = false;
  bool quiet = false;
  int workers = 0;       ///< of a study; 0: one a core
  bool dry_run = false;  ///< a study is only counted
  bool resume = false;   ///< a study goes on where it was left
  bool print_resolved = false;
  bool initialisation = false;  ///< the order in which outputs are found at the start
};

/// Parses the command line. `exit_code` is 0 after --help or --version, 2 after a wrong one; then there is nothing to
/// do.
struct Parsed {
  Arguments arguments;
  bool done = false;
  int exit_code = 0;
};
Parsed parse(int argc, char** argv);

}  // namespace seam::cli
