#include "seam/lti/alignment.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "seam/lti/exponential.hpp"

namespace seam::lti {
namespace {

/// Samples of C e^{A t}, one below the other.
Matrix free_outputs(const StateSpace& equations, double distance, Eigen::Index count) {
  const Matrix step = exponential(equations.A * distance);
  Matrix samples(count * equations.outputs(), equations.states()), now = equations.C;
  for (Eigen::Index i = 0; i < count; ++i, now = now * step)
    samples.middleRows(i * equations.outputs(), equations.outputs()) = now;
  return samples;
}

}  // namespace

// With x = T z: A' = T^-1 A T, B' = T^-1 B, C' = C T, and O T is nearest to the reference's O.
std::optional<StateSpace> aligned(const StateSpace& equations, const StateSpace& reference, double span) {
  constexpr double unseen = 1e-10;
  const Eigen::Index n = equations.states();
  if (n != reference.states() || equations.outputs() != reference.outputs()) return std::nullopt;
  if (n == 0) return equations;
  const Eigen::Index count = std::max<Eigen::Index>(2 * n, 8);
  const double distance = span / static_cast<double>(count - 1);
  Matrix own = free_outputs(equations, distance, count), wanted = free_outputs(reference, distance, count);
  const auto outputs = reference.outputs();
  for (Eigen::Index output = 0; output < outputs; ++output) {  // outputs of any unit count alike
    double squares = 0.0;
    for (Eigen::Index i = 0; i < count; ++i) squares += wanted.row(i * outputs + output).squaredNorm();
    const double weight = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
    for (Eigen::Index i = 0; i < count; ++i) {
      own.row(i * outputs + output) *= weight;
      wanted.row(i * outputs + output) *= weight;
    }
  }
  Eigen::ColPivHouseholderQR<Matrix> factors(own);
  factors.setThreshold(unseen);
  if (factors.rank() < n) return std::nullopt;
  const Matrix T = factors.solve(wanted);
  const Eigen::FullPivLU<Matrix> inverse(T);
  if (!inverse.isInvertible()) return std::nullopt;
  return StateSpace{inverse.solve(equations.A * T), inverse.solve(equations.B), equations.C * T, equations.D};
}

}  // namespace seam::lti
