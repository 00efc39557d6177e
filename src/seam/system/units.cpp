#include "seam/system/units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace seam::system {
namespace {

enum class Prefixes { none, si };

struct Symbol {
  std::string_view name;
  Unit unit;
  Prefixes prefixes = Prefixes::si;
};

constexpr double pi = std::numbers::pi;
using P = Prefixes;

// Exponents in the order kg m s A K mol cd rad. The whole symbol is looked up before a prefix is split off,
// so min, Pa, cd, ft and T are what they look like.
const Symbol symbols[] = {
    {"1", {}, P::none},
    {"%", {{}, 0.01}, P::none},
    {"kg", {{1}}, P::none},
    {"g", {{1}, 1e-3}},
    {"t", {{1}, 1e3}, P::none},
    {"lb", {{1}, 0.45359237}, P::none},
    {"m", {{0, 1}}},
    {"in", {{0, 1}, 0.0254}, P::none},
    {"ft", {{0, 1}, 0.3048}, P::none},
    {"L", {{0, 3}, 1e-3}},
    {"l", {{0, 3}, 1e-3}},
    {"s", {{0, 0, 1}}},
    {"min", {{0, 0, 1}, 60.0}, P::none},
    {"h", {{0, 0, 1}, 3600.0}, P::none},
    {"d", {{0, 0, 1}, 86400.0}, P::none},
    {"A", {{0, 0, 0, 1}}},
    {"K", {{0, 0, 0, 0, 1}}},
    {"degC", {{0, 0, 0, 0, 1}, 1.0, 273.15}, P::none},
    {"°C", {{0, 0, 0, 0, 1}, 1.0, 273.15}, P::none},
    {"degF", {{0, 0, 0, 0, 1}, 5.0 / 9.0, 459.67 * 5.0 / 9.0}, P::none},
    {"°F", {{0, 0, 0, 0, 1}, 5.0 / 9.0, 459.67 * 5.0 / 9.0}, P::none},
    {"mol", {{0, 0, 0, 0, 0, 1}}},
    {"cd", {{0, 0, 0, 0, 0, 0, 1}}},
    {"lm", {{0, 0, 0, 0, 0, 0, 1}}},
    {"lx", {{0, -2, 0, 0, 0, 0, 1}}},
    {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180.0}, P::none},
    {"°", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180.0}, P::none},
    {"rev", {{0, 0, 0, 0, 0, 0, 0, 1}, 2.0 * pi}, P::none},
    {"rpm", {{0, 0, -1, 0, 0, 0, 0, 1}, 2.0 * pi / 60.0}, P::none},
    {"sr", {{}}, P::none},
    {"Hz", {{0, 0, -1}, 1.0, 0.0, 1}},
    {"Bq", {{0, 0, -1}}},
    {"kat", {{0, 0, -1, 0, 0, 1}}},
    {"N", {{1, 1, -2}}},
    {"Nm", {{1, 2, -2}}},
    {"lbf", {{1, 1, -2}, 4.4482216152605}, P::none},
    {"Pa", {{1, -1, -2}}},
    {"bar", {{1, -1, -2}, 1e5}},
    {"psi", {{1, -1, -2}, 6894.757293168361}, P::none},
    {"J", {{1, 2, -2}}},
    {"Wh", {{1, 2, -2}, 3600.0}},
    {"W", {{1, 2, -3}}},
    {"mph", {{0, 1, -1}, 0.44704}, P::none},
    {"C", {{0, 0, 1, 1}}},
    {"Ah", {{0, 0, 1, 1}, 3600.0}},
    {"V", {{1, 2, -3, -1}}},
    {"F", {{-1, -2, 4, 2}}},
    {"Ohm", {{1, 2, -3, -2}}},
    {"Ω", {{1, 2, -3, -2}}},
    {"S", {{-1, -2, 3, 2}}},
    {"Wb", {{1, 2, -2, -1}}},
    {"T", {{1, 0, -2, -1}}},
    {"H", {{1, 2, -2, -2}}},
};

struct Prefix {
  std::string_view name;
  double factor;
};
// "da" stands before "d": the longer prefix is tried first.
const Prefix prefixes[] = {{"da", 1e1}, {"d", 1e-1}, {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"µ", 1e-6},
                           {"μ", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"h", 1e2},
                           {"k", 1e3},  {"M", 1e6},  {"G", 1e9},   {"T", 1e12},  {"P", 1e15},  {"E", 1e18}};

const Symbol* find_symbol(std::string_view name) {
  const auto found =
      std::find_if(std::begin(symbols), std::end(symbols), [&](const Symbol& s) { return s.name == name; });
  return found == std::end(symbols) ? nullptr : found;
}

std::optional<Unit> find_unit(std::string_view name) {
  if (const Symbol* whole = find_symbol(name)) return whole->unit;
  for (const Prefix& prefix : prefixes) {
    if (name.substr(0, prefix.name.size()) != prefix.name) continue;
    const Symbol* rest = find_symbol(name.substr(prefix.name.size()));
    if (!rest || rest->prefixes == Prefixes::none) continue;
    Unit unit = rest->unit;
    unit.factor *= prefix.factor;
    return unit;
  }
  return std::nullopt;
}

