// Probing the FMUs of a system that tell nothing of themselves. Only source files of this room include it.
#pragma once

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
  double value = 0.0;  ///< at the operating point
  double range = 0.0;  ///< largest minus smallest value
};

/// All are probed beside each other: each trial needs one private system at the operating point, in which every
/// candidate is stepped alone. Before the next one is made it is gone.
class Probing {
 public:
  Probing(const System& system, const LinearModelRequest& request) : system_(system), request_(request) {}

  /// A model that only a probe can tell; or that it cannot be, and why.
  void add(const OperatingPoint& at, const coupling::Lane& lane, analysis::SubsystemModel& model);
  bool any() const { return !candidates_.empty(); }
  /// How large the signals are: a short run of the whole system from the operating point.
  void watch(OperatingPoint& at);
  /// Trials, and again with smaller motions where they show a nonlinear subsystem.
  void run();

 private:
  struct Candidate {
    analysis::SubsystemModel* model = nullptr;
    int lane = -1;
    std::vector<int> moved, outputs;
    std::vector<InputSize> sizes;
    std::vector<SeenInput> seen;
    std::optional<int> states = {};
    Calls calls = {};
    double part = 1.0;  ///< of the usual motions
    std::size_t attempt = 0;
    int calls_a_sample = 1;  ///< more than 1 where the FMU does not see the calls apart
    std::optional<analysis::Probe> probe = {};
    std::string failure = {};
    bool done = false;
    double kept_part = 1.0;                                    ///< of the usual motions, that the model is made of
    std::vector<std::pair<double, std::string>> crooked = {};  ///< parts at which it is not linear, and what shows it
  };

  bool is_fed(int member, int input) const;
  bool is_heard(int member, int output) const;
  void make_probe(Candidate& candidate) const;
  void run_trials();
  void conclude(Candidate& candidate) const;
  void mention_larger_motions(Candidate& candidate) const;

  const System& system_;
  const LinearModelRequest& request_;
  std::vector<Candidate> candidates_;
  int round_ = 0;
};

}  // namespace seam::engine
