#include "seam/lti/passivity.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/level_search.hpp"

namespace seam::lti {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double relative_shift = 1e-8;
/// Rounding of G + G^H, relative to G.
constexpr double rounding = 1e-11;

/// jw is an eigenvalue exactly where `least` is an eigenvalue of G(jw) + G(jw)^H, for `least` below those of D + D^T.
std::vector<double> crossings(const StateSpace& s, double least) {
  const auto n = s.states();
  const Matrix R = s.D + s.D.transpose() - least * Matrix::Identity(s.inputs(), s.inputs());
  const Eigen::PartialPivLU<Matrix> solver(R);
  const Matrix inner = solver.solve(s.C);
  const double size = std::max(R.norm(), std::numeric_limits<double>::min());
  Matrix H(2 * n, 2 * n);
  H.topLeftCorner(n, n) = s.A - s.B * inner;
  H.topRightCorner(n, n) = size * s.B * solver.solve(s.B.transpose());
  H.bottomLeftCorner(n, n) = -1.0 / size * s.C.transpose() * inner;
  H.bottomRightCorner(n, n) = -H.topLeftCorner(n, n).transpose();
  return frequencies_of(H);
}

/// G on an axis that lies a little outside: G(s + shift), or G((1 + shift) z).
StateSpace move_out(const StateSpace& system, TimeDomain domain, double shift) {
  StateSpace result = system;
  if (domain == TimeDomain::continuous) {
    result.A.diagonal().array() -= shift;
  } else {
    result.A /= 1.0 + shift;
    result.B /= 1.0 + shift;
  }
  return result;
}

double shift_for(const Matrix& A, TimeDomain domain) {
  if (domain == TimeDomain::discrete) return relative_shift;
  const double size = spectral_radius(A);
  return relative_shift * (size > 0.0 ? size : 1.0);
}

std::vector<double> first_points(const Matrix& A, TimeDomain domain) {
  std::vector<double> points{0.0, domain == TimeDomain::continuous ? infinity : std::acos(-1.0)};
  for (const Complex& pole : eigenvalues(A)) {
    points.push_back(frequency_of(pole, domain));
    if (domain == TimeDomain::continuous) points.push_back(std::abs(pole));
  }
  return points;
}

/// The smallest gain that is not 0, so that a level beside the extreme is not drowned by a resonance.
double smallest_gain(const FrequencyResponse& response, const std::vector<double>& frequencies) {
  double smallest = infinity;
  for (const double frequency : frequencies) {
    const double gain = largest_singular_value(response.at(frequency));
    if (gain > 0.0) smallest = std::min(smallest, gain);
  }
  return std::isinf(smallest) ? 1.0 : smallest;
}

}  // namespace

Passivity passivity(const StateSpace& system, TimeDomain domain) {
  if (system.inputs() != system.outputs()) {
    throw base::Error(base::Failure::internal, "passivity needs as many inputs as outputs");
  }
  Passivity result;
  const StateSpace scaled = FrequencyResponse(system, domain).balanced();
  const WorstPole worst = worst_pole(scaled.A, domain);
  if (worst.place == PolePlace::outside) return {Passivity::Verdict::unstable, -infinity, worst.frequency, 0.0};
  if (worst.place == PolePlace::on_boundary) result.shift = shift_for(scaled.A, domain);
  const FrequencyResponse response(move_out(scaled, domain, result.shift), domain);
  const bool continuous = domain == TimeDomain::continuous;
  const StateSpace on_axis = continuous ? response.balanced() : bilinear(response.balanced());

  LevelSearch search;
  search.first = first_points(response.balanced().A, domain);
  search.value = [&](double frequency) { return -smallest_real_part(response.at(frequency)); };
  search.crossings = [&](double level) {
    std::vector<double> frequencies = crossings(on_axis, -level);
    if (!continuous) {
      for (double& w : frequencies) w = 2.0 * std::atan(w);
    }
    return frequencies;
  };
  search.absolute = rounding * smallest_gain(response, search.first);

  const Extreme found = search_levels(search);
  result.least = -found.value;
  result.frequency = found.frequency;
  const double allowed = rounding * largest_singular_value(response.at(found.frequency));
  if (result.least < -allowed) result.verdict = Passivity::Verdict::lost;
  return result;
}

}  // namespace seam::lti
