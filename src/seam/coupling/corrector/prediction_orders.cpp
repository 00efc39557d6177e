#include "seam/coupling/corrector/prediction_orders.hpp"

#include <algorithm>
#include <cmath>

#include "seam/lti/eigenvalues.hpp"

namespace seam::coupling {
namespace {

using Eigen::Index;
using lti::Matrix;

/// Coefficients of theta^k of a course by the rows that are carried.
using Weights = std::vector<std::vector<double>>;

/// The polynomial through the latest points, at theta + stamp = 0, -1, -2: weights of r_n, e_n, r_n-1, e_n-1, r_n-2.
Weights residual_weights(int order, double stamp) {
  if (order == 0) return {{1.0}};
  if (order == 1) return {{1.0 + stamp, 0.0, -stamp}, {1.0, 0.0, -1.0}};
  const double slope[] = {1.5, -2.0, 0.5}, bend[] = {0.5, -1.0, 0.5};
  Weights weights(3, std::vector<double>(5));
  for (std::size_t point = 0; point < 3; ++point) {
    weights[0][2 * point] = (point == 0 ? 1.0 : 0.0) + stamp * slope[point] + stamp * stamp * bend[point];
    weights[1][2 * point] = slope[point] + 2.0 * stamp * bend[point];
    weights[2][2 * point] = bend[point];
  }
  return weights;
}

/// Innovations are what a step has missed, on average in its middle: e_n, or the line through the middles of two steps.
Weights drive_weights(int order) {
  if (order == 0) return {};
  if (order == 1) return {{0.0, 1.0}};
  return {{0.0, 1.5, 0.0, -0.5}, {0.0, 1.0, 0.0, -1.0}};
}

/// x' and x^' of one subsystem, and what it makes of its outputs.
class StepMatrix {
 public:
  StepMatrix(const std::vector<SteppedModel>& models, const Matrix& gains, const CarriedColumns& columns, double step)
      : models_(models), gains_(gains), columns_(columns), step_(step) {}

  /// z = states, estimates, carried rows; the equations are multiplied by `speed`, their inputs by `gain` besides.
  Matrix of(double speed, double gain) const {
    const Index n = columns_.states, known = columns_.rows * columns_.outputs, size = 2 * n + known;
    Matrix from_carried = Matrix::Zero(gains_.rows(), size);
    from_carried.rightCols(n + known) = gains_.leftCols(n + known);
    Matrix result = Matrix::Zero(size, size);
    Index state = 0, row = 0;
    for (const SteppedModel& model : models_) {
      add(model, {speed, gain}, state, from_carried.middleRows(row, rows_of(*model.lane)), result);
      state += model.system.states();
      row += rows_of(*model.lane);
    }
    for (Index carried = 2; carried < columns_.rows; ++carried)
      result.middleRows(at(carried), columns_.outputs).middleCols(at(carried - 2), columns_.outputs).setIdentity();
    return result;
  }

 private:
  struct Truth {
    double speed, gain;
  };
  static Index rows_of(const CorrectedLane& lane) { return Index{lane.inputs} * lane.written; }
  Index at(Index carried) const { return 2 * columns_.states + carried * columns_.outputs; }
  void add(const SteppedModel& model, const Truth& truth, Index state, const Matrix& inputs, Matrix& result) const;

