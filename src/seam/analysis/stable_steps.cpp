#include "seam/analysis/stable_steps.hpp"

#include <algorithm>
#include <cmath>

namespace seam::analysis {
namespace {

struct Point {
  double step = 0.0;
  double excess = 0.0;  ///< radius - 1 + margin, less than 0: stable
  bool stable() const { return excess < 0.0; }
};

class Search {
 public:
  Search(const RadiusAt& radius, double resolution, double margin)
      : radius_(radius), resolution_(resolution), margin_(margin) {}

  Point at(double step) const {
    const auto radius = radius_(step);
    return {step, radius ? *radius - 1.0 + margin_ : std::numeric_limits<double>::infinity()};
  }

  /// The extremum of the excess between two neighbours of a point that is higher (sign 1) or lower (sign -1) than both:
  /// golden section, ended as soon as 1 is passed.
  Point extremum(const Point& left, const Point& middle, const Point& right, double sign) const {
    constexpr double golden = 0.3819660112501051;
    double low = std::log(left.step), high = std::log(right.step);
    Point best = middle;
    for (int i = 0; i < 16 && best.stable() == middle.stable(); ++i) {
      const double at_best = std::log(best.step);
      const bool upper = high - at_best > at_best - low;
      const Point tried =
          at(std::exp(upper ? at_best + golden * (high - at_best) : at_best - golden * (at_best - low)));
      if (sign * tried.excess > sign * best.excess) {
        (upper ? low : high) = at_best;
        best = tried;
      } else {
        (upper ? high : low) = std::log(tried.step);
      }
    }
    return best;
  }

  /// Between a stable and an unstable point: regula falsi, halved where it creeps (Illinois).
  double crossing(Point a, Point b) const {
    int side = 0;
    for (int i = 0; i < 100 && b.step - a.step > resolution_ * b.step; ++i) {
      const double fraction =
          std::isfinite(a.excess) && std::isfinite(b.excess) && i % 4 != 3 ? a.excess / (a.excess - b.excess) : 0.5;
      const Point middle = at(a.step + std::clamp(fraction, 1e-3, 1.0 - 1e-3) * (b.step - a.step));
      if (middle.stable() == a.stable()) {
        a = middle;
        if (side == -1) b.excess *= 0.5;
        side = -1;
      } else {
        b = middle;
        if (side == 1) a.excess *= 0.5;
        side = 1;
      }
    }
    return 0.5 * (a.step + b.step);
  }

 private:
  const RadiusAt& radius_;
  double resolution_, margin_;
};

/// Whether the excess is a power of the step, to 10 %, from one neighbour of a point to the other.
bool is_power_law(const std::vector<Point>& points, std::size_t i) {
  if (i == 0 || i + 1 == points.size()) return true;
  const double before = points[i - 1].excess / points[i].excess, after = points[i + 1].excess / points[i].excess;
  return before > 0.0 && after > 0.0 && std::abs(std::log(before * after)) < 0.1;
}

/// Ten points a decade, and as many as are asked for where the excess is no power of the step.
std::vector<Point> spread(const Search& search, const StepRange& range) {
  const int stride = std::max(1, range.points_a_decade / 10);
  const double wanted = range.points_a_decade * std::log10(range.to / range.from);
  const int parts = std::max(2, static_cast<int>(std::ceil(wanted / stride)));
  const auto at = [&](std::size_t part, int within) {
    const double fraction = (static_cast<double>(part) + static_cast<double>(within) / stride) / parts;
    return search.at(range.from * std::pow(range.to / range.from, fraction));
  };
  std::vector<Point> coarse, points;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(parts); ++i) coarse.push_back(at(i, 0));
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    points.push_back(coarse[i]);
    if (i + 1 == coarse.size() || (is_power_law(coarse, i) && is_power_law(coarse, i + 1))) continue;
    for (int within = 1; within < stride; ++within) points.push_back(at(i, within));
  }
  return points;
}

/// Points of the scan, with what is found between them.
std::vector<Point> scan(const Search& search, const StepRange& range) {
  std::vector<Point> points = spread(search, range);
  std::vector<Point> found;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Point &left = points[i - 1], &middle = points[i], &right = points[i + 1];
    if (left.stable() != middle.stable() || right.stable() != middle.stable()) continue;
    const double sign = middle.stable() ? 1.0 : -1.0;
    if (sign * middle.excess < sign * left.excess || sign * middle.excess < sign * right.excess) continue;
    const Point beyond = search.extremum(left, middle, right, sign);
    if (beyond.stable() != middle.stable()) found.push_back(beyond);
  }
  points.insert(points.end(), found.begin(), found.end());
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.step < b.step; });
  return points;
}

std::vector<Point> every_multiple(const Search& search, const StepRange& range) {
  std::vector<Point> points;
  const double last = std::floor(range.to / *range.unit * (1.0 + 1e-12));
  for (double m = std::max(1.0, std::ceil(range.from / *range.unit * (1.0 - 1e-12))); m <= last && points.size() < 400;
       m += 1.0)
    points.push_back(search.at(m * *range.unit));
  return points;
}

}  // namespace

std::optional<double> StableSteps::first_loss() const {
  if (intervals.empty() || intervals.front().from > examined.from) return std::nullopt;
  return intervals.front().to;
}

bool StableSteps::throughout() const {
  return intervals.size() == 1 && intervals.front().from <= examined.from && intervals.front().to >= examined.to;
}

StableSteps stable_steps(const RadiusAt& radius, const StepRange& range, double margin) {
  const Search search(radius, range.resolution, margin);
  const std::vector<Point> points = range.unit ? every_multiple(search, range) : scan(search, range);
  StableSteps result;
  result.examined = range;
  if (points.empty()) return result;
  result.examined.from = points.front().step;
  result.examined.to = points.back().step;
  const auto limit = [&](const Point& a, const Point& b) {
    if (range.unit) return a.stable() ? a.step : b.step;  // the last or first multiple that is stable
    return search.crossing(a, b);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].stable()) continue;
    const bool begins = i == 0 || !points[i - 1].stable(), ends = i + 1 == points.size() || !points[i + 1].stable();
    if (begins) result.intervals.push_back({i == 0 ? points[i].step : limit(points[i - 1], points[i]), 0.0});
    if (ends) result.intervals.back().to = i + 1 == points.size() ? points[i].step : limit(points[i], points[i + 1]);
  }
  return result;
}

}  // namespace seam::analysis
