#include "seam/lti/norms.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/level_search.hpp"

namespace seam::lti {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// jw is an eigenvalue exactly where gamma is a singular value of G(jw), for gamma above the largest one of D.
std::vector<double> gain_crossings(const StateSpace& s, double gamma) {
  const auto n = s.states();
  const Matrix R = gamma * gamma * Matrix::Identity(s.inputs(), s.inputs()) - s.D.transpose() * s.D;
  const Eigen::LDLT<Matrix> solver(R);
  const Matrix inner = solver.solve(s.D.transpose() * s.C);
  Matrix H(2 * n, 2 * n);
  H.topLeftCorner(n, n) = s.A + s.B * inner;
  H.topRightCorner(n, n) = gamma * s.B * solver.solve(s.B.transpose());
  H.bottomLeftCorner(n, n) = -1.0 / gamma * s.C.transpose() * (s.C + s.D * inner);
  H.bottomRightCorner(n, n) = -H.topLeftCorner(n, n).transpose();
  return frequencies_of(H);
}

}  // namespace

PeakGain h_infinity_norm(const StateSpace& system, TimeDomain domain) {
  const FrequencyResponse response(system, domain);
  const StateSpace& balanced = response.balanced();
  const WorstPole worst = worst_pole(balanced.A, domain);
  if (system.D.size() == 0) return {0.0, 0.0, worst.place};
  if (worst.place != PolePlace::inside) return {infinity, worst.frequency, worst.place};

  if (balanced.B.isZero(0.0) || balanced.C.isZero(0.0))
    return {largest_singular_value(system.D.cast<Complex>()), 0.0, worst.place};
  const bool continuous = domain == TimeDomain::continuous;
  const StateSpace on_axis = continuous ? balanced : bilinear(balanced);
  LevelSearch search;
  search.value = [&](double frequency) { return largest_singular_value(response.at(frequency)); };
  search.crossings = [&](double level) {
    std::vector<double> frequencies = gain_crossings(on_axis, level);
    if (!continuous) {
      for (double& w : frequencies) w = 2.0 * std::atan(w);
    }
    return frequencies;
  };
  search.first = {0.0, continuous ? infinity : std::acos(-1.0)};
  for (const Complex& pole : eigenvalues(balanced.A)) {
    search.first.push_back(frequency_of(pole, domain));
    if (continuous) search.first.push_back(std::abs(pole));
  }
  // Far below the rounding of a gain; a level of less would overflow where nothing of B arrives at C.
  search.absolute = 1e-20 * balanced.B.norm() * balanced.C.norm() / std::max(balanced.A.norm(), 1e-300);
  const Extreme peak = search_levels(search);
  return {peak.value, peak.frequency, worst.place};
}

}  // namespace seam::lti
