#include "seam/analysis/limit_equations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "seam/lti/alignment.hpp"

namespace seam::analysis {
namespace {

using lti::StateSpace;

/// The share of each length in the polynomial through all of them, at length 0 (Lagrange).
std::vector<double> shares_at_zero(const std::vector<StepMap>& maps, std::size_t first) {
  std::vector<double> shares;
  for (std::size_t i = first; i < maps.size(); ++i) {
    double share = 1.0;
    for (std::size_t j = first; j < maps.size(); ++j) {
      if (j != i) share *= maps[j].step / (maps[j].step - maps[i].step);
    }
    shares.push_back(share);
  }
  return shares;
}

StateSpace weighted_sum(const std::vector<StateSpace>& all, std::size_t first, const std::vector<double>& shares) {
  StateSpace sum = all.back();
  for (lti::Matrix* matrix : {&sum.A, &sum.B, &sum.C, &sum.D}) matrix->setZero();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const StateSpace& one = all[first + i];
    sum.A += shares[i] * one.A;
    sum.B += shares[i] * one.B;
    sum.C += shares[i] * one.C;
    sum.D += shares[i] * one.D;
  }
  return sum;
}

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

std::optional<LimitEquations> limit_equations(const std::vector<StepMap>& maps) {
  std::vector<StateSpace> all;
  for (const StepMap& map : maps) {
    auto equations = equations_behind(map);
    if (!equations) return std::nullopt;
    all.push_back(std::move(*equations));
  }
  constexpr double calls_compared = 20.0;  // of the longest length: as many as a model is judged by, about
  for (StateSpace& one : all) {
    auto moved = lti::aligned(one, all.back(), calls_compared * maps.front().step);
    if (!moved) return std::nullopt;
    one = std::move(*moved);
  }
  const StateSpace found = weighted_sum(all, 0, shares_at_zero(maps, 0));
  const StateSpace coarser = weighted_sum(all, 1, shares_at_zero(maps, 1));
  return LimitEquations{found, apart(poles(found), poles(coarser))};
}

}  // namespace seam::analysis
