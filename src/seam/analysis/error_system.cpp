#include "seam/analysis/error_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seam::analysis {
namespace {

using lti::Complex;
using lti::Rational;
using std::numbers::pi;

Rational series(const Rational& a, const Rational& b) {
  return {lti::product(a.numerator, b.numerator), lti::product(a.denominator, b.denominator)};
}

Complex value_at(const Rational& function, Complex p) {
  return lti::value_at(function.numerator, p) / lti::value_at(function.denominator, p);
}

/// Wf (D - N)/D for K1 K2 H* = N/D. Low powers of D - N nearly cancel; they are subtracted as they are, so that
/// nothing else is lost.
Rational weighted_error_function(const ErrorSystem& system, const Compensator& compensator) {
  const Rational path = series(transfer_function(compensator), path_behind_sampler(system));
  return series(low_pass(system.weight), {lti::difference(path.denominator, path.numerator), path.denominator});
}

}  // namespace

double proposed_weight_cutoff(int order) { return order == 1 ? 0.01 : order == 2 ? 0.03 : 0.06; }

Rational low_pass(const Filter& filter) {
  lti::Coefficients denominator = lti::butterworth(filter.order);
  double scale = 1.0;
  for (double& b : denominator) {
    b /= scale;
    scale *= 2.0 * pi * filter.cutoff;
  }
  return {{1.0}, denominator};
}

Rational hold_approximation(HoldOrder order) {
  const Rational held{{12.0}, {12.0, 6.0, 1.0}};
  if (order == HoldOrder::zero) return held;
  if (order == HoldOrder::first) return series({{1.0, 1.0}, {1.0}}, series(held, held));
  return series({{1.0, 1.5, 1.0}, {1.0}}, series(held, series(held, held)));
}

Rational path_behind_sampler(const ErrorSystem& system) {
  return series(low_pass(system.smoother), hold_approximation(system.hold));
}

Rational transfer_function(const Compensator& compensator) {
  Rational result{lti::from_roots(compensator.zeros), lti::from_roots(compensator.poles)};
  for (double& n : result.numerator) n *= compensator.gain;
  return result;
}

lti::PeakGain weighted_error(const ErrorSystem& system, const Compensator& compensator) {
  return lti::h_infinity_norm(lti::realise(weighted_error_function(system, compensator)), lti::TimeDomain::continuous);
}

double error_at(const ErrorSystem& system, const Compensator& compensator, double frequency) {
  const Complex p(0.0, 2.0 * pi * frequency);
  return std::abs(1.0 - value_at(transfer_function(compensator), p) * value_at(path_behind_sampler(system), p));
}

CompensatorReport describe(const ErrorSystem& system, const Compensator& compensator, double micro_steps) {
  CompensatorReport report;
  report.error = weighted_error(system, compensator);
  const Rational function = transfer_function(compensator);
  report.at_rest = value_at(function, 0.0).real();
  report.at_jumps = compensator.zeros.size() == compensator.poles.size() ? compensator.gain : 0.0;
  for (const Complex& pole : compensator.poles)
    report.worst_pole = std::max(report.worst_pole, std::abs(1.0 + pole / micro_steps));
  constexpr int points = 200;
  const Rational error = weighted_error_function(system, compensator);
  report.flatness = 1.0;
  for (int i = 0; i <= points; ++i) {
    const double share = static_cast<double>(i) / points;
    const double w = 2.0 * pi * std::pow(system.weight.cutoff, 1.0 - share) * std::pow(0.5, share);
    report.flatness = std::min(report.flatness, std::abs(value_at(error, {0.0, w})) / report.error.norm);
  }
  return report;
}

}  // namespace seam::analysis
