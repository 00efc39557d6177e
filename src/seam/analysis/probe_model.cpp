// From the answers of the trials to a model and what is to be thought of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/analysis/probe_answers.hpp"
#include "seam/analysis/prune.hpp"
#include "seam/lti/identification.hpp"

namespace seam::analysis {
namespace {

using lti::FirstState;
using lti::IdentificationChoices;
using lti::IdentificationReport;

/// A model that misses a fresh excitation by more is no model.
constexpr double largest_error = 0.2;
/// What contributes less is not worth a state, and may be rounding.
constexpr double negligible = 1e-9;
/// Below this a nonlinear subsystem cannot be told from the tolerance of a solver.
constexpr double linear_to = 1e-3;
/// Equations that a subsystem is said to have are a model if they miss a fresh excitation by no more.
constexpr double told_to = 1e-3;

/// Motions and answers of one trial, up to where all answers are tame.
struct Experiment {
  Experiment(const Probe& probe, Trial trial, const Answer& own, int count)
      : motions(probe.motions(trial)), answer(own.values) {
    motions.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(probe.channels()));
    answer.resize(static_cast<std::size_t>(count) * own.channels);
  }
  lti::Samples samples() const { return {motions, answer}; }

  std::vector<double> motions, answer;
};

struct Choice {
  double error = std::numeric_limits<double>::infinity();  ///< on the fresh excitation
  IdentificationChoices how = {};
  IdentificationReport report = {};
};

/// Every order and both ways; of those that predict the fresh excitation about as well as the best the smallest order.
Choice best_choice(lti::Identification& identification, const Experiment& first, const Experiment& fresh,
                   const IdentificationChoices& common, int most_states) {
  std::vector<Choice> found;
  Choice any;
  any.report = identification.identify(first.samples(), common);
  if (identification.singular_values().empty()) return any;
  double best = std::numeric_limits<double>::infinity();
  for (int order = 0; order <= most_states; ++order) {
    for (const auto fit : {lti::InputFit::simulation, lti::InputFit::projection}) {
      Choice choice{.how = common};
      choice.how.order = order;
      choice.how.input_fit = fit;
      choice.report = identification.fit(choice.how);
      if (choice.report.finding != lti::Finding::identified) continue;
      choice.error = identification.prediction_error(fresh.samples(), FirstState::zero);
      best = std::min(best, choice.error);
      found.push_back(choice);
    }
  }
  const double good_enough = std::max(2.0 * best, negligible);
  for (const Choice& choice : found) {
    if (choice.error > good_enough) continue;
    if (std::isinf(any.error) || (choice.how.order == any.how.order && choice.error < any.error)) any = choice;
  }
  return any;
}

std::string percent(double error) { return fmt::format("{:.2g} %", 100.0 * error); }

std::string words_of(Eigen::Index states, const ProbeQuality& quality) {
  return fmt::format("probed: {} state{} identified from {} samples, a fresh excitation is predicted to {}", states,
                     states == 1 ? "" : "s", quality.samples, percent(quality.prediction_error));
}

/// Of linearity nothing is known where motions of one size were tried.
void judge(SubsystemModel& model, const ProbeQuality& quality, bool tested) {
  const double visible = std::max(linear_to, 10.0 * quality.resolution);
  const bool linear = std::max(quality.amplitude_error, quality.point_error) <= visible;
  model.linearity = !tested ? Linearity::not_tested : linear ? Linearity::linear : Linearity::at_this_point;
  if (quality.amplitude_error > visible) {
    model.warnings.push_back(fmt::format("it is not linear: twice the motion differs from twice the answer by {}",
                                         percent(quality.amplitude_error)));
  }
  if (quality.point_error > visible) {
    model.warnings.push_back(
        fmt::format("it depends on the operating point: around other input values its answer differs by {}",
                    percent(quality.point_error)));
  }
  if (quality.prediction_error > visible) {
    model.warnings.push_back(
        fmt::format("the model misses a fresh excitation by {}", percent(quality.prediction_error)));
  }
  if (quality.resolution > 1e-6) {
    model.warnings.push_back(fmt::format("the rounding of an output is {} of its answer: larger motions would help",
                                         percent(quality.resolution)));
  }
}

SubsystemModel silent(const Probe& probe) {
  SubsystemModel model;
  const auto channels = Eigen::Index{probe.channels()};
  const lti::StateSpace nothing{lti::Matrix(0, 0), lti::Matrix(0, channels), lti::Matrix(0, 0),
                                lti::Matrix(0, channels)};
  const ProbeSetup& setup = probe.setup();
  model.source = ModelSource::probed;
  model.linearity = Linearity::linear;
  model.map = StepMap{setup.call * setup.calls_a_sample, setup.degree, widened(nothing, probe, {})};
  model.quality = ProbeQuality{};
  model.quality->samples = probe.samples();
  model.how = "probed: none of its outputs answers to an input";
  return model;
}

/// What further models are identified from, whose spread is what is unsure. The same motions around other values belong
/// to them where the point makes a difference.
std::vector<Experiment> other_experiments(const Probe& probe, const Answers& answers, double point_error) {
  std::vector<Experiment> others = {{probe, Trial::fresh, answers.fresh, answers.samples}};
  if (answers.doubled.count() > 0) others.emplace_back(probe, Trial::doubled, answers.doubled, answers.samples);
  if (point_error > linear_to) others.emplace_back(probe, Trial::first, answers.shifted, answers.samples);
  return others;
}

SubsystemModel unknown(std::string why) {
  SubsystemModel model;
  model.how = std::move(why);
  return model;
}

SubsystemModel sampling(double period) {
  return unknown(fmt::format(
      "its outputs change only every {:.3g} s or so, as if it sampled: a macro step that is a multiple of that can be "
      "analysed, or a step of its own (plan: subsystems: step)",
      period));
}

SubsystemModel empty_model(const ProbeSetup& setup) {
  SubsystemModel model;
  model.source = ModelSource::probed;
  model.is_whole = setup.calls_a_sample > 1;
  return model;
}

bool all_trials_are_there(const Probe& probe) {
  const auto size = static_cast<std::size_t>(probe.setup().all_outputs) * static_cast<std::size_t>(probe.samples());
  return std::ranges::all_of(probe.trials(), [&](Trial trial) { return probe.record(trial).size() == size; });
}

/// How far a map is from the answers to the fresh excitation, of each output that answers, and then of each that does
/// not: infinite where the map moves it.
std::vector<double> misses_of(const Probe& probe, const Answers& answers, const StepMap& map) {
  const lti::StateSpace& step = map.matrices;
  Answer simulated{answers.outputs.size()}, of_silent{answers.silent.size()};
  lti::Vector x = lti::Vector::Zero(step.states()), c(step.inputs());
  for (int sample = 0; sample < answers.samples; ++sample) {
    c.setZero();
    probe.move(Trial::fresh, sample, {c.data(), static_cast<std::size_t>(c.size())});
    const lti::Vector y = step.C * x + step.D * c;
    x = step.A * x + step.B * c;
    for (const int output : answers.outputs) simulated.values.push_back(y(output));
    for (const int output : answers.silent) of_silent.values.push_back(y(output));
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < simulated.channels; ++i) largest = std::max(largest, root_mean_square(simulated, i));
  std::vector<double> misses = distances(simulated, 1.0, answers.fresh, answers.samples);
  for (std::size_t i = 0; i < of_silent.channels; ++i) {
    constexpr double negligible_beside_largest = 1e-9;
    const double silent = std::max(2.0 * answers.silent_up_to[i], negligible_beside_largest * largest);
    const bool moves = root_mean_square(of_silent, i) > silent;
    misses.push_back(moves ? std::numeric_limits<double>::infinity() : 0.0);
  }
  return misses;
}

}  // namespace

