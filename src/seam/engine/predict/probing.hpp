// Probing the FMUs of a system that tell nothing of themselves. Only source files of this room include it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/analysis/probe.hpp"
#include "seam/engine/predict/operating_point.hpp"

namespace seam::engine {

/// What is known of the size of an input before its FMU is asked.
struct InputSize {
  std::optional<double> nominal, min, max;
};

/// What an input did in a short run of the whole system.
struct SeenInput {
  double value = 0.0;               ///< at the operating point
  double range = 0.0;               ///< largest minus smallest value
  double low = 0.0;                 ///< smallest value
  std::vector<double> course = {};  ///< at every communication point of that run
};

/// A subsystem that is probed, and how it is moved.
struct ProbeCandidate {
  std::string name;
  int lane = -1, all_outputs = 0;
  std::vector<int> moved, outputs;
  std::vector<InputSize> sizes;
  std::vector<SeenInput> seen;
  std::optional<int> states = {};
  Calls calls = {};
  bool takes_polynomials = false;
  double shortest_call = 0.0, call_unit = 0.0;  ///< s; 0: any
  bool keeps_its_length = false;                ///< it was called before and may not be called over another length
  double part = 1.0;                            ///< of the usual motions
  int calls_a_sample = 1;                       ///< more than 1 where the FMU does not see the calls apart
  bool as_in_runs = false;                      ///< motions are those of the inputs in the run that was seen
  std::optional<analysis::SubsystemModel> told = {};  ///< what the FMU says of its equations
  std::shared_ptr<const analysis::Probe> kept = {};   ///< that the best model is made of; null: there is none
  analysis::SubsystemModel found = {};                ///< that model

  /// Calls of another length, with that many of all trials.
  analysis::Probe probe(double call, int degree, std::size_t trials) const;
  /// The run that was seen, and small motions beside it.
  analysis::Probe probe_of_run(double call) const;
};

/// A probe on its way through its trials.
struct ProbeTask {
  const ProbeCandidate* candidate;
  std::shared_ptr<analysis::Probe> probe;
  int calls_a_step = 1;
  std::string failure = {};  ///< why it did not go through
};

/// All are probed beside each other: each trial needs one private system at the operating point, in which every
/// candidate is stepped alone. Before the next one is made it is gone. `done` is told after every trial.
void run_trials(const System& system, const LinearModelRequest& request, std::vector<ProbeTask>& tasks,
                const std::function<void(std::size_t trials)>& done);

/// Finds the models of the calls as the plan makes them.
class Probing {
 public:
  Probing(const System& system, const LinearModelRequest& request) : system_(system), request_(request) {}

  /// A model that only a probe can tell; or that it cannot be, and why. Of outputs that nothing reads, if all are asked
  /// for, too.
  void add(const OperatingPoint& at, const coupling::Lane& lane, LinearModelRequest::Ports outputs,
           analysis::SubsystemModel& model);
  /// What an FMU says of its equations, which its answers are to bear out. It has a map of the calls.
  void tell(const analysis::SubsystemModel& told);
  bool any() const { return !candidates_.empty(); }
  /// How large the signals are: a short run of the whole system from the operating point.
  void watch(OperatingPoint& at, int steps = 20);
  /// Trials, and again with smaller motions where they show a nonlinear subsystem.
  void run();

  /// Those that were probed, each with the probe of its model.
  std::vector<ProbeCandidate> candidates() const { return {candidates_.begin(), candidates_.end()}; }

 private:
  struct Candidate : ProbeCandidate {
    analysis::SubsystemModel* model = nullptr;
    std::size_t attempt = 0;
    bool done = false;
    double kept_part = 1.0;                                    ///< of the usual motions, that the model is made of
    std::vector<std::pair<double, std::string>> crooked = {};  ///< parts at which it is not linear, and what shows it
  };

  enum class Side : unsigned char { inputs, outputs };
  /// Real ports that are moved or watched: those that are connected, also if they are declared discrete (many FMUs
  /// declare all their signals so), or all continuous ones, too.
  std::vector<int> looked_at(int member, Side side, LinearModelRequest::Ports wanted) const;
  std::vector<ProbeTask> tasks() const;
  void conclude(Candidate& candidate, const ProbeTask& task) const;
  void mention_larger_motions(Candidate& candidate) const;

  const System& system_;
  const LinearModelRequest& request_;
  std::vector<Candidate> candidates_;
};

}  // namespace seam::engine
