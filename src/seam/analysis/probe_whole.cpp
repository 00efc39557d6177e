// A model of whole motions: of what the outputs did in a trial, not of what they did beyond the run at rest. Where a
// subsystem is not linear, small changes of a large motion are answered otherwise than the motion itself, and a
// prediction of runs wants the latter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/analysis/probe_answers.hpp"
#include "seam/lti/identification.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::analysis {
namespace {

using lti::FirstState;
using lti::Matrix;
using lti::Vector;

/// What more states add to a model is fitted to what is not linear, unless it then misses another motion by far less.
constexpr double far_better = 2.0;

/// Inputs that are moved and outputs that answer, as they were in a trial.
struct WholeRecord {
  WholeRecord(const Probe& probe, Trial trial, const Answers& answers) : inputs(probe.motions(trial)) {
    const auto all = static_cast<std::size_t>(probe.setup().all_outputs);
    const auto channels = static_cast<std::size_t>(probe.channels()), moved = probe.moved_inputs().size();
    const auto count = static_cast<std::size_t>(answers.samples);
    inputs.resize(count * channels);
    for (std::size_t k = 0; k < count; ++k) {
      const auto from = probe.course(static_cast<int>(k));
      for (std::size_t m = 0; m < moved; ++m)
        inputs[k * channels + m] += from[static_cast<std::size_t>(probe.moved_inputs()[m])];
      for (const int output : answers.outputs)
        outputs.push_back(probe.record(trial)[k * all + static_cast<std::size_t>(output)]);
    }
  }
  lti::Samples samples() const { return {inputs, outputs}; }

  std::vector<double> inputs, outputs;
};

}  // namespace

SubsystemModel Probe::conclude_whole_motions() const {
  SubsystemModel model;
  const Answers answers = answers_of(*this);
  if (answers.outputs.empty() || answers.samples < 2 * block_rows_ * channels()) {
    model.how = "not known: its whole motion shows too little of it";
    return model;
  }
  const WholeRecord first(*this, Trial::first, answers), fresh(*this, Trial::fresh, answers);
  lti::Identification identification(
      {channels(), static_cast<int>(answers.outputs.size()), samples_, block_rows_, most_states_});
  double best = std::numeric_limits<double>::infinity();
  for (int order = 0; order <= most_states_; ++order) {
    double least = best / far_better;  // of more states
    for (const auto& [of, by] : {std::pair(&first, &fresh), std::pair(&fresh, &first)}) {
      identification.identify(of->samples(), {});
      for (const auto way : {lti::InputFit::simulation, lti::InputFit::projection}) {
        lti::IdentificationChoices choices;
        choices.order = order;
        choices.input_fit = way;
        if (identification.fit(choices).finding != lti::Finding::identified) continue;
        const double error = identification.prediction_error(by->samples(), FirstState::fitted);
        if (!(error < least)) continue;
        best = least = error;
        model.map = StepMap{setup_.call, setup_.degree, widened(identification.model(), *this, answers.outputs)};
      }
    }
  }
  if (!model.map) {
    model.how = "not known: no linear model of its whole motion could be identified";
    return model;
  }
  model.source = ModelSource::probed;
  model.linearity = Linearity::at_this_point;
  model.equations = equations_behind(*model.map);
  model.quality = ProbeQuality{.prediction_error = best, .samples = answers.samples};
  model.how = fmt::format("probed: {} states identified from its whole motion, a fresh one is predicted to {:.2g} %",
                          model.map->matrices.states(), 100.0 * best);
  return model;
}

double Probe::whole_error_of(const StepMap& map) const {
  const Answers answers = answers_of(*this);
  const lti::StateSpace& step = map.matrices;
  const Eigen::Index n = step.states(), p = static_cast<Eigen::Index>(answers.outputs.size());
  const auto all = static_cast<std::size_t>(setup_.all_outputs);
  Matrix shown(answers.samples * p, n), power = Matrix::Identity(n, n);
  Vector left(answers.samples * p), sizes = Vector::Zero(p), driven = Vector::Zero(n), c(step.inputs());
  for (int k = 0; k < answers.samples; ++k) {
    c.setZero();
    const auto from = course(k);
    std::copy(from.begin(), from.end(), c.data());
    move(Trial::fresh, k, {c.data(), static_cast<std::size_t>(c.size())});
    for (Eigen::Index o = 0; o < p; ++o) {
      const int output = answers.outputs[static_cast<std::size_t>(o)];
      const double value = record(Trial::fresh)[static_cast<std::size_t>(k) * all + static_cast<std::size_t>(output)];
      shown.row(k * p + o) = step.C.row(output) * power;
      left(k * p + o) = value - step.C.row(output).dot(driven) - step.D.row(output).dot(c);
      sizes(o) += value * value / answers.samples;
    }
    power = (step.A * power).eval();
    driven = (step.A * driven + step.B * c).eval();
  }
  if (!left.allFinite() || !shown.allFinite()) return std::numeric_limits<double>::infinity();
  if (n > 0) left -= shown * (lti::pseudo_inverse(shown, 1e-9 * shown.norm()) * left).eval();
  double worst = 0.0;
  for (Eigen::Index o = 0; o < p; ++o) {
    double squares = 0.0;
    for (int k = 0; k < answers.samples; ++k) squares += left(k * p + o) * left(k * p + o) / answers.samples;
    worst = std::max(worst, std::sqrt(squares / std::max(sizes(o), std::numeric_limits<double>::min())));
  }
  return worst;
}

}  // namespace seam::analysis
