// The numbers of a plan that stand for linear filters, and the filters themselves. Their unit of time is the interval
// between samples H: p = s H, frequencies are f H.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/lti/rational.hpp"
#include "seam/lti/sections.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

/// How a filter is followed from one micro point to the next.
enum class FilterSolver {
  exact,  ///< for what it is fed: polynomials through micro points, or a held sample
  euler   ///< explicit, as the papers do
};

constexpr int most_filter_states = 16;

/// What a method has under this name, if anything.
std::optional<double> number(const system::Method& method, const std::string& name);

/// gain * prod(p - zero)/prod(p - pole) as numbers of a method: `gain`, and for every real root or pair of roots
/// `zero1`, `zero1_im`, …, `pole1`, `pole1_im`, …
using Roots = lti::Factored;
void write_roots(const Roots& roots, system::Method& method);
/// None while the gain is missing: the filter is still to be found.
std::optional<Roots> read_roots(const system::Method& method);
/// Whether a parameter has a name of that kind.
bool is_root_name(const std::string& name);

lti::Rational transfer_function(const Roots& roots);
/// Butterworth's low pass with the numbers `order` and `cutoff`.
Roots smoothing_filter(const system::Method& receiver);

/// The states of a filter that has been fed 1 for ever.
lti::Vector resting_states(const lti::StateSpace& filter);

}  // namespace seam::coupling
