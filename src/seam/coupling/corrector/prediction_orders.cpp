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
  const lti::PolynomialStep expected = applied_step(known, lane, step_, model.degree);
  const lti::PolynomialStep moved = applied_step(real, lane, step_, model.degree);
  Matrix next = Matrix::Zero(n, size), foretold = Matrix::Zero(n, size), at_once = Matrix::Zero(p, size);
  next.middleCols(state, n) = moved.Ad;
  foretold.middleCols(columns_.states + state, n) = expected.Ad;
  for (int k = 0; k < lane.written; ++k) {
    Matrix of_power(m, size);
    for (Index i = 0; i < m; ++i) of_power.row(i) = inputs.row(i * lane.written + k);
    next += moved.G[static_cast<std::size_t>(k)] * of_power;
    foretold += expected.G[static_cast<std::size_t>(k)] * of_power;
    at_once += (truth.gain - 1.0) * lane.end[k] * (known.D * of_power);
  }
  const Matrix innovation = known.C * (next - foretold) + at_once;
  result.middleRows(state, n) = next;
  result.middleRows(columns_.states + state, n) = foretold + model.observer.gain * innovation;
  result.middleRows(at(0) + lane.first_output, p) = innovation - known.C * (model.observer.gain * innovation);
  if (columns_.rows > 1) result.middleRows(at(1) + lane.first_output, p) = innovation;
}

}  // namespace

lti::PolynomialStep applied_step(const lti::StateSpace& system, const CorrectedLane& lane, double step, int degree) {
  if (lane.calls == 0) return lti::discretise(system, step, degree);
  const lti::PolynomialStep part = lti::discretise(system, step / lane.calls, 0);
  const Index n = system.states();
  lti::PolynomialStep result{Matrix::Identity(n, n), {}};
  for (int k = 0; k <= degree; ++k) result.G.push_back(Matrix::Zero(n, system.B.cols()));
  for (int s = 0; s < lane.calls; ++s) {
    result.Ad = (part.Ad * result.Ad).eval();
    for (int k = 0; k <= degree; ++k) {
      Matrix& G = result.G[static_cast<std::size_t>(k)];
      G = (part.Ad * G + std::pow(static_cast<double>(s) / lane.calls, k) * part.G[0]).eval();
    }
  }
  return result;
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
