#include "seam/study/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/base/error.hpp"
#include "seam/study/value_template.hpp"

namespace seam::study {
namespace {

/// A bijection of 64 bits in which every bit of the input moves half of the output (multiply and fold, three times).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

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

}  // namespace

double uniform_number(const DrawKey& key, std::uint64_t attempt) {
  const std::uint64_t bits = joined(joined(joined(joined(0, key.seed), key.sample), number_of(key.name)), attempt);
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
}

double draw_number(const Distribution& distribution, const DrawKey& key) {
  constexpr std::uint64_t most_attempts = 10'000;
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    const double number = one_draw(distribution, key, attempt);
    if (!distribution.within || (number >= distribution.within->first && number <= distribution.within->second))
      return number;
  }
  throw base::Error(base::Failure::subsystem,
                    fmt::format("{} draws of \"{}\" lie outside of its limits", most_attempts, key.name));
}

system::Value draw(const Distribution& distribution, const DrawKey& key) {
  if (distribution.kind == Distribution::Kind::choice) {
    const auto count = static_cast<double>(distribution.choices.size());
    const auto chosen = static_cast<std::size_t>(count * uniform_number(key, 0));
    return distribution.choices[std::min(chosen, distribution.choices.size() - 1)];
  }
  return number_value(draw_number(distribution, key), distribution.unit);
}

}  // namespace seam::study
