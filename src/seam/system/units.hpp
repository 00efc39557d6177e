// Units as people write them: N.m, km/h, rad/s, m2, s-1, degC. value in SI base units = factor * value + offset.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace seam::system {

struct Unit {
  static constexpr std::size_t radian = 7;  ///< its place among the exponents

  std::array<int, 8> exponents{};  ///< of kg m s A K mol cd rad
  double factor = 1.0;
  double offset = 0.0;
  int cycles = 0;  ///< exponent of the full turn that Hz counts: 1 Hz is 1/s, but never 1 rad/s
};

/// Products by `.`, `*` or `·`, quotients by `/`, exponents as `m2`, `m^2`, `s-1`, parentheses, `1`.
/// None if a symbol is not known, or if the text can be read in two ways: `J/kg.K` must be `J/(kg.K)`.
/// An offset (degC, degF) counts only where the unit stands alone; in W/degC it is a difference of temperatures.
std::optional<Unit> parse_unit(std::string_view text);

/// The radian counts as 1, so rad/s and 1/s are of one dimension; rad/s and Hz are not.
bool same_dimension(const Unit& a, const Unit& b);

/// Whether both mean the same: dimension, and factor and offset to the digits that people write. What Hz counts is left
/// out, since definitions by base units cannot say it.
bool same_meaning(const Unit& a, const Unit& b);

/// value in `to` = gain * value in `from` + offset; the dimensions must be the same.
struct Conversion {
  double gain = 1.0;
  double offset = 0.0;
};
Conversion conversion(const Unit& from, const Unit& to);
double convert(double value, const Unit& from, const Unit& to);

inline const Unit second{{0, 0, 1, 0, 0, 0, 0, 0}, 1.0, 0.0, 0};

}  // namespace seam::system
