// Which linear model of a subsystem to believe while it runs: samples come in by macro steps, a model is identified
// where there is none or where the present one foretells badly, kept where it does not, and used only where it
// foretells better than "nothing changes" (the flow chart of Haid et al. 2019, Fig. 3), with tests of the data that the
// chart lacks. Nothing is allocated after construction.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "seam/lti/output_prediction.hpp"
#include "seam/lti/sliding_window.hpp"

namespace seam::lti {

/// When a model may be used that has not yet foretold a sample outside of its fit.
enum class Trust {
  at_once,              ///< always, also if there are just as many samples as unknowns
  when_overdetermined,  ///< if there were more, and the rest is small
  after_proof           ///< never
};

/// What is done with the state of a model.
enum class States {
  followed,  ///< from step to step, also from one model to the next
  unused     ///< there is no growth, no change of coordinates and no gain of single samples
};

struct KeeperChoices {
  StepShape shape;  ///< samples of a macro step; k, for the data matrices and for the check
  int window = 20;  ///< macro steps
  int most_states = 2;
  std::optional<int> order;  ///< otherwise by the largest gap of the singular values
  double threshold = 0.01;   ///< of the relative error: above it another model is looked for
  States states = States::followed;

  // what the samples must show before a model is believed
  double least_excitation = 1e-9;  ///< of the inputs: smallest by largest singular value
  double most_uncertainty = 3.0;   ///< see IdentificationReport
  double least_gap = 6.0;
  double least_prominence = 0.1;
  Trust trust = Trust::when_overdetermined;

  // what a model must be like for its state to be followed from step to step
  double most_tracked_growth = 1.001;
  double most_tracked_uncertainty = 0.1;
};

enum class Standing { none, in_use, set_aside };

enum class Reason {
  model_foretells,     ///< in use
  too_few_samples,     ///< since the begin or the latest interruption
  poor_samples,        ///< see the finding
  uncertain_samples,   ///< several models explain them nearly as well
  worse_than_holding,  ///< the outputs of the step before foretell this one better
  not_proven,          ///< no sample outside of its fit has been foretold yet
};
std::string_view words(Reason reason);

/// What makes samples on both sides of it incompatible.
enum class Interruption { event, saturation, parameter_change };

/// What was decided at a macro step.
struct Judgement {
  Standing standing = Standing::none;
  Reason reason = Reason::too_few_samples;
  enum class Change { none, first_model, other_model } change = Change::none;
  double error = 0.0;       ///< of the model that is kept, on the newest macro sample; infinite if it cannot be told
  double hold_error = 0.0;  ///< of "as in the step before"
  Finding finding = Finding::too_few_samples;  ///< of the latest identification
  double uncertainty = 0.0;  ///< of the latest identification; infinite where nothing is left to tell it by
};

class ModelKeeper {
 public:
  ModelKeeper(int inputs, int outputs, const KeeperChoices& choices);

  /// All samples of a macro step: inputs as they were applied, outputs before any correction.
  const Judgement& observe(const Samples& step);
  /// The step just made, or about to be made, is none to learn from. Samples are forgotten; so is the model, if
  /// parameters have changed.
  const Judgement& interrupt(Interruption cause);

  const Judgement& judgement() const { return judgement_; }
  /// Of the model that is kept; meaningless while there is none.
  const PairedModel& model() const { return slots_[present_].model; }
  const StepGains& step_gains() const { return slots_[present_].step; }
  const StepGains& sample_gains() const { return slots_[present_].sample; }
  /// Whether to follow the error of the subsystem's state over many steps. What a wrong model adds in one step is
  /// small, but here it adds up, and a model that grows where the subsystem does not ends the run: with noise of 1e-6
  /// that happened to 1 % of 300 random systems of two masses.
  bool can_be_tracked() const;
  /// From the coordinates of the model before to those of the present one; of the latest change.
  Eigen::Map<const Matrix> coordinate_change() const { return change_.map(); }
  const SlidingWindow& window() const { return window_; }
  const KeeperChoices& choices() const { return choices_; }

  /// What it knows as flat numbers; a keeper of the same shape that loads them goes on the same way.
  std::size_t memory_size() const;
  void save(std::span<double> memory) const;
  void load(std::span<const double> memory);

 private:
  struct Slot {
    Slot(const ModelSize& size, const StepShape& shape);
    PairedModel model;
    StepGains step, sample;
    OutputPrediction prediction;
    std::vector<double> scales;  ///< of the outputs, when the model was fitted
    double uncertainty = 0.0;    ///< likewise
    double growth = 0.0;         ///< of a state that is followed, in a macro step
  };

  KeeperChoices choices_;
  ModelSize size_;
  SlidingWindow window_;
  Identification identification_;
  std::array<Slot, 2> slots_;
  std::size_t present_ = 0;
  bool has_model_ = false;
  bool is_proven_ = false;
  CoordinateChange change_;
  Judgement judgement_;

  int needed_samples() const;
  bool is_believable(const IdentificationReport& report);
  Reason reason_for_none() const;
  double present_error();
  /// Of the present model, in parts of the outputs' sizes of late.
  double miss();
  double hold_error() const;
  /// Into the other slot. True if there is a model to compare.
  bool identify();
  void consider_another(double& error);
  bool prepare(Slot& slot);
};

}  // namespace seam::lti
