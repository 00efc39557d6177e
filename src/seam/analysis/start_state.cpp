#include "seam/analysis/start_state.hpp"

#include <algorithm>
#include <cmath>

#include "seam/lti/discretise.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::analysis {

using lti::Matrix;
using lti::Vector;

StartState start_state(const lti::StateSpace& equations, const RestRecord& rest) {
  constexpr Eigen::Index calls_a_state = 4, least_calls = 20;
  constexpr double hardly_shown = 1e-9;  // of what the outputs show of the other states
  const Eigen::Index n = equations.states(), p = static_cast<Eigen::Index>(rest.watched.size());
  const auto recorded = static_cast<Eigen::Index>(rest.values.size()) / std::max(rest.outputs, 1);
  const Eigen::Index calls = std::min(recorded, std::max(calls_a_state * n, least_calls));
  const Eigen::Map<const Matrix> record(rest.values.data(), rest.outputs, recorded);
  const Eigen::Index m = equations.inputs(),
                     rows = static_cast<Eigen::Index>(rest.inputs.size()) / std::max<Eigen::Index>(m, 1);
  const Eigen::Map<const Matrix> given(rest.inputs.data(), m, rows);
  const lti::PolynomialStep step = lti::discretise(equations, rest.call, 0);
  Matrix shown(calls * p, n), power = Matrix::Identity(n, n);
  Vector wanted(calls * p), driven = Vector::Zero(n), sizes = Vector::Zero(p);
  for (Eigen::Index k = 0; k < calls; ++k) {
    const Vector inputs = given.col(std::min(k, rows - 1));
    power = (step.Ad * power).eval();
    driven = (step.Ad * driven + step.G[0] * inputs).eval();
    for (Eigen::Index o = 0; o < p; ++o) {
      const int output = rest.watched[static_cast<std::size_t>(o)];
      shown.row(k * p + o) = equations.C.row(output) * power;
      wanted(k * p + o) = record(output, k) - equations.C.row(output).dot(driven) - equations.D.row(output).dot(inputs);
      sizes(o) = std::max(sizes(o), std::abs(record(output, k)));
    }
  }
  for (Eigen::Index o = 0; o < p; ++o) {  // each output counts by its size
    const double size = sizes(o) > 0.0 ? sizes(o) : 1.0;
    for (Eigen::Index k = 0; k < calls; ++k) {
      shown.row(k * p + o) /= size;
      wanted(k * p + o) /= size;
    }
  }
  StartState result{Vector::Zero(n)};
  if (n > 0 && wanted.size() > 0) {
    // states of a model have no units that could be compared: those that show equally count alike
    Vector scale = shown.colwise().norm();
    scale = (scale.array() > 0.0).select(scale.cwiseInverse(), 1.0);
    const Matrix scaled = shown * scale.asDiagonal();
    result.state = scale.asDiagonal() * (lti::pseudo_inverse(scaled, hardly_shown * scaled.norm()) * wanted);
  }
  const Vector missed = wanted - shown * result.state;
  for (Eigen::Index o = 0; o < p; ++o) {
    double squares = 0.0;
    for (Eigen::Index k = 0; k < calls; ++k) squares += missed(k * p + o) * missed(k * p + o);
    if (calls > 0) result.unexplained = std::max(result.unexplained, std::sqrt(squares / static_cast<double>(calls)));
  }
  return result;
}

}  // namespace seam::analysis
