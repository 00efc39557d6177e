#include "seam/study/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/base/error.hpp"
#include "seam/study/value_template.hpp"

namespace seam::study {
namespace {

std::uint64_t joined(std::uint64_t before, std::uint64_t next) {
  return mixed(before + 0x9e3779b97f4a7c15ULL * (next + 1));
}

std::uint64_t number_of(const std::string& name) {
  std::uint64_t number = 0xcbf29ce484222325ULL;
  for (const char letter : name) number = (number ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return number;
}

/// Box and Muller: one of the two numbers, so that a draw needs nothing but its key.
double normal_number(const DrawKey& key, std::uint64_t attempt) {
  const double radius = std::sqrt(-2.0 * std::log(uniform_number(key, 2 * attempt)));
  return radius * std::cos(2.0 * std::numbers::pi * uniform_number(key, 2 * attempt + 1));
}

double one_draw(const Distribution& distribution, const DrawKey& key, std::uint64_t attempt) {
  const auto& [first, second] = std::pair(distribution.first, distribution.second);
  switch (distribution.kind) {
    case Distribution::Kind::uniform:
      return first + (second - first) * uniform_number(key, attempt);
    case Distribution::Kind::log_uniform:
      return first * std::exp(std::log(second / first) * uniform_number(key, attempt));
    case Distribution::Kind::normal:
      return first + second * normal_number(key, attempt);
    case Distribution::Kind::log_normal:
      return first * std::exp(second * normal_number(key, attempt));
    case Distribution::Kind::choice:
      break;
  }
  return 0.0;
}

double normal_share(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// The inverse. For shares up to 1/2 by Newton's method on log(share(x)), which is concave: from the left it rises to
/// the solution and never passes it. share(-r) < exp(-r^2/2), so that it begins on the left.
double normal_number_at(double share) {
  if (share > 0.5) return -normal_number_at(1.0 - share);
  double x = -std::sqrt(-2.0 * std::log(share));
  for (int i = 0; i < 50; ++i) {
    const double below = normal_share(x), density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double step = (std::log(share) - std::log(below)) * below / density;
    x += step;
    if (std::abs(step) <= 1e-15 * std::abs(x)) break;
  }
  return x;
}

/// Which share of all draws lies below a number, without `within`.
double share_below(const Distribution& distribution, double number) {
  const auto& [first, second] = std::pair(distribution.first, distribution.second);
  const auto between = [](double x, double low, double high) {
    return high > low ? std::clamp((x - low) / (high - low), 0.0, 1.0) : x >= low ? 1.0 : 0.0;
  };
  const auto logarithm = [](double x) { return x > 0.0 ? std::log(x) : -INFINITY; };
  switch (distribution.kind) {
    case Distribution::Kind::uniform:
      return between(number, first, second);
    case Distribution::Kind::log_uniform:
      return between(logarithm(number), std::log(first), std::log(second));
    case Distribution::Kind::normal:
      return normal_share((number - first) / second);
    case Distribution::Kind::log_normal:
      return normal_share((logarithm(number) - std::log(first)) / second);
    case Distribution::Kind::choice:
      break;
  }
  return 0.0;
}

[[noreturn]] void fail_outside(const std::string& what) {
  throw base::Error(base::Failure::subsystem, what + " lie outside of the limits");
}

}  // namespace

std::uint64_t mixed(std::uint64_t bits) {  // multiply and fold, three times
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

std::uint64_t random_bits(const DrawKey& key, std::uint64_t attempt) {
  return joined(joined(joined(joined(0, key.seed), key.sample), number_of(key.name)), attempt);
}

double uniform_number(const DrawKey& key, std::uint64_t attempt) {
  return (static_cast<double>(random_bits(key, attempt) >> 11) + 0.5) * 0x1p-53;
}

double draw_number(const Distribution& distribution, const DrawKey& key) {
  constexpr std::uint64_t most_attempts = 10'000;
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    const double number = one_draw(distribution, key, attempt);
    if (!distribution.within || (number >= distribution.within->first && number <= distribution.within->second))
      return number;
  }
  fail_outside(fmt::format("{} draws of \"{}\"", most_attempts, key.name));
}

double number_at(const Distribution& distribution, double share) {
  if (distribution.within) {
    const double low = share_below(distribution, distribution.within->first);
    const double high = share_below(distribution, distribution.within->second);
    if (!(low < high)) fail_outside("all draws");
    share = low + share * (high - low);
  }
  const auto& [first, second] = std::pair(distribution.first, distribution.second);
  switch (distribution.kind) {
    case Distribution::Kind::uniform:
      return first + (second - first) * share;
    case Distribution::Kind::log_uniform:
      return first * std::exp(std::log(second / first) * share);
    case Distribution::Kind::normal:
      return first + second * normal_number_at(share);
    case Distribution::Kind::log_normal:
      return first * std::exp(second * normal_number_at(share));
    case Distribution::Kind::choice:
      break;
  }
  return 0.0;
}

system::Value value_at(const Distribution& distribution, double share) {
  if (distribution.kind != Distribution::Kind::choice)
    return number_value(number_at(distribution, share), distribution.unit);
  const auto chosen = static_cast<std::size_t>(static_cast<double>(distribution.choices.size()) * share);
  return distribution.choices[std::min(chosen, distribution.choices.size() - 1)];
}

system::Value draw(const Distribution& distribution, const DrawKey& key) {
  if (distribution.kind == Distribution::Kind::choice) return value_at(distribution, uniform_number(key, 0));
  return number_value(draw_number(distribution, key), distribution.unit);
}

}  // namespace seam::study
