#include "seam/lti/observer.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "seam/lti/balance.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/exponential.hpp"
#include "seam/lti/kalman.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {
namespace {

/// Shares of the size of states and outputs by which a model and its outputs are taken to be wrong in a step.
constexpr double misfit = 0.02, noise = 0.001;
/// Modes are taken to decay at least so much in a step: what no output shows is then followed open loop, and what they
/// hardly show is not chased with large gains.
constexpr double least_decay = 0.99;
/// Over so many steps outputs show a deviation.
constexpr int steps_of_metric = 10;
/// So many inputs, each held for a part of a step, make the states what they usually are. In a whole step a mode whose
/// period divides it would not move at all.
constexpr int usual_inputs = 200, inputs_a_step = 4;

/// Constant rates that a step makes less of than this share of what it would make of them without dynamics.
constexpr double hidden = 1e-6;

/// The covariance that the states have when inputs of their size have moved them and the outputs
/// have, on average, their size; a little more, so that no direction is known for certain. Growth does not count.
struct UsualMotion {
  const Matrix &A, &G, &C;  ///< of one input, in coordinates in which the metric is the identity and sizes are 1
  Matrix covariance() const {
    constexpr double least = 1e-6;
    const Eigen::Index n = A.rows();
    Matrix result = Matrix::Zero(n, n);
    const Matrix step = A / std::max(1.0, spectral_radius(A));
    Matrix moved = G;
    for (int k = 0; k < usual_inputs; ++k, moved = (step * moved).eval()) result += moved * moved.transpose();
    const double shown = (C * result * C.transpose()).trace() / static_cast<double>(C.rows());
    if (shown > 0.0 && std::isfinite(shown))
      result /= shown;
    else
      result.setZero();
    return result + least * Matrix::Identity(n, n);
  }
};

}  // namespace

std::optional<Observer> make_observer(const ObservedSystem& observed) {
  const StateSpace& system = observed.system;
  const Eigen::Index n = system.states(), p = system.outputs(), inputs = observed.input_sizes.size();
  Observer result{Matrix::Zero(n, p), Matrix(0, n), Matrix::Zero(n, p)};
  if (n == 0 || p == 0) return result;
  const Vector& sizes = observed.output_sizes;
  result.metric = output_metric(system, sizes, steps_of_metric * observed.step);
  const Matrix inverse = Eigen::PartialPivLU<Matrix>(result.metric).inverse();
  const PolynomialStep part =
      discretise({system.A, system.B.leftCols(inputs), {}, {}}, observed.step / inputs_a_step, 0);
  const Matrix A = result.metric * exponential(observed.step * system.A) * inverse;
  const Matrix of_part = result.metric * part.Ad * inverse;
  const Matrix G = result.metric * part.G[0] * observed.input_sizes.asDiagonal();
  const Matrix C = sizes.cwiseInverse().asDiagonal() * system.C * inverse;
  const auto filter = steady_filter(
      {A, C, misfit * misfit * UsualMotion{of_part, G, C}.covariance(), noise * noise * Matrix::Identity(p, p)});
  if (!filter) return std::nullopt;
  result.gain = inverse * filter->gain * sizes.cwiseInverse().asDiagonal();
  // f with c = S f, S = integral of e^(A t) over the step: the smallest where a mode whose period divides it hides it
  const Matrix S = discretise({system.A, Matrix::Identity(n, n), {}, {}}, observed.step, 0).G[0];
  result.drive =
      inverse * (pseudo_inverse(result.metric * S * inverse, hidden * observed.step) * (result.metric * result.gain));
  return result;
}

// The factor of a QR decomposition of the outputs at many instants keeps the digits that the Gramian itself would
// square away. Directions that hardly show count as if they showed a little.
Matrix output_metric(const StateSpace& system, const Vector& sizes, double horizon) {
  constexpr int instants = 64;
  constexpr double hardly_shown = 1e-8;
  const Eigen::Index n = system.states(), p = system.outputs();
  if (n == 0) return Matrix(0, 0);
  const Vector scale = balance(system.A).scale;
  const Matrix step = exponential(horizon / instants * system.A);
  Matrix shown(instants * p + n, n);
  Matrix row = sizes.cwiseInverse().asDiagonal() * system.C / std::sqrt(static_cast<double>(instants));
  for (int k = 0; k < instants; ++k, row = (row * step).eval()) shown.middleRows(k * p, p) = row;
  const double largest = (shown.topRows(instants * p) * scale.asDiagonal()).norm();
  shown.bottomRows(n) = Matrix(((largest > 0.0 ? hardly_shown * largest : 1.0) * scale.cwiseInverse()).asDiagonal());
  return Eigen::HouseholderQR<Matrix>(shown).matrixQR().topRows(n).triangularView<Eigen::Upper>();
}

Matrix gains_of_step(const StateSpace& system, int inputs, double step) {
  constexpr double rounding = 1e-10;
  Matrix result = system.D.leftCols(inputs);
  if (system.states() == 0 || inputs == 0) return result;
  const Matrix effect = discretise({system.A, system.B.leftCols(inputs), {}, {}}, step, 0).G[0];
  const Matrix change = system.C * effect, terms = system.C.cwiseAbs() * effect.cwiseAbs();
  for (Eigen::Index i = 0; i < result.rows(); ++i) {
    for (Eigen::Index j = 0; j < result.cols(); ++j) {
      if (std::abs(change(i, j)) > rounding * terms(i, j)) result(i, j) += change(i, j);
    }
  }
  return result;
}

// The smallest solution of the logarithmic least squares: unconnected outputs have size 1.
Vector natural_log_sizes(const Matrix& gains) {
  const Eigen::Index count = gains.rows();
  Matrix normal = Matrix::Zero(count, count);
  Vector right = Vector::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      if (i == j || gains(i, j) == 0.0) continue;
      const double wanted = std::log(std::abs(gains(i, j)));
      normal(i, i) += 1.0;
      normal(j, j) += 1.0;
      normal(i, j) -= 1.0;
      normal(j, i) -= 1.0;
      right(i) += wanted;
      right(j) -= wanted;
    }
  }
  if (count == 0) return right;
  return Eigen::CompleteOrthogonalDecomposition<Matrix>(normal).solve(right);
}

}  // namespace seam::lti