  const std::vector<SteppedModel>& models_;
  const Matrix& gains_;
  const CarriedColumns& columns_;
  double step_;
};

void StepMatrix::add(const SteppedModel& model, const Truth& truth, Index state, const Matrix& inputs,
                     Matrix& result) const {
  const CorrectedLane& lane = *model.lane;
  const Index n = model.system.states(), p = model.system.outputs(), m = lane.inputs, size = result.cols();
  const lti::StateSpace known{model.system.A, model.system.B.leftCols(m), model.system.C, model.system.D.leftCols(m)};
  const lti::StateSpace real{truth.speed * known.A, truth.speed * truth.gain * known.B, known.C, truth.gain * known.D};
  std::vector<Matrix> of_powers;
  for (int k = 0; k < lane.written; ++k) {
    of_powers.emplace_back(m, size);
    for (Index i = 0; i < m; ++i) of_powers.back().row(i) = inputs.row(i * lane.written + k);
  }
  Matrix next = Matrix::Zero(n, size), estimate = Matrix::Zero(n, size), taken = Matrix::Zero(n, size), innovation;
  next.middleCols(state, n).setIdentity();
  estimate.middleCols(columns_.states + state, n).setIdentity();
  for (PartOfStep part{0, lane.looks}; part.number < part.of; ++part.number) {
    const lti::PolynomialStep expected = applied_part(known, lane, step_, model.degree, part);
    const lti::PolynomialStep moved = applied_part(real, lane, step_, model.degree, part);
    Matrix at_once = Matrix::Zero(p, size);
    next = (moved.Ad * next).eval();
    estimate = (expected.Ad * estimate).eval();
    taken = (expected.Ad * taken).eval();
    for (int k = 0; k < lane.written; ++k) {
      const Matrix& of_power = of_powers[static_cast<std::size_t>(k)];
      next += moved.G[static_cast<std::size_t>(k)] * of_power;
      estimate += expected.G[static_cast<std::size_t>(k)] * of_power;
      at_once += (truth.gain - 1.0) * applied_at_end(lane, k, part) * (known.D * of_power);
    }
    innovation = known.C * (next - estimate) + at_once;
    estimate += model.gain * innovation;
    if (part.number + 1 < part.of) taken += model.gain * innovation;
  }
  result.middleRows(state, n) = next;
  result.middleRows(columns_.states + state, n) = estimate;
  result.middleRows(at(0) + lane.first_output, p) = innovation - known.C * (model.gain * innovation);
  if (columns_.rows > 1) result.middleRows(at(1) + lane.first_output, p) = innovation + known.C * taken;
}

}  // namespace

// theta = (number + phi) / of, with phi from 0 to 1 in the part.
lti::PolynomialStep moving_part(const lti::StateSpace& system, double step, int degree, PartOfStep part) {
  const lti::PolynomialStep in_part = lti::discretise(system, step / part.of, degree);
  lti::PolynomialStep result{in_part.Ad, {}};
  for (int k = 0; k <= degree; ++k) {
    Matrix G = Matrix::Zero(system.states(), system.B.cols());
    double binomial = 1.0;
    for (int j = 0; j <= k; binomial *= static_cast<double>(k - j) / (j + 1), ++j)
      G += binomial * std::pow(part.number, k - j) * in_part.G[static_cast<std::size_t>(j)];
    result.G.push_back(G / std::pow(part.of, k));
  }
  return result;
}

lti::PolynomialStep applied_part(const lti::StateSpace& system, const CorrectedLane& lane, double step, int degree,
                                 PartOfStep part) {
  if (lane.calls == 0) return moving_part(system, step, degree, part);
  const lti::PolynomialStep call = lti::discretise(system, step / lane.calls, 0);
  const Index n = system.states();
  lti::PolynomialStep result{Matrix::Identity(n, n), {}};
  for (int k = 0; k <= degree; ++k) result.G.push_back(Matrix::Zero(n, system.B.cols()));
  const int calls = lane.calls / part.of;
  for (int s = part.number * calls; s < (part.number + 1) * calls; ++s) {
    result.Ad = (call.Ad * result.Ad).eval();
    for (int k = 0; k <= degree; ++k) {
      Matrix& G = result.G[static_cast<std::size_t>(k)];
      G = (call.Ad * G + std::pow(static_cast<double>(s) / lane.calls, k) * call.G[0]).eval();
    }
  }
  return result;
}

double applied_at_end(const CorrectedLane& lane, int k, PartOfStep part) {
  const double end = static_cast<double>(part.number + 1) / part.of;
  return std::pow(lane.calls > 0 ? end - 1.0 / lane.calls : end, k);
}

Matrix gains_of_order(const lti::InputPrediction& inputs, int order, const std::vector<double>& stamps) {
  const lti::PredictionColumns& from = inputs.columns;
  const CarriedColumns to{from.states, from.outputs, 2 * from.degrees.residual + 1};
  const Index rest = from.count() - from.other(0, 0);
  Matrix result = Matrix::Zero(inputs.gains.rows(), to.behind() + rest);
  result.leftCols(from.states) = inputs.gains.leftCols(from.states);
  result.rightCols(rest) = inputs.gains.rightCols(rest);
  const auto add = [&](const Weights& weights, int output, const auto& column) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      for (std::size_t row = 0; row < weights[k].size(); ++row)
        result.col(to.row(static_cast<int>(row), output)) +=
            weights[k][row] * inputs.gains.col(column(static_cast<int>(k)));
    }
  };
  for (int output = 0; output < from.outputs; ++output) {
    add(residual_weights(order, stamps[static_cast<std::size_t>(output)]), output,
        [&](int k) { return from.residual(k, output); });
    add(drive_weights(order), output, [&](int k) { return from.drive(k, output); });
  }
  return result;
}

double worst_radius(const std::vector<SteppedModel>& models, const Matrix& gains, const CarriedColumns& columns,
                    double step) {
  const StepMatrix matrix(models, gains, columns, step);
  double worst = 0.0;
  for (const auto& [speed, gain] : {std::pair{1.0, 1.0}, {1.1, 1.0}, {0.9, 1.0}, {1.0, 1.1}, {1.0, 0.9}})
    worst = std::max(worst, lti::spectral_radius(matrix.of(speed, gain)));
  return worst;
}

}  // namespace seam::coupling
