// Which subsystem is stepped by which thread: decided before the run, or after its first steps have been measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/coupling/program.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/stepping/division.hpp"
#include "seam/stepping/run.hpp"

namespace seam::engine {

/// What the plan asks for, made concrete. An FMU never changes its thread: where threads gain, the run is started again
/// with new instances, each on the thread it will stay on.
class ThreadChoice {
 public:
  explicit ThreadChoice(const System& system);

  /// For the run that is to be made now.
  const ThreadAssignment& assignment() const { return assignment_; }
  int threads() const { return assignment_.team ? assignment_.team->size() : 1; }
  /// Whether the first steps are to be measured and judged.
  bool measures() const { return measures_; }
  /// What starting again would cost, and what it would gain.
  struct Prospect {
    const coupling::Program& program;
    base::Tick steps = 0;  ///< made so far
    double setup = 0.0;    ///< s, from nothing to the first step
  };
  stepping::Verdict judge(const stepping::Costs& costs, const Prospect& prospect);
  /// What a macro step took on one thread, s; 0: not measured.
  double one_thread_step() const { return one_thread_step_; }
  /// Threads that were expected to gain do not: the run is started again on one.
  void go_back();
  /// What the user should know; empty if there was no choice.
  const std::string& words() const { return words_; }

 private:
  std::vector<stepping::Load> equal_loads() const;
  void assign(const stepping::Division& division);

  const System& system_;
  std::vector<int> members_;  ///< that step
  int most_ = 1;
  bool measures_ = false;
  double one_thread_step_ = 0.0;
  ThreadAssignment assignment_;
  std::string words_;
};

/// The thread of every lane.
std::vector<int> threads_of_lanes(const ThreadAssignment& assignment, const coupling::Program& program);

}  // namespace seam::engine
