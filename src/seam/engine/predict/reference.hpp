// What a run would be without coupling error: all equations solved together, or the step halved until it no longer
// matters.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/run/run.hpp"
#include "seam/formats/table.hpp"

namespace seam::engine {

struct ReferenceRequest {
  enum class Solution {
    automatic,   ///< together where all equations are known, else by halving
    monolithic,  ///< all equations together, or nothing
    halving      ///< explicit runs with half the step each, until two agree
  } solution = Solution::automatic;
  double agree = 1e-6;  ///< how far two runs may be apart, relative to the range of a variable
};

/// One of the runs with ever smaller steps.
struct Halving {
  double step = 0.0;            ///< s
  std::optional<double> apart;  ///< from the run before, relative to its range, of the variable that is furthest
  std::string furthest;         ///< that variable
};

struct ReferenceSummary {
  std::string file;
  std::string method;
  std::size_t rows = 0;
  std::string diverged;              ///< which variable left all numbers, and when; empty: none did
  std::string ended;                 ///< which subsystem ended it early, and when; empty: none did
  std::string not_monolithic;        ///< why the equations were not solved together; empty: they were
  std::string disagreement;          ///< of an FMU's two interfaces: then its equations are not used; empty: none
  std::vector<Halving> halvings;     ///< the first with the step of the plan; empty: solved together
  std::vector<std::string> notices;  ///< what the user should know of the file
};

/// The reference at the communication points of the plan, with the columns a run would have. Throws
/// base::ProblemsFound if it was to be monolithic and the equations are not known, or if halving cannot help.
ReferenceSummary reference(const System& system, const RunSettings& settings, const ReferenceRequest& request = {});

/// The same, kept in memory: nothing is written, and `summary.file` is empty.
struct ReferenceTable {
  ReferenceSummary summary;
  formats::Table table;
  formats::Table states;  ///< at the same times, of models of our own solved together; else without columns
};
ReferenceTable reference_in_memory(const System& system, const RunSettings& settings, const ReferenceRequest& request);

}  // namespace seam::engine
