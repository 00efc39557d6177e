#include "seam/coupling/emitter/compensator.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "seam/lti/discretise.hpp"

namespace seam::coupling {

using lti::Matrix;
using lti::Vector;

// Exact for the parabola through the outputs at theta = -1, 0, 1 of the micro step:
//   y(theta) = y0 + theta (y1 - y-1)/2 + theta^2 (y1 - 2 y0 + y-1)/2, so that x1 = Ad x0 + n y1 + l y0 + b y-1.
// A constant 1 rests at r = Ad r + n + l + b. With the deviations d = x - r y of the states from rest
//   d1 = Ad d0 + (n - r) (y1 - y0) - b (y0 - y-1)   and   K1 y = K1(0) y + C d:
// only changes of the output count, and no large parts cancel. By Euler's explicit rule n = b = 0.
Compensator::Compensator(const lti::StateSpace& filter, double micro_step, FilterSolver solver,
                         std::optional<double> jump_limit)
    : states_(static_cast<int>(filter.states())),
      past_(solver == FilterSolver::euler && !jump_limit ? 1 : 2),
      largest_change_(jump_limit ? *jump_limit * micro_step : std::numeric_limits<double>::infinity()) {
  const Vector at_rest = resting_states(filter);
  if (solver == FilterSolver::euler) {
    step_ = Matrix::Identity(states_, states_) + micro_step * filter.A;
    change_ = -at_rest;
    before_ = Vector::Zero(states_);
  } else {
    const lti::PolynomialStep exact = lti::discretise(filter, micro_step, 2);
    step_ = exact.Ad;
    change_ = 0.5 * (exact.G[1] + exact.G[2]) - at_rest;
    before_ = 0.5 * (exact.G[1] - exact.G[2]);
  }
  read_ = filter.C.row(0).transpose();
  static_gain_ = filter.D(0, 0) + read_.dot(at_rest);
}

void Compensator::start(int ports, const double* outputs, double* rows) const {
  std::fill_n(rows + ports, states_ * ports, 0.0);
  for (int k = 0; k < past_; ++k) std::copy_n(outputs, ports, rows + (1 + states_ + k) * ports);
  send(ports, outputs, rows);
}

double Compensator::limited(double change) const { return std::clamp(change, -largest_change_, largest_change_); }

void Compensator::observe(int ports, const double* outputs, double* rows) const {
  std::array<double, most_filter_states> before{};
  for (int p = 0; p < ports; ++p) {
    double* const d = rows + ports + p;
    double* const past = rows + (1 + states_) * ports + p;
    const double change = limited(outputs[p] - past[0]), earlier = past_ > 1 ? limited(past[0] - past[ports]) : 0.0;
    for (int i = 0; i < states_; ++i) before[static_cast<std::size_t>(i)] = d[i * ports];
    for (int i = 0; i < states_; ++i) {
      double sum = change_(i) * change + before_(i) * earlier;
      for (int j = 0; j < states_; ++j) sum += step_(i, j) * before[static_cast<std::size_t>(j)];
      d[i * ports] = sum;
    }
    if (past_ > 1) past[ports] = past[0];
    past[0] = outputs[p];
  }
  send(ports, outputs, rows);
}

void Compensator::replace(int ports, const double* outputs, double* rows) const {
  for (int p = 0; p < ports; ++p) {
    double* const past = rows + (1 + states_) * ports + p;
    const double more =
        past_ > 1 ? limited(outputs[p] - past[ports]) - limited(past[0] - past[ports]) : outputs[p] - past[0];
    for (int i = 0; i < states_; ++i) rows[(1 + i) * ports + p] += change_(i) * more;
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
