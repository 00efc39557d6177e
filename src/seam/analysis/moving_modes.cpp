#include "seam/analysis/moving_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace seam::analysis {
namespace {

/// Smaller eigenvalues make no narrow peak: what they do to others is as wide as they are far from the unit circle.
constexpr double near_circle = 0.7;
/// Two phases that move further apart are not followed.
constexpr double furthest_apart = 2.0;  // rad
/// By how much what both ends tell of the middle may differ.
constexpr double most_doubt = 0.2;

constexpr double tiny = std::numeric_limits<double>::min();
constexpr double full_turn = 2.0 * std::numbers::pi;

double wrapped(double angle) { return angle - full_turn * std::round(angle / full_turn); }
Complex wrapped(Complex log) { return {log.real(), wrapped(log.imag())}; }

/// The cubic with these values and slopes at both ends of [0, 1] (Hermite).
template <class Number>
struct Cubic {
  Number left, left_slope, right, right_slope;
  /// By how much what both ends tell of the middle by a parabola differs.
  double doubt() const { return std::abs(left - right + 0.5 * (left_slope + right_slope)); }
  Number operator()(double t) const {
    const double u = 1.0 - t;
    return u * u * ((1.0 + 2.0 * t) * left + t * left_slope) + t * t * ((1.0 + 2.0 * u) * right - u * right_slope);
  }
};

/// A mode at both ends of a stretch of length 1; the imaginary part of b.log goes on from that of a.log.
struct Followed {
  MovingMode a, b;
};

struct Pairing {
  std::size_t a = 0, b = 0;
  double doubt = 0.0;
};

/// The ways to pair modes of both ends, the surest first.
std::vector<Pairing> pairings(const MovingModes& a, const MovingModes& b) {
  const double half = 0.5 * (b.step - a.step);
  std::vector<Pairing> all;
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    for (std::size_t j = 0; j < b.modes.size(); ++j) {
      const Complex middle_of_a = a.modes[i].log + half * a.modes[i].rate;
      const Complex middle_of_b = b.modes[j].log - half * b.modes[j].rate;
      const double doubt = std::abs(wrapped(middle_of_a - middle_of_b));
      if (doubt <= most_doubt) all.push_back({i, j, doubt});
    }
  }
  std::sort(all.begin(), all.end(), [](const Pairing& x, const Pairing& y) { return x.doubt < y.doubt; });
  return all;
}

Followed follow(const MovingMode& a, const MovingMode& b, double length) {
  const Complex advance = 0.5 * length * (a.rate + b.rate);
  const double phase = a.log.imag() + advance.imag();
  const double end = phase + wrapped(b.log.imag() - phase);
  return {{a.log, length * a.rate}, {{b.log.real(), end}, length * b.rate}};
}

/// None if a mode that matters has no counterpart.
std::optional<std::vector<Followed>> followed(const MovingModes& a, const MovingModes& b) {
  std::vector<bool> taken_a(a.modes.size()), taken_b(b.modes.size());
  std::vector<Followed> result;
  for (const Pairing& pairing : pairings(a, b)) {
    if (taken_a[pairing.a] || taken_b[pairing.b]) continue;
    taken_a[pairing.a] = taken_b[pairing.b] = true;
    result.push_back(follow(a.modes[pairing.a], b.modes[pairing.b], b.step - a.step));
  }
  const auto lost = [](const MovingModes& modes, const std::vector<bool>& taken) {
    const double matters = 0.5 * std::log(near_circle);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (!taken[i] && modes.modes[i].log.real() > matters) return true;
    }
    return false;
  };
  if (lost(a, taken_a) || lost(b, taken_b)) return std::nullopt;
  return result;
}

/// How large the error of a cubic can be, by its largest.
constexpr double part_of_doubt = 0.25;
double bell(double t) { return 16.0 * t * t * (1.0 - t) * (1.0 - t); }

struct Top {
  double at = 0.0;      ///< within [0, 1]
  double height = 0.0;  ///< log of the radius at most
};

constexpr int looked_at = 32;

template <class Height>
Top highest(const Height& height) {
  Top best{0.0, -1.0};
  for (int i = 1; i < looked_at; ++i) {
    const double t = static_cast<double>(i) / looked_at, here = height(t);
    if (i == 1 || here > best.height) best = {t, here};
  }
  double low = best.at - 1.0 / looked_at, high = best.at + 1.0 / looked_at;
  for (int i = 0; i < 12; ++i) {  // thirds
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    const bool rises = height(left) < height(right);
    (rises ? low : high) = rises ? left : right;
  }
  const double middle = 0.5 * (low + high), there = height(middle);
  return there > best.height ? Top{middle, there} : best;
}

Top top_of(const Followed& mode) {
  const Cubic<double> growth{mode.a.log.real(), mode.a.rate.real(), mode.b.log.real(), mode.b.rate.real()};
  const double doubt = growth.doubt();
  return highest([&](double t) { return growth(t) + doubt * bell(t); });
}

