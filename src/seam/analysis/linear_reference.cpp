#include "seam/analysis/linear_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "seam/lti/solve.hpp"

namespace seam::analysis {
namespace {

// With 32 parts a period the polynomial of degree 6 is off by 3e-13 of the amplitude.
constexpr int signal_degree = 6;
constexpr double parts_a_period = 32.0;

/// The inverse of the Vandermonde matrix of the points.
lti::Matrix coefficients_from_values(const std::vector<double>& points) {
  const auto count = static_cast<Eigen::Index>(points.size());
  lti::Matrix powers(count, count), inverse(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j)
      powers(i, j) = std::pow(points[static_cast<std::size_t>(i)], static_cast<double>(j));
  }
  for (Eigen::Index i = 0; i < count; ++i) inverse.col(i) = *lti::solve(powers, lti::Vector::Unit(count, i));
  return inverse;
}

}  // namespace

LinearReference::LinearReference(const assembly::Assembly& assembly, Interconnection wiring, lti::StateSpace system,
                                 lti::Vector x0, double t0)
    : assembly_(assembly), wiring_(std::move(wiring)), system_(std::move(system)), x_(std::move(x0)), t_(t0) {
  degree_ = wiring_.signals.empty() ? 0 : signal_degree;
  for (const assembly::Drive& drive : wiring_.signals) rate_ = std::max(rate_, drive.signal->rate());
  for (int i = 0; i <= degree_; ++i) {
    points_.push_back(0.5 - 0.5 * std::cos(std::numbers::pi * (2 * i + 1) / (2 * (degree_ + 1))));
  }
  to_coefficients_ = coefficients_from_values(points_);
  for (const assembly::Member& member : assembly_.members) {
    ports_.inputs.emplace_back(member.inputs.size());
    ports_.outputs.emplace_back(member.outputs.size());
  }
  write_ports();
}

/// w: the known signals, then the 1 that carries constants.
lti::Vector LinearReference::signals_at(double t) const {
  lti::Vector w(system_.inputs());
  for (std::size_t i = 0; i < wiring_.signals.size(); ++i) {
    const assembly::Drive& drive = wiring_.signals[i];
    w(static_cast<Eigen::Index>(i)) = drive.factor * drive.signal->at(t) + drive.offset;
  }
  w(w.size() - 1) = 1.0;
  return w;
}

const LinearReference::Step& LinearReference::step_of(double length) {
  for (const Step& known : steps_) {
    if (std::abs(known.length - length) <= 1e-12 * length) return known;
  }
  constexpr std::size_t most = 8;  // the grid's own step and a few beside corners
  if (steps_.size() >= most) steps_.pop_back();
  steps_.push_back({length, lti::discretise(system_, length, degree_)});
  return steps_.back();
}

/// No signal has a corner inside.
void LinearReference::advance_smooth(double from, double to) {
  const int parts = static_cast<int>(std::clamp(std::ceil(parts_a_period * rate_ * (to - from)), 1.0, 1e8));
  const Step& step = step_of((to - from) / parts);
  lti::Matrix values(static_cast<Eigen::Index>(points_.size()), system_.inputs());
  for (int part = 0; part < parts; ++part) {
    const double begin = from + (to - from) * part / parts;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      values.row(static_cast<Eigen::Index>(i)) = signals_at(begin + points_[i] * step.length).transpose();
    }
    const lti::Matrix coefficients = to_coefficients_ * values;
    lti::Vector next = step.exact.Ad * x_;
    for (int j = 0; j <= degree_; ++j)
      next += step.exact.G[static_cast<std::size_t>(j)] * coefficients.row(j).transpose();
    x_ = next;
  }
}

void LinearReference::advance_to(double t) {
  const double tiny = 1e-12 * std::max(std::abs(t), t - t_);
  while (t - t_ > tiny) {
    double corner = std::numeric_limits<double>::infinity();
    for (const assembly::Drive& drive : wiring_.signals)
      corner = std::min(corner, drive.signal->next_corner(t_ + tiny));
    const double until = corner < t - tiny ? corner : t;
    advance_smooth(t_, until);
    t_ = until;
  }
  t_ = t;
  write_ports();
}

void LinearReference::write_ports() {
  const lti::Vector w = signals_at(t_);
  const lti::Vector y = system_.C * x_ + system_.D * w;
  const lti::Vector u = wiring_.K * y + wiring_.E * w.head(wiring_.E.cols()) + wiring_.constant;
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    const assembly::Member& member = assembly_.members[m];
    for (std::size_t i = 0; i < member.inputs.size(); ++i)
      ports_.inputs[m][i] = u(wiring_.first_input[m] + static_cast<int>(i));
    for (std::size_t i = 0; i < member.outputs.size(); ++i) {
      ports_.outputs[m][i] =
          member.signals.empty() ? y(wiring_.first_output[m] + static_cast<int>(i)) : member.signals[i]->at(t_);
    }
  }
}

}  // namespace seam::analysis
