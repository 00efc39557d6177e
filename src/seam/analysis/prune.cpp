#include "seam/analysis/prune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/lti/modes.hpp"

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::StateSpace;
using lti::Vector;

/// Without a mode the error may be so many times what it was with all of them.
constexpr double allowed = 2.0;
/// Below this no error matters.
constexpr double nothing = 1e-9;

/// Outputs as columns, from rest.
Matrix answer(const StateSpace& model, const Eigen::Map<const Matrix>& inputs) {
  Matrix outputs(model.outputs(), inputs.cols());
  Vector x = Vector::Zero(model.states());
  for (Eigen::Index i = 0; i < inputs.cols(); ++i) {
    outputs.col(i) = model.C * x + model.D * inputs.col(i);
    x = (model.A * x + model.B * inputs.col(i)).eval();
  }
  return outputs;
}

/// Relative, of the worst output.
double error_of(const Matrix& difference, const Matrix& outputs) {
  double worst = 0.0;
  for (Eigen::Index j = 0; j < outputs.rows(); ++j) {
    const double error = difference.row(j).norm() / std::max(outputs.row(j).norm(), std::numeric_limits<double>::min());
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

/// Without inputs that the outputs answer as well without: what they do is rounding.
void leave_out_inputs(Pruned& found, const Eigen::Map<const Matrix>& inputs, const Eigen::Map<const Matrix>& outputs) {
  const double limit = allowed * found.error;
  for (Eigen::Index i = 0; i < inputs.rows(); ++i) {
    StateSpace without = found.model;
    without.B.col(i).setZero();
    without.D.col(i).setZero();
    const double error = error_of(outputs - answer(without, inputs), outputs);
    if (!(error <= limit)) continue;
    found.model = std::move(without);
    found.error = error;
  }
}

}  // namespace

Pruned pruned(const StateSpace& model, const lti::Samples& samples) {
  const auto count = static_cast<Eigen::Index>(samples.inputs.size()) / model.inputs();
  const Eigen::Map<const Matrix> inputs(samples.inputs.data(), model.inputs(), count);
  const Eigen::Map<const Matrix> outputs(samples.outputs.data(), model.outputs(), count);
  auto parts = lti::modal_parts(model);
  if (!parts) return {model, error_of(outputs - answer(model, inputs), outputs)};
  Matrix rest = outputs - model.D * inputs;  // what the modes do not explain
  std::vector<Matrix> answers;
  for (const StateSpace& part : *parts) {
    answers.push_back(answer(part, inputs));
    rest -= answers.back();
  }
  double error = error_of(rest, outputs);
  const double limit = std::max(allowed * error, nothing);
  const std::size_t all = parts->size();
  while (!parts->empty()) {
    std::size_t least = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const double without = error_of(rest + answers[i], outputs);
      if (without >= smallest) continue;
      smallest = without;
      least = i;
    }
    if (!(smallest <= limit)) break;
    error = smallest;
    rest += answers[least];
    answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(least));
    parts->erase(parts->begin() + static_cast<std::ptrdiff_t>(least));
  }
  Pruned found{parts->size() == all ? model : lti::sum_of(*parts, model.D), error};
  leave_out_inputs(found, inputs, outputs);
  return found;
}

}  // namespace seam::analysis
