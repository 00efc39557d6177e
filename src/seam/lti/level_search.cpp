#include "seam/lti/level_search.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

/// The points known so far, in the order of their frequencies.
class Points {
 public:
  explicit Points(const std::function<double(double)>& value) : value_(value) {}

  void add(std::vector<double> frequencies) {
    for (const double frequency : frequencies) points_.push_back({value_(frequency), frequency});
    std::sort(points_.begin(), points_.end(),
              [](const Extreme& a, const Extreme& b) { return a.frequency < b.frequency; });
  }

  Extreme highest() const {
    return *std::max_element(points_.begin(), points_.end(),
                             [](const Extreme& a, const Extreme& b) { return a.value < b.value; });
  }

  /// Climbs from the highest point between its neighbours, by golden section.
  void climb() {
    const Extreme top = highest();
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    for (const Extreme& point : points_) {
      if (point.frequency < top.frequency) low = point.frequency;
      if (point.frequency > top.frequency) high = std::min(high, point.frequency);
    }
    if (std::isinf(top.frequency) || std::isinf(high)) high = 2.0 * std::max(low, top.frequency);
    if (std::isinf(high) || !(high > low)) return;
    add({golden_section(low, high)});
  }

 private:
  double golden_section(double low, double high) const {
    const double ratio = 0.6180339887498949;
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = value_(left), at_right = value_(right);
    for (int i = 0; i < 90 && high - low > 1e-10 * high; ++i) {
      if (at_left > at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - ratio * (high - low);
        at_left = value_(left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + ratio * (high - low);
        at_right = value_(right);
      }
    }
    return at_left > at_right ? left : right;
  }

  const std::function<double(double)>& value_;
  std::vector<Extreme> points_;
};

std::vector<double> with_midpoints(std::vector<double> frequencies) {
  std::sort(frequencies.begin(), frequencies.end());
  const std::size_t count = frequencies.size();
  for (std::size_t i = 0; i + 1 < count; ++i) frequencies.push_back(0.5 * (frequencies[i] + frequencies[i + 1]));
  return frequencies;
}

}  // namespace

Extreme search_levels(const LevelSearch& search) {
  Points points(search.value);
  points.add(search.first);
  for (int round = 0; round < 50; ++round) {
    points.climb();
    const Extreme best = points.highest();
    if (std::isinf(best.value)) return best;
    const double level = best.value + std::max(search.relative * std::abs(best.value), search.absolute);
    points.add(with_midpoints(search.crossings(level)));
    if (points.highest().value <= level) break;
  }
  return points.highest();
}

std::vector<double> frequencies_of(const Matrix& hamiltonian) {
  std::vector<double> result;
  for (const auto& pole : eigenvalues(hamiltonian)) {
    if (pole.imag() >= 0.0) result.push_back(pole.imag());
  }
  return result;
}

StateSpace bilinear(const StateSpace& discrete) {
  const auto n = discrete.states();
  const Matrix identity = Matrix::Identity(n, n);
  const Eigen::PartialPivLU<Matrix> sum(discrete.A + identity);
  const Matrix inverse = sum.solve(identity);
  return {sum.solve(discrete.A - identity), std::sqrt(2.0) * sum.solve(discrete.B),
          std::sqrt(2.0) * discrete.C * inverse, discrete.D - discrete.C * sum.solve(discrete.B)};
}

}  // namespace seam::lti