/// Two modes whose phases differ by 2 pi `turns` somewhere near. Where they meet, log z = m +- sqrt(q) with smooth m
/// and q: far away q is the square of a straight line, and what is added to it is the strength of their coupling.
/// `apart`: of the two lengths at each end that rates are differences from.
Top top_of(const Followed& one, const Followed& other, double turns, std::pair<double, double> apart) {
  const Complex shift{0.0, full_turn * turns};
  const Complex x_a = 0.5 * (one.a.log - other.a.log - shift), x_b = 0.5 * (one.b.log - other.b.log - shift);
  const Complex v_a = 0.5 * (one.a.rate - other.a.rate), v_b = 0.5 * (one.b.rate - other.b.rate);
  // of a difference: at a meeting the rates have no limit, but the square has
  const Cubic<Complex> q{x_a * x_a, v_a * (2.0 * x_a + apart.first * v_a), x_b * x_b,
                         v_b * (2.0 * x_b + apart.second * v_b)};
  const auto mean = [](Complex u, Complex v) { return 0.5 * (u + v).real(); };
  const Cubic<double> m{mean(one.a.log, other.a.log), mean(one.a.rate, other.a.rate), mean(one.b.log, other.b.log),
                        mean(one.b.rate, other.b.rate)};
  const double doubt_of_m = part_of_doubt * m.doubt(), doubt_of_q = part_of_doubt * q.doubt();
  return highest([&](double t) {
    const Complex square = q(t);
    const double size = std::abs(square), unsure = doubt_of_q * bell(t);
    const double split = std::sqrt(std::max(0.5 * (size + square.real()), 0.0));
    return m(t) + doubt_of_m * bell(t) + split + unsure / (std::sqrt(size) + std::sqrt(unsure) + tiny);
  });
}

/// The differences of two phases that occur within a stretch or, going on from one of its ends as there, would occur:
/// two that meet in it may turn back.
std::pair<double, double> turns_between(const Followed& one, const Followed& other) {
  const double from = (one.a.log - other.a.log).imag(), to = (one.b.log - other.b.log).imag();
  const auto limited = [](double rate) { return std::clamp(rate, -furthest_apart, furthest_apart); };
  const double ahead = from + limited((one.a.rate - other.a.rate).imag());
  const double back = to - limited((one.b.rate - other.b.rate).imag());
  const auto [low, high] = std::minmax({from, to, ahead, back});
  return {low / full_turn, high / full_turn};
}

bool is_mirrored(const Followed& mode) { return mode.a.log.imag() < 0.0; }

/// Into how many parts so much motion has to be divided.
int parts_for(double motion) { return static_cast<int>(std::ceil(std::abs(motion) / furthest_apart)); }

}  // namespace

std::optional<MovingModes> moving_modes(double step, const StepModes& here, double apart, const StepModes& there) {
  if (here.eigenvalues.empty() || there.eigenvalues.empty()) return std::nullopt;
  MovingModes result{step, here.radius, apart};
  std::vector<bool> taken(there.eigenvalues.size());
  for (const Complex& z : here.eigenvalues) {
    if (std::abs(z) < near_circle) break;
    std::size_t nearest = taken.size();
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i]) continue;
      if (nearest == taken.size() || std::abs(there.eigenvalues[i] - z) < std::abs(there.eigenvalues[nearest] - z))
        nearest = i;
    }
    if (nearest == taken.size() || there.eigenvalues[nearest] == Complex{}) continue;
    taken[nearest] = true;
    result.modes.push_back({std::log(z), wrapped(std::log(there.eigenvalues[nearest]) - std::log(z)) / apart});
  }
  return result;
}

PeakForecast peaks_between(const MovingModes& a, const MovingModes& b) {
  PeakForecast forecast;
  const auto modes = followed(a, b);
  if (!modes) return {2, {}};
  const double length = b.step - a.step;
  const auto take = [&](const Top& peak) {
    if (peak.height > 0.0) forecast.steps.push_back(a.step + peak.at * length);
  };
  std::vector<bool> meets(modes->size());
  for (std::size_t i = 0; i < modes->size(); ++i) {
    const Followed& one = (*modes)[i];
    for (std::size_t j = 0; j < modes->size(); ++j) {
      const Followed& other = (*modes)[j];
      if (i == j || is_mirrored(one) || (j < i && !is_mirrored(other))) continue;
      forecast.parts = std::max(forecast.parts, parts_for((one.b.log - other.b.log - one.a.log + other.a.log).imag()));
      const auto [low, high] = turns_between(one, other);
      for (double turns = std::ceil(low); turns <= high; turns += 1.0) {
        take(top_of(one, other, turns, {a.apart / length, b.apart / length}));
        meets[i] = meets[j] = true;
      }
    }
  }
  for (std::size_t i = 0; i < modes->size(); ++i) {
    if (!meets[i] && !is_mirrored((*modes)[i])) take(top_of((*modes)[i]));
  }
  std::sort(forecast.steps.begin(), forecast.steps.end());
  constexpr double same_place = 1e-3;
  const auto repeated = std::unique(forecast.steps.begin(), forecast.steps.end(),
                                    [&](double x, double y) { return y - x < same_place * length; });
  forecast.steps.erase(repeated, forecast.steps.end());
  return forecast;
}

}  // namespace seam::analysis
