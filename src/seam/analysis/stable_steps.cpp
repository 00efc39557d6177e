#include "seam/analysis/stable_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/analysis/moving_modes.hpp"

namespace seam::analysis {
namespace {

struct Point {
  double step = 0.0;
  double excess = 0.0;  ///< radius - 1 + margin, less than 0: stable
  bool stable() const { return excess < 0.0; }
};

class Search {
 public:
  Search(const ModesAt& modes, double resolution, double margin)
      : modes_(modes), resolution_(resolution), margin_(margin) {}

  std::optional<StepModes> modes(double step) const {
    ++looks_;
    return modes_(step);
  }
  Point at(double step) const { return point(step, modes(step)); }
  Point point(double step, const std::optional<StepModes>& modes) const {
    return {step, modes ? modes->radius - 1.0 + margin_ : std::numeric_limits<double>::infinity()};
  }
  /// How often modes were asked for.
  int looks() const { return looks_; }

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
  const ModesAt& modes_;
  double resolution_, margin_;
  mutable int looks_ = 0;
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

/// Looks for gaps in intervals, from the smallest step on, until so many looks are taken.
class GapSearch {
 public:
  GapSearch(const Search& search, int looks) : search_(search), last_look_(search.looks() + looks) {}

  /// The scan has been at `points`. False if the looks did not suffice.
  bool operator()(const StableSteps::Interval& interval, const std::vector<Point>& points) {
    left_.push_back(interval);
    auto before = known_beside(interval.from, 1.0);
    if (!before) return false;
    for (const Point& point : points) {
      if (point.step < longest_stretch * before->step || point.step >= inside(interval.to, -1.0)) continue;
      if (!go_on(*before, known_at(point.step, -1.0))) return false;
    }
    return go_on(*before, known_beside(interval.to, -1.0));
  }

  /// What is left of the intervals.
  const std::vector<StableSteps::Interval>& left() const { return left_; }
  double searched_to() const { return searched_to_; }

 private:
  /// Parts of a step: where rates are differences, and what is not divided any more.
  static constexpr double apart = 1e-6, finest = 1e-3;
  /// From one stop to the next, where modes move so little that it need not be divided.
  static constexpr double longest_stretch = 1.5;

  /// Beside a gap modes have left each other at once: their rates have no limit there.
  static double inside(double end, double direction) { return end * (1.0 + 200.0 * direction * apart); }

  std::optional<MovingModes> known_at(double step, double direction) const {
    if (search_.looks() >= last_look_) return std::nullopt;
    const double away = direction * apart * step;
    const auto here = search_.modes(step), there = search_.modes(step + away);
    return here && there ? moving_modes(step, *here, away, *there) : std::nullopt;
  }
  std::optional<MovingModes> known_beside(double end, double direction) const {
    return known_at(inside(end, direction), direction);
  }

  /// Somewhere on the way to larger steps.
  struct Stop {
    MovingModes modes;
    bool behind_gap = false;  ///< the stretch before it is not searched
  };

  /// Searches from `before` to a further step, which takes its place.
  bool go_on(MovingModes& before, std::optional<MovingModes> next) {
    std::vector<Stop> ahead;  // the nearest last
    if (next) ahead.push_back({*std::move(next)});
    bool known = !ahead.empty();
    while (known && !ahead.empty()) {
      const std::vector<double> steps =
          ahead.back().behind_gap ? std::vector<double>{} : steps_to_look_at(before, ahead.back().modes);
      if (steps.empty()) {
        before = std::move(ahead.back().modes);
        ahead.pop_back();
      } else {
        known = look_at(steps, before, ahead);
      }
    }
    searched_to_ = before.step;
    return known;
  }

  static std::vector<double> steps_to_look_at(const MovingModes& a, const MovingModes& b) {
    const double length = b.step - a.step;
    if (length <= finest * b.step) return {};
    PeakForecast forecast = peaks_between(a, b);
    if (forecast.parts == 1) {
      constexpr double beside = 0.01;  // too near to an end that is known
      std::erase_if(forecast.steps,
                    [&](double step) { return step < a.step + beside * length || step > b.step - beside * length; });
      return forecast.steps;
    }
    const int parts = std::min(forecast.parts, static_cast<int>(std::ceil(length / (finest * b.step))));
    std::vector<double> steps;
    for (int i = 1; i < parts; ++i) steps.push_back(a.step + i * length / parts);
    return steps;
  }

  /// Puts these steps in between. False if not all can be known.
  bool look_at(const std::vector<double>& steps, const MovingModes& before, std::vector<Stop>& ahead) {
    std::vector<Stop> between;
    bool known = true;
    const auto add = [&](std::optional<MovingModes> modes, bool behind_gap) {
      known = known && modes;
      if (modes) between.push_back({*std::move(modes), behind_gap});
    };
    Point last = known_point(before);
    StableSteps::Interval gap;
    const auto pass = [&](const Point& point) {
      if (last.stable() && !point.stable()) add(known_beside(gap.from = search_.crossing(last, point), -1.0), false);
      if (!last.stable() && point.stable()) {
        add(known_beside(gap.to = search_.crossing(last, point), 1.0), true);
        take_out(gap);
      }
      last = point;
    };
    for (const double step : steps) {
      auto modes = known_at(step * (1.0 + 20.0 * apart), -1.0);  // where modes meet none has a rate
      known = known && modes;
      if (!known) break;
      pass(known_point(*modes));
      if (last.stable()) add(std::move(modes), false);
    }
    pass(known_point(ahead.back().modes));
    ahead.insert(ahead.end(), std::make_move_iterator(between.rbegin()), std::make_move_iterator(between.rend()));
    return known;
  }

  Point known_point(const MovingModes& modes) const { return search_.point(modes.step, StepModes(modes.radius)); }

  void take_out(const StableSteps::Interval& gap) {
    const auto whole = std::find_if(left_.begin(), left_.end(), [&](const auto& one) { return one.to > gap.from; });
    const StableSteps::Interval above{gap.to, whole->to};
    whole->to = gap.from;
    left_.insert(std::next(whole), above);
  }

  const Search& search_;
  int last_look_;
  std::vector<StableSteps::Interval> left_;
  double searched_to_ = 0.0;
};

/// Takes out of the intervals what the scan has missed.
void search_for_gaps(const Search& search, const std::vector<Point>& points, StableSteps& steps) {
  GapSearch gaps(search, steps.examined.gap_looks);
  std::size_t done = 0;
  bool suffices = true;
  while (suffices && done < steps.intervals.size()) suffices = gaps(steps.intervals[done++], points);
  if (suffices || gaps.searched_to() > 0.0) steps.searched_to = suffices ? steps.examined.to : gaps.searched_to();
  std::vector<StableSteps::Interval> left = gaps.left();
  left.insert(left.end(), steps.intervals.begin() + static_cast<std::ptrdiff_t>(done), steps.intervals.end());
  steps.intervals = std::move(left);
}

}  // namespace

std::optional<double> StableSteps::first_loss() const {
  if (intervals.empty() || intervals.front().from > examined.from) return std::nullopt;
  return intervals.front().to;
}

bool StableSteps::throughout() const {
  return intervals.size() == 1 && intervals.front().from <= examined.from && intervals.front().to >= examined.to;
}

StableSteps stable_steps(const ModesAt& modes, const StepRange& range, double margin) {
  const Search search(modes, range.resolution, margin);
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
  if (range.unit) {
    result.searched_to = result.examined.to;
  } else if (range.gap_looks > 0) {
    search_for_gaps(search, points, result);
  }
  return result;
}

}  // namespace seam::analysis
