// Probing a subsystem that tells nothing of itself: its inputs are moved on instances of its own, from the operating
// point, and a linear model is identified from what its outputs answer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seam/analysis/linear_models.hpp"

namespace seam::analysis {

/// How far an input may be moved from its value at the operating point; nothing at all: it is left alone.
struct InputMotion {
  double low = 0.0, high = 0.0;  ///< low <= 0 <= high; twice as far must be allowed, too
  double shift = 0.0;            ///< to another operating point; on top of low and high it must be allowed, too
  std::string because = {};      ///< what it was sized by

  bool moves() const { return high > low; }
};

/// Runs from the operating point, each on an instance of its own.
enum class Trial {
  rest,          ///< inputs as they are: what is subtracted from the others
  first,         ///< what the model is identified from
  fresh,         ///< other motions of the same size: what it is judged by
  doubled,       ///< the motions of the first, twice as large
  shifted_rest,  ///< other input values
  shifted        ///< the motions of the first around these
};
inline constexpr Trial all_trials[] = {Trial::rest,    Trial::first,        Trial::fresh,
                                       Trial::doubled, Trial::shifted_rest, Trial::shifted};
inline constexpr std::size_t trial_count = std::size(all_trials);
/// The first of them: enough for a model and its error, not for what it says of linearity.
inline constexpr std::size_t brief_trial_count = 3;

struct ProbeSetup {
  std::vector<InputMotion> inputs;   ///< one a real input
  std::vector<int> outputs;          ///< the real outputs that are wanted in the model
  int all_outputs = 0;               ///< real ones
  double call = 0.0;                 ///< s, the length of a call
  int calls_a_sample = 1;            ///< more than 1: so many calls get the same input
  int degree = 0;                    ///< of the input's polynomial in a call; 0 with several calls a sample
  std::optional<int> states;         ///< what the subsystem says of their number
  std::size_t trials = trial_count;  ///< the first so many
  /// Of all real inputs, sample by sample, on which the motions are put; one row: they stay as they are. Empty: this is
  /// left to the point at which a trial begins.
  std::vector<double> course = {};
};

class Probe {
 public:
  explicit Probe(ProbeSetup setup);

  const ProbeSetup& setup() const { return setup_; }
  int samples() const { return samples_; }
  /// Adds what a trial does to the inputs in a sample to the polynomial of the operating point.
  void move(Trial trial, int sample, std::span<double> coefficients) const;
  /// Where it is moved from.
  std::span<const double> course(int sample) const;
  /// Before the first of these samples, with the inputs as they are.
  int idle_samples() const { return setup_.course.empty() ? 1 : 0; }
  /// All real outputs at the end of every sample, those of idle ones first.
  void take(Trial trial, std::vector<double> outputs);

  std::span<const Trial> trials() const { return std::span(all_trials).first(setup_.trials); }
  /// The model and how good it is, once all trials are there; without names and operating point. Where none can be
  /// identified, as of many states, the equations that the subsystem is said to have are one if they predict as well.
  SubsystemModel conclude(const std::optional<lti::StateSpace>& told = {}) const;
  /// How far another map of these calls is from the answers to the fresh excitation: relative, of the worst output;
  /// infinite if it moves an output that does not answer.
  double error_of(const StepMap& map) const;
  /// The same, but 0 where the rounding of the outputs may be all of it: such a record does not speak against the map.
  double error_beyond_rounding(const StepMap& map) const;

  /// A model of all that the outputs did, the inputs as they were: of a subsystem that is not linear, with motions as
  /// large as those of runs.
  SubsystemModel conclude_whole_motions() const;
  /// How far another map of these calls is from the fresh motion as a whole, from the state that suits it best.
  double whole_error_of(const StepMap& map) const;

  /// What a trial does to the inputs that are moved, coefficient by coefficient, in every sample.
  std::vector<double> motions(Trial trial) const;
  const std::vector<double>& record(Trial trial) const { return records_[static_cast<std::size_t>(trial)]; }
  const std::vector<double>& idle_record(Trial trial) const { return idle_records_[static_cast<std::size_t>(trial)]; }
  const std::vector<int>& moved_inputs() const { return moved_; }
  int channels() const { return static_cast<int>(moved_.size()) * (setup_.degree + 1); }
  int block_rows() const { return block_rows_; }
  int most_states() const { return most_states_; }

 private:
  SubsystemModel identified() const;

  ProbeSetup setup_;
  std::vector<int> moved_;             // inputs that are
  std::vector<double> first_, fresh_;  // excitations within -1 and 1: sample by sample, coefficient by coefficient
  std::vector<double> records_[trial_count], idle_records_[trial_count];
  int samples_ = 0, block_rows_ = 0, most_states_ = 0;
};

/// The operating point of a subsystem that is about to make a step there.
struct ProbePoint {
  double time = 0.0;
  int calls_a_step = 1;             ///< that the master makes for a macro step
  std::vector<double> inputs = {};  ///< the real ones
  std::vector<int> driven = {};     ///< those of them that follow a known signal: in a trial they are moved instead
};

/// Steps the subsystem alone through a trial, after one sample at rest: the first call of some FMUs is unlike all
/// others (20-sim: from 0 to wherever the experiment starts). None, with the reason, if it does not go through.
std::optional<std::vector<double>> run_trial(assembly::Subsystem& subsystem, const Probe& probe, Trial trial,
                                             const ProbePoint& point, std::string& reason);

}  // namespace seam::analysis
