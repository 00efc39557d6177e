#include "seam/analysis/limit_equations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "seam/lti/alignment.hpp"

namespace seam::analysis {
namespace {

using lti::StateSpace;

/// The largest relative distance of a pole; poles at 0 count by the size of the others.
double apart(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
  double most = 0.0;
  for (const auto& pole : a) {
    const auto nearest = std::ranges::min_element(b, {}, [&](const auto& other) { return std::abs(other - pole); });
    most = std::max(most, std::abs(*nearest - pole) / std::max(std::abs(pole), 1e-3 * std::abs(a.front())));
  }
  return most;
}

}  // namespace

LimitEquations::LimitEquations(std::vector<double> lengths, std::vector<StateSpace> equations)
    : lengths_(std::move(lengths)),
      equations_(std::move(equations)),
      unsure_(apart(poles(at(0.0)), poles(sum(0.0, 1)))) {}

StateSpace LimitEquations::at(double length) const { return sum(length, 0); }

/// By Lagrange's formula, without the longest lengths before the first.
StateSpace LimitEquations::sum(double length, std::size_t first) const {
  StateSpace result = equations_.back();
  for (lti::Matrix* matrix : {&result.A, &result.B, &result.C, &result.D}) matrix->setZero();
  for (std::size_t i = first; i < lengths_.size(); ++i) {
    double share = 1.0;
    for (std::size_t j = first; j < lengths_.size(); ++j) {
      if (j != i) share *= (lengths_[j] - length) / (lengths_[j] - lengths_[i]);
    }
    result.A += share * equations_[i].A;
    result.B += share * equations_[i].B;
    result.C += share * equations_[i].C;
    result.D += share * equations_[i].D;
  }
  return result;
}

std::optional<LimitEquations> limit_equations(const std::vector<StepMap>& maps) {
  std::vector<double> lengths;
  std::vector<StateSpace> all;
  for (const StepMap& map : maps) {
    auto equations = equations_behind(map);
    if (!equations) return std::nullopt;
    lengths.push_back(map.step);
    all.push_back(std::move(*equations));
  }
  constexpr double calls_compared = 20.0;  // of the longest length: as many as a model is judged by, about
  for (StateSpace& one : all) {
    auto moved = lti::aligned(one, all.back(), calls_compared * maps.front().step);
    if (!moved) return std::nullopt;
    one = std::move(*moved);
  }
  return LimitEquations(std::move(lengths), std::move(all));
}

}  // namespace seam::analysis