lti::StateSpace widened(const lti::StateSpace& small, const Probe& probe, const std::vector<int>& outputs) {
  const auto all_inputs = static_cast<Eigen::Index>(probe.setup().inputs.size());
  const auto blocks = Eigen::Index{probe.setup().degree + 1}, all_outputs = Eigen::Index{probe.setup().all_outputs};
  const auto moved = static_cast<Eigen::Index>(probe.moved_inputs().size());
  lti::StateSpace result{small.A, lti::Matrix::Zero(small.states(), all_inputs * blocks),
                         lti::Matrix::Zero(all_outputs, small.states()),
                         lti::Matrix::Zero(all_outputs, all_inputs * blocks)};
  for (std::size_t i = 0; i < outputs.size(); ++i) result.C.row(outputs[i]) = small.C.row(static_cast<Eigen::Index>(i));
  for (Eigen::Index j = 0; j < blocks; ++j) {
    for (Eigen::Index m = 0; m < moved; ++m) {
      const Eigen::Index to = j * all_inputs + probe.moved_inputs()[static_cast<std::size_t>(m)], from = j * moved + m;
      result.B.col(to) = small.B.col(from);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        result.D(outputs[i], to) = small.D(static_cast<Eigen::Index>(i), from);
    }
  }
  return result;
}

