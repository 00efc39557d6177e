#include "seam/coupling/emitter/compensator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "seam/lti/discretise.hpp"
#include "seam/lti/rational.hpp"

namespace seam::coupling {

using lti::Matrix;
using lti::Vector;

namespace {

/// Outputs at the end of a micro step and before it that its polynomial goes through.
constexpr int points = 5;

/// What each of them, the newest first, adds to the states over the micro step, which it has at theta = 1, 0, -1, …:
/// Lagrange's polynomials, each with the exact step of the filter.
std::array<Vector, points> point_gains(const lti::PolynomialStep& exact) {
  std::array<Vector, points> gains;
  for (int k = 0; k < points; ++k) {
    lti::Coefficients basis{1.0};
    for (int m = 0; m < points; ++m) {
      if (m != k) basis = lti::product(basis, {(m - 1.0) / (m - k), 1.0 / (m - k)});
    }
    Vector& gain = gains[static_cast<std::size_t>(k)];
    gain = Vector::Zero(exact.Ad.rows());
    for (std::size_t power = 0; power < basis.size(); ++power) gain += basis[power] * exact.G[power];
  }
  return gains;
}

}  // namespace

// Over a micro step x1 = Ad x0 + w0 y1 + w1 y0 + w2 y-1 + …, and a constant 1 rests at r = Ad r + w0 + w1 + …. With the
// deviations d = x - r y of the states from rest
//   d1 = Ad d0 + (w0 - r) (y1 - y0) - (w2 + w3 + …) (y0 - y-1) - (w3 + …) (y-1 - y-2) - …   and   K1 y = K1(0) y + C d:
// only changes of the output count, and no large parts cancel. What the polynomial leaves out is multiplied by
// K1(infinity), so it has degree 4: with a parabola, a tone of a tenth of 1/H and ten micro steps would be wrong by
// 1e-5 K1(infinity). By Euler's explicit rule w1 alone is not 0.
Compensator::Compensator(const lti::StateSpace& filter, double micro_step, FilterSolver solver,
                         std::optional<double> jump_limit)
    : states_(static_cast<int>(filter.states())),
      past_(solver == FilterSolver::exact ? points - 1
            : jump_limit                  ? 2
                                          : 1),
      largest_change_(jump_limit ? *jump_limit * micro_step : std::numeric_limits<double>::infinity()) {
  const Vector at_rest = resting_states(filter);
  changes_ = Matrix::Zero(states_, past_);
  changes_.col(0) = -at_rest;
  if (solver == FilterSolver::euler) {
    step_ = Matrix::Identity(states_, states_) + micro_step * filter.A;
  } else {
    const lti::PolynomialStep exact = lti::discretise(filter, micro_step, points - 1);
    const std::array<Vector, points> gains = point_gains(exact);
    step_ = exact.Ad;
    changes_.col(0) += gains[0];
    for (int j = 1; j < past_; ++j) {
      for (int k = j + 1; k < points; ++k) changes_.col(j) -= gains[static_cast<std::size_t>(k)];
    }
  }
  for (int i = 0; i < states_; ++i) {
    for (int j = i / 2 * 2 + 2; j < states_; ++j) {
      is_full_ = is_full_ || step_(i, j) != 0.0;
    }
  }
  read_ = filter.C.row(0).transpose();
  static_gain_ = filter.D(0, 0) + read_.dot(at_rest);
}

void Compensator::start(int ports, const double* outputs, double* rows) const {
  std::fill_n(rows + ports, states_ * ports, 0.0);
  for (int k = 0; k < past_; ++k) std::copy_n(outputs, ports, rows + (1 + states_ + k) * ports);
  send(ports, outputs, rows);
}

void Compensator::observe(int ports, const double* outputs, double* rows) const {
  std::array<double, most_filter_states> before{};
  std::array<double, points> change{};
  for (int p = 0; p < ports; ++p) {
    double* const d = rows + ports + p;
    double* const past = rows + (1 + states_) * ports + p;
    double newer = outputs[p];
    for (int k = 0; k < past_; ++k) {
      change[static_cast<std::size_t>(k)] = limited(newer - past[k * ports]);
      std::swap(newer, past[k * ports]);
    }
    for (int i = 0; i < states_; ++i) before[static_cast<std::size_t>(i)] = d[i * ports];
    for (int i = 0; i < states_; ++i) {
      double sum = 0.0;
      for (int k = 0; k < past_; ++k) sum += changes_(i, k) * change[static_cast<std::size_t>(k)];
      for (int j = 0; j < reach(i); ++j) sum += step_(i, j) * before[static_cast<std::size_t>(j)];
      d[i * ports] = sum;
    }
  }
  send(ports, outputs, rows);
}

void Compensator::replace(int ports, const double* outputs, double* rows) const {
  for (int p = 0; p < ports; ++p) {
    double* const past = rows + (1 + states_) * ports + p;
    const double more =
        past_ > 1 ? limited(outputs[p] - past[ports]) - limited(past[0] - past[ports]) : outputs[p] - past[0];
    for (int i = 0; i < states_; ++i) rows[(1 + i) * ports + p] += changes_(i, 0) * more;
    past[0] = outputs[p];
  }
  send(ports, outputs, rows);
}

void Compensator::send(int ports, const double* outputs, double* rows) const {
  for (int p = 0; p < ports; ++p) {
    double sum = static_gain_ * outputs[p];
    for (int i = 0; i < states_; ++i) sum += read_(i) * rows[(1 + i) * ports + p];
    rows[p] = sum;
  }
}

}  // namespace seam::coupling
