#include "seam/engine/predict/probed_candidate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::engine {
namespace {

using analysis::CallMaps;
using analysis::Linearity;
using analysis::SubsystemModel;

/// Equations that the calls tend to are sure if the polynomial without the longest calls is no farther away.
constexpr double sure_enough = 1e-4;
/// Equations nearly make the calls of all lengths if they miss none by more.
constexpr double near_to = 1e-3;
/// What a solver adds is the same for equations behind short calls in long ones and the other way round; but it is seen
/// in a record that is as many times longer, ten times at most.
constexpr double far_worse = 20.0;
/// Equations make calls if they predict the answers to this, or to several times what the map of the calls misses.
constexpr double fits_to = 1e-5, times_the_error = 5.0;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

bool is_same_length(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

bool ProbedCandidate::allows(double call) const {
  if (how.keeps_its_length && !is_same_length(call, how.calls.length)) return false;
  if (call < how.shortest_call * (1.0 - 1e-9)) return false;
  return how.call_unit == 0.0 || is_same_length(call, how.call_unit * std::max(1.0, std::round(call / how.call_unit)));
}

const ProbedLength* ProbedCandidate::at(double call, int degree) const {
  const auto found = std::ranges::find_if(lengths, [&](const ProbedLength& length) {
    return is_same_length(length.call, call) && (length.degree == degree || (length.maps && length.degree > degree));
  });
  return found == lengths.end() ? nullptr : &*found;
}

bool ProbedCandidate::lies_between(double call) const {
  const ProbedLength *below = nullptr, *above = nullptr;
  for (const ProbedLength& length : lengths) {
    if (length.call <= call && (!below || length.call > below->call)) below = &length;
    if (length.call >= call && (!above || length.call < above->call)) above = &length;
  }
  return below && above && below->of_equations && above->of_equations;
}

std::vector<const ProbedLength*> ProbedCandidate::with_maps() const {
  std::vector<const ProbedLength*> result;
  for (const ProbedLength& length : lengths) {
    if (length.maps) result.push_back(&length);
  }
  std::ranges::stable_sort(result, [](const ProbedLength* a, const ProbedLength* b) { return a->call > b->call; });
  return result;
}

std::vector<const ProbedLength*> ProbedCandidate::by_length() const {
  std::vector<const ProbedLength*> result = with_maps();
  std::erase_if(result, [&](const ProbedLength* length) { return length->degree != how.calls.degree; });
  return result;
}

std::optional<analysis::LimitEquations> ProbedCandidate::limit(std::size_t borne_out_by) const {
  constexpr std::size_t terms = 3;
  const auto known = by_length();
  std::optional<analysis::LimitEquations> best;
  for (std::size_t first = 0; first + terms + borne_out_by <= known.size(); ++first) {
    std::vector<analysis::StepMap> maps;
    for (std::size_t i = first; i < first + terms; ++i) maps.push_back(known[i]->maps->map);
    auto found = analysis::limit_equations(maps);
    if (!found || !predicts(*found, std::span(known).subspan(first + terms))) continue;
    if (!best || found->unsure() < best->unsure()) best = std::move(found);
    if (best && best->unsure() <= sure_enough) break;
  }
  return best;
}

bool ProbedCandidate::limit_is_sure() const {
  const auto found = limit(1);
  return found && found->unsure() <= sure_enough;
}

double ProbedCandidate::error_of(const lti::StateSpace& tried, const ProbedLength& length) {
  return length.probe->error_of(analysis::step_map(tried, length.call, length.degree));
}

/// Whether shorter calls follow the same polynomial. A solver with a largest step of its own makes all longer calls
/// alike: what these tend to is not what shorter ones tend to.
bool ProbedCandidate::predicts(const analysis::LimitEquations& limit,
                               std::span<const ProbedLength* const> shorter) const {
  constexpr double unexplained = 0.1;  // of what the solver adds
  return std::ranges::all_of(shorter, [&](const ProbedLength* length) {
    const lti::StateSpace predicted = limit.at(length->call);
    return fits(predicted, *length) || error_of(predicted, *length) <= unexplained * error_of(limit.at(0.0), *length);
  });
}

analysis::Explanation ProbedCandidate::explanation() const {
  double missed = 0.0;
  for (const ProbedLength& one : lengths) missed = std::max(missed, one.maps ? one.error : 0.0);
  return {std::max(fits_to, times_the_error * missed)};
}

bool ProbedCandidate::fits(const lti::StateSpace& tried, const ProbedLength& length) const {
  const analysis::StepMap made = analysis::step_map(tried, length.call, length.degree);
  return length.probe->error_beyond_rounding(made) <= explanation().allowed;
}

bool ProbedCandidate::explains(const ProbedLength& length) {
  if (!equations) return false;
  for (const analysis::InnerSolver& refined : solver.refined(length.degree)) {
    const auto map = refined.call(*equations, length.call, length.degree);
    if (!map || length.probe->error_beyond_rounding(*map) > explanation().allowed) continue;
    solver = refined;
    told_degree = std::max(told_degree, length.degree);
    return true;
  }
  return false;
}

std::optional<CallMaps> ProbedCandidate::maps_of(const ProbedLength& length) const {
  const bool linear = how.found.linearity == Linearity::linear;
  if (!linear) return length.maps;
  if (auto made = made_by_all_lengths(length)) return made;
  if (length.of_equations) {
    if (auto made = solver.call(*equations, length.call, length.degree))
      return CallMaps{std::move(*made), by_other_records(length)};
  }
  return length.maps;
}

std::vector<analysis::StepMap> ProbedCandidate::by_other_records(const ProbedLength& length) const {
  std::vector<analysis::StepMap> made;
  if (told_holds) return made;
  for (const analysis::StepMap& other : by_length().front()->maps->others) {
    const auto behind = analysis::equations_behind(other, solver.method);
    const auto map = behind ? solver.call(*behind, length.call, length.degree) : std::nullopt;
    if (map) made.push_back(*map);
  }
  return made;
}

void ProbedCandidate::know(lti::StateSpace known, const analysis::InnerSolver& made_by) {
  equations = std::move(known);
  solver = made_by;
  for (ProbedLength& length : lengths) length.of_equations = length.probe && explains(length);
}

bool ProbedCandidate::know_told() {
  const SubsystemModel& found = how.found;
  const auto probed = with_maps();
  analysis::CallsToExplain calls;
  for (const ProbedLength* length : probed) calls.kinds.push_back({length->call, length->degree});
  calls.allowed = explanation().allowed;
  calls.error = [&](std::size_t i, const analysis::StepMap& map) {
    return probed[i]->probe->error_beyond_rounding(map);
  };
  // what a probe moves is a larger motion than that of which equations at a point are told
  if (found.linearity == Linearity::at_this_point)
    calls.allowed = std::max(calls.allowed, found.quality->amplitude_error);
  const auto made_by = analysis::solver_of(*how.told->equations, calls);
  if (!made_by) return false;
  know(*how.told->equations, *made_by);
  return told_holds = true;
}

bool ProbedCandidate::know_equations() {
  const auto all = with_maps();
  int degree = 0;
  for (const ProbedLength* length : all) degree = std::max(degree, length->degree);
  const auto missed = [&](const lti::StateSpace& tried, const analysis::InnerSolver& made_by) {
    double worst = 0.0;
    for (const ProbedLength* length : all) {
      const auto map = made_by.call(tried, length->call, length->degree);
      worst = std::max(worst, map ? length->probe->error_beyond_rounding(*map) : infinity);
    }
    return worst;
  };
  analysis::Explanation explanation = this->explanation();
  std::optional<lti::StateSpace> best;
  analysis::InnerSolver taken;
  const auto of_plan_degree = by_length();
  for (const analysis::InnerSolver& one_step : analysis::one_step_solvers()) {
    if (one_step.method != analysis::InnerSolver::Method::exact && of_plan_degree.size() < 2) break;  // any would do
    for (const ProbedLength* behind : of_plan_degree) {
      const auto found = analysis::equations_behind(behind->maps->map, one_step.method);
      if (!found || explanation.is_perfect()) continue;
      for (const analysis::InnerSolver& refined : one_step.refined(degree)) {
        if (!explanation.take(missed(*found, refined))) continue;
        best = *found;
        taken = refined;
      }
    }
  }
  if (best) know(std::move(*best), taken);
  return best.has_value();
}

bool ProbedCandidate::learn() { return (how.told && know_told()) || (!told_holds && know_equations()); }

/// What such an FMU tells is its feed-through, not its model.
bool ProbedCandidate::lists_no_states() const {
  return how.told && !told_holds && how.told->source == analysis::ModelSource::derivatives &&
         how.told->equations->states() == 0 && how.found.map->matrices.states() > 0;
}

bool ProbedCandidate::is_seen_too_briefly() const {
  const ProbedLength& longest = *with_maps().front();
  const auto behind = analysis::equations_behind(longest.maps->map);
  if (!behind || behind->states() == 0) return false;
  constexpr double radians = 1.0, as_good_as_zero = 1e-3;
  const auto poles = analysis::poles(*behind);
  return std::ranges::any_of(poles, [&](const auto& pole) {
    const double rate = std::abs(pole);
    return rate > as_good_as_zero * std::abs(poles.front()) && rate * longest.call * longest.probe->samples() < radians;
  });
}

bool ProbedCandidate::misses_slow_motions(const ProbedLength& length) const {
  if (near.empty()) return false;
  const ProbedLength& longest = *by_length().front();
  const double here = error_of(near.front(), length), there = error_of(near.front(), longest);
  const auto behind = analysis::equations_behind(length.maps->map);
  return here <= sure_enough && behind && !(error_of(*behind, longest) <= far_worse * std::max(here, there));
}

std::optional<CallMaps> ProbedCandidate::made_by_all_lengths(const ProbedLength& length) const {
  if (!length.maps) return std::nullopt;
  const auto made = [&](const lti::StateSpace& by, const lti::StateSpace& other) {
    return CallMaps{analysis::step_map(by, length.call, length.degree),
                    {analysis::step_map(other, length.call, length.degree)}};
  };
  if (misses_slow_motions(length)) return made(near.front(), near.back());
  if (tends_to.empty()) return std::nullopt;
  CallMaps tended = made(tends_to.front().at(length.call), tends_to.back().at(length.call));
  if (!(length.probe->error_beyond_rounding(tended.map) <= times_the_error * length.error)) return std::nullopt;
  return tended;
}

void ProbedCandidate::find_near() {
  const auto all = by_length();
  for (const ProbedLength* behind : all) {
    auto found = analysis::equations_behind(behind->maps->map);
    if (!found) continue;
    double worst = 0.0;
    for (const ProbedLength* length : all) worst = std::max(worst, error_of(*found, *length));
    if (worst > near_to) continue;
    if (near.empty()) near_error = worst;
    near.push_back(std::move(*found));
    if (near.size() == 2) return;
  }
  near.clear();  // one says nothing of how sure it is
}

void ProbedCandidate::find_limits() {
  auto first = limit(0);
  if (!first) return;
  std::vector<analysis::StepMap> maps;
  for (const double call : first->lengths()) {
    const auto& others = at(call, how.calls.degree)->maps->others;
    if (!others.empty()) maps.push_back(others.front());
  }
  tends_to = {*std::move(first)};
  const bool all = maps.size() == tends_to.front().lengths().size();
  if (auto other = all ? analysis::limit_equations(maps) : std::nullopt) tends_to.push_back(*std::move(other));
}

void ProbedCandidate::separate_solver() {
  const auto probed = by_length();
  find_limits();
  auto found = !tends_to.empty() ? tends_to.front().at(0.0) : analysis::equations_behind(probed.back()->maps->map);
  is_separated = true;
  find_near();
  // what short calls tend to has not seen slow motions where it misses long calls
  constexpr double far_more = 10.0;
  const double least = std::max(near_error, fits_to);
  if (!near.empty() && !(found && error_of(*found, *probed.front()) <= far_more * least)) found = near.front();
  if (!found) return;
  if (how.told) {
    const double missed = error_of(*how.told->equations, *probed.back());
    told_holds = missed <= 2.0 * error_of(*found, *probed.back()) + fits_to;
  }
  know(told_holds ? *how.told->equations : *found);
}

}  // namespace seam::engine
