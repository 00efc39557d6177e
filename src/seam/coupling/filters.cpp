#include "seam/coupling/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/base/error.hpp"
#include "seam/lti/solve.hpp"

namespace seam::coupling {
namespace {

using RootList = std::vector<std::complex<double>>;

void write(const RootList& roots, const std::string& kind, system::Method& method) {
  int count = 0;
  for (const auto& root : roots) {
    if (root.imag() < 0.0) continue;  // of a pair one is enough
    const std::string name = fmt::format("{}{}", kind, ++count);
    method.parameters.emplace_back(name, root.real());
    if (root.imag() > 0.0) method.parameters.emplace_back(name + "_im", root.imag());
  }
}

RootList read(const std::string& kind, const system::Method& method) {
  RootList roots;
  for (int i = 1;; ++i) {
    std::string name = kind + std::to_string(i);
    const auto real = number(method, name);
    if (!real) return roots;
    const double imaginary = std::abs(number(method, name += "_im").value_or(0.0));
    roots.emplace_back(*real, imaginary);
    if (imaginary > 0.0) roots.emplace_back(*real, -imaginary);
  }
}

bool is_root(const std::string& name) {
  return name == "gain" || name.rfind("zero", 0) == 0 || name.rfind("pole", 0) == 0;
}

}  // namespace

std::optional<double> number(const system::Method& method, const std::string& name) {
  for (const auto& [known, value] : method.parameters) {
    if (known == name) return value;
  }
  return std::nullopt;
}

void write_roots(const Roots& roots, system::Method& method) {
  std::erase_if(method.parameters, [](const auto& parameter) { return is_root(parameter.first); });
  method.parameters.emplace_back("gain", roots.gain);
  write(roots.zeros, "zero", method);
  write(roots.poles, "pole", method);
}

std::optional<Roots> read_roots(const system::Method& method) {
  const auto gain = number(method, "gain");
  if (!gain) return std::nullopt;
  return Roots{read("zero", method), read("pole", method), *gain};
}

bool is_root_name(const std::string& name) {
  if (name == "gain") return true;
  std::string_view rest = name;
  if (rest.substr(0, 4) != "zero" && rest.substr(0, 4) != "pole") return false;
  rest.remove_prefix(4);
  if (rest.size() > 3 && rest.substr(rest.size() - 3) == "_im") rest.remove_suffix(3);
  return !rest.empty() && rest[0] != '0' &&
         std::all_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; });
}

lti::Rational transfer_function(const Roots& roots) {
  lti::Rational result{lti::from_roots(roots.zeros), lti::from_roots(roots.poles)};
  for (double& n : result.numerator) n *= roots.gain;
  return result;
}

Roots smoothing_filter(const system::Method& receiver) {
  const int order = static_cast<int>(std::lround(number(receiver, "order").value_or(2.0)));
  const double cutoff = 2.0 * std::numbers::pi * number(receiver, "cutoff").value_or(0.5);
  Roots result{{}, {}, std::pow(cutoff, order)};
  for (int k = 1; k <= order / 2; ++k) {
    result.poles.push_back(std::polar(cutoff, std::numbers::pi * (2 * k + order - 1) / (2.0 * order)));
    result.poles.push_back(std::conj(result.poles.back()));
  }
  if (order % 2 == 1) result.poles.emplace_back(-cutoff);
  return result;
}

lti::Vector resting_states(const lti::StateSpace& filter) {
  if (filter.states() == 0) return {};
  const auto x = lti::solve(filter.A, -filter.B.col(0));
  if (!x) throw base::Error(base::Failure::internal, "a filter of a coupling has a pole at 0");
  return *x;
}

}  // namespace seam::coupling
