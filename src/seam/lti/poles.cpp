#include "seam/lti/poles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/lti/balance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {

double frequency_of(std::complex<double> pole, TimeDomain domain) {
  return domain == TimeDomain::continuous ? std::abs(pole.imag()) : std::abs(std::arg(pole));
}

// Poles at rest (s = 0, z = 1) are taken out first: as Jordan chains, which free masses have, they would come out
// wrong by the root of the rounding.
WorstPole worst_pole(const Matrix& A, TimeDomain domain) {
  const auto n = A.rows();
  WorstPole worst;
  if (n == 0) return worst;
  const Matrix balanced = balance(A).matrix;
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(n);
  const bool continuous = domain == TimeDomain::continuous;
  const auto at_rest = deflate(balanced, continuous ? 0.0 : 1.0, static_cast<int>(n), 4.0 * rounding);
  const double size = std::max(at_rest.remainder.norm(), continuous ? 0.0 : 1.0);
  if (at_rest.removed > 0) worst.place = PolePlace::on_boundary;
  double furthest = at_rest.removed > 0 ? 0.0 : -std::numeric_limits<double>::infinity();
  for (const auto& pole : eigenvalues(at_rest.remainder)) {
    const double beyond = continuous ? pole.real() : std::abs(pole) - 1.0;
    if (beyond <= furthest) continue;
    furthest = beyond;
    const double unsure = 8.0 * rounding * size + 1e-13 * std::abs(pole);
    const PolePlace place = beyond > unsure     ? PolePlace::outside
                            : beyond >= -unsure ? PolePlace::on_boundary
                                                : PolePlace::inside;
    worst = {std::max(worst.place, place), frequency_of(pole, domain)};
  }
  return worst;
}

}  // namespace seam::lti