SubsystemModel Probe::identified() const {
  if (moved_.empty()) return unknown("none of its inputs can be moved");
  if (!all_trials_are_there(*this)) return unknown("a trial is missing");
  const Answers answers = answers_of(*this);
  if (answers.outputs.empty()) return silent(*this);
  const auto outputs = static_cast<int>(answers.outputs.size());
  if (answers.samples < 2 * block_rows_ * channels()) return unknown("it runs away before enough is seen of it");
  if (const auto period = own_period(answers.first, answers.samples))
    return sampling(*period * setup_.call * setup_.calls_a_sample);

  lti::Identification identification({channels(), outputs, samples_, block_rows_, most_states_});
  IdentificationChoices common;
  common.first_state = FirstState::zero;
  common.rounding = 1e-16;  // whether a state is one is judged by the fresh excitation
  const Experiment first(*this, Trial::first, answers.first, answers.samples);
  const Experiment fresh(*this, Trial::fresh, answers.fresh, answers.samples);
  const Choice choice = best_choice(identification, first, fresh, common, most_states_);
  if (std::isinf(choice.error))
    return unknown(fmt::format("nothing could be identified: {}", words(choice.report.finding)));
  if (choice.error > largest_error)
    return unknown(fmt::format("no linear model of up to {} states predicts its answers: the best misses them by {}",
                               most_states_, percent(choice.error)));

  SubsystemModel model = empty_model(setup_);
  double error = choice.error;
  const auto map_of = [&](const Experiment& experiment, const Experiment& judge) -> std::optional<StepMap> {
    if (identification.identify(experiment.samples(), choice.how).finding != lti::Finding::identified)
      return std::nullopt;
    Pruned kept = pruned(identification.model(), judge.samples());
    error = kept.error;
    return StepMap{setup_.call * setup_.calls_a_sample, setup_.degree, widened(kept.model, *this, answers.outputs)};
  };
  const double point_error = distance(answers.shifted, 1.0, answers.first, answers.samples);
  for (const Experiment& other : other_experiments(*this, answers, point_error)) {
    if (auto map = map_of(other, first)) model.other_maps.push_back(std::move(*map));
  }
  model.map = map_of(first, fresh);  // the last, so that the error is that of this one
  model.quality = ProbeQuality{identification.residual(),
                               error,
                               distance(answers.first, 2.0, answers.doubled, answers.samples),
                               point_error,
                               answers.resolution(),
                               choice.report.excitation,
                               choice.report.gap,
                               answers.samples};
  model.how = words_of(model.map->matrices.states(), *model.quality);
  judge(model, *model.quality, setup_.trials == trial_count);
  return model;
}

SubsystemModel Probe::conclude(const std::optional<lti::StateSpace>& told) const {
  SubsystemModel model = identified();
  const bool answered = !moved_.empty() && all_trials_are_there(*this);
  if (model.source != ModelSource::none || !told || !answered || setup_.calls_a_sample > 1) return model;
  StepMap map = step_map(*told, setup_.call, setup_.degree);
  const double error = error_of(map);
  if (!(error <= told_to)) return model;
  const Answers answers = answers_of(*this);
  SubsystemModel as_told = empty_model(setup_);
  as_told.map = std::move(map);
  as_told.quality = ProbeQuality{.prediction_error = error,
                                 .amplitude_error = distance(answers.first, 2.0, answers.doubled, answers.samples),
                                 .point_error = distance(answers.shifted, 1.0, answers.first, answers.samples),
                                 .resolution = answers.resolution(),
                                 .samples = answers.samples};
  as_told.how = fmt::format("probed: the equations that it shows predict a fresh excitation to {}", percent(error));
  judge(as_told, *as_told.quality, setup_.trials == trial_count);
  return as_told;
}

double Probe::error_of(const StepMap& map) const {
  double worst = 0.0;
  for (const double missed : misses_of(*this, answers_of(*this), map)) worst = std::max(worst, missed);
  return worst;
}

double Probe::error_beyond_rounding(const StepMap& map) const {
  constexpr double roundings = 20.0;  // those of 200 calls add up: their root, and a little more
  const Answers answers = answers_of(*this);
  const std::vector<double> misses = misses_of(*this, answers, map);
  double worst = 0.0;
  for (std::size_t i = 0; i < misses.size(); ++i) {
    const bool shown = i >= answers.resolutions.size() || !(misses[i] <= roundings * answers.resolutions[i]);
    if (shown) worst = std::max(worst, misses[i]);
  }
  return worst;
}

}  // namespace seam::analysis