// factor^n exactly where it is exact: a negative power is one division.
double power(double factor, int exponent) {
  double result = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) result *= factor;
  return exponent < 0 ? 1.0 / result : result;
}

Unit raised(const Unit& unit, int exponent) {
  Unit result;
  for (std::size_t i = 0; i < unit.exponents.size(); ++i) result.exponents[i] = unit.exponents[i] * exponent;
  result.factor = power(unit.factor, exponent);
  result.cycles = unit.cycles * exponent;
  if (exponent == 1) result.offset = unit.offset;
  return result;
}

Unit product(const Unit& a, const Unit& b) {
  Unit result;
  for (std::size_t i = 0; i < a.exponents.size(); ++i) result.exponents[i] = a.exponents[i] + b.exponents[i];
  result.factor = a.factor * b.factor;
  result.cycles = a.cycles + b.cycles;
  return result;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Unit> whole() {
    std::optional<Unit> unit = expression(0);
    return rest_.empty() ? unit : std::nullopt;
  }

 private:
  std::optional<Unit> expression(int depth) {
    constexpr int deepest = 16;
    if (depth > deepest) return std::nullopt;
    std::optional<Unit> unit = factor(depth);
    bool divided = false;
    while (unit && !rest_.empty() && rest_.front() != ')') {
      const bool divide = take("/");
      if (!divide && !take(".") && !take("*") && !take("·")) return std::nullopt;
      if (divided && !divide) return std::nullopt;  // a/b.c: some mean a/(b.c), some (a/b).c
      divided = divided || divide;
      const std::optional<Unit> next = factor(depth);
      if (!next) return std::nullopt;
      unit = product(*unit, divide ? raised(*next, -1) : *next);
    }
    return unit;
  }

  std::optional<Unit> factor(int depth) {
    std::optional<Unit> unit;
    if (take("(")) {
      unit = expression(depth + 1);
      if (!take(")")) return std::nullopt;
    } else {
      unit = find_unit(symbol());
    }
    if (!unit) return std::nullopt;
    const std::optional<int> power = exponent();
    return power ? std::optional(raised(*unit, *power)) : std::nullopt;
  }

  std::string_view symbol() {
    std::size_t end = rest_.substr(0, 1) == "1" ? 1 : 0;
    if (end == 0) end = std::min(rest_.find_first_of("0123456789+-^./*() \t"), rest_.size());
    end = std::min(end, rest_.find("·"));
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return name;
  }

  // 1 if none is written; nothing if it is malformed.
  std::optional<int> exponent() {
    const bool caret = take("^");
    const bool minus = take("-");
    const bool sign = minus || take("+");
    std::size_t digits = 0;
    int value = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      if (++digits > 2) return std::nullopt;
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    if (digits == 0) return caret || sign ? std::nullopt : std::optional(1);
    return minus ? -value : value;
  }

  bool take(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  constexpr std::size_t longest = 100;
  if (first == std::string_view::npos || text.size() > longest) return std::nullopt;
  return Parser(text.substr(first, text.find_last_not_of(" \t") - first + 1)).whole();
}

bool same_dimension(const Unit& a, const Unit& b) {
  if (!std::equal(a.exponents.begin(), a.exponents.begin() + Unit::radian, b.exponents.begin())) return false;
  const bool radians = a.exponents[Unit::radian] != 0 || b.exponents[Unit::radian] != 0;
  return a.cycles == b.cycles || !radians;
}

bool same_meaning(const Unit& a, const Unit& b) {
  constexpr double digits = 1e-6;
  const auto near = [](double x, double y) { return std::abs(x - y) <= digits * std::max(std::abs(x), std::abs(y)); };
  return a.exponents == b.exponents && near(a.factor, b.factor) && near(a.offset, b.offset);
}

Conversion conversion(const Unit& from, const Unit& to) {
  Conversion result{from.factor / to.factor, (from.offset - to.offset) / to.factor};
  // 1e-3/1 and 1/1e3 are not the same double; the one that a person would write is the nearest of a whole number.
  const double inverse = to.factor / from.factor;
  if (const double whole = std::round(inverse); whole > 1.0 && std::abs(inverse - whole) < 1e-12 * whole) {
    result.gain = 1.0 / whole;
  } else if (const double gain = std::round(result.gain); gain >= 1.0 && std::abs(result.gain - gain) < 1e-12 * gain) {
    result.gain = gain;
  }
  return result;
}

double convert(double value, const Unit& from, const Unit& to) {
  const Conversion c = conversion(from, to);
  // Divided by 1000 instead of multiplied by 0.001, 0.3 ms is the double 0.0003.
  const double inverse = 1.0 / c.gain;
  const double scaled = inverse > 1.0 && inverse == std::round(inverse) ? value / inverse : value * c.gain;
  return scaled + c.offset;
}

}  // namespace seam::system
