#include "seam/engine/predict/probed_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::engine {
namespace {

using analysis::CallMaps;
using analysis::Linearity;
using analysis::ModelSource;
using analysis::SubsystemModel;

/// Of the plan's calls. Two that have no common divisor but the sixth tell aliases apart: a frequency that is taken for
/// a lower one at a third is taken for another one at a half.
constexpr double compared_parts[] = {1.0 / 2.0, 1.0 / 3.0};
/// Where slow motions were hardly seen.
constexpr double longer_parts[] = {10.0 / 3.0, 5.0, 10.0};
/// Where the solver is separated from the equations, unless those tell it: short calls have less of it, long ones show
/// slow motions.
constexpr double sure_enough = 1e-4;
constexpr double further_parts[] = {1.0 / 10.0, 1.0 / 20.0, 1.0 / 30.0, 10.0 / 3.0, 5.0, 10.0};
/// Equations make calls if they predict the answers to this, or to several times what the map of the calls misses.
constexpr double fits_to = 1e-5, times_the_error = 5.0;
/// A map that misses a fresh excitation by more is none, unless the plan's map misses it, too.
constexpr double largest_error = 1e-3;

bool is_same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

std::string percent(double part) { return fmt::format("{:.2g} %", 100.0 * part); }

}  // namespace

/// The calls of one candidate, for its stand-in.
class ProbedCalls::Calls final : public analysis::OtherCalls {
 public:
  Calls(std::shared_ptr<ProbedCalls> all, std::size_t candidate) : all_(std::move(all)), candidate_(candidate) {}
  std::optional<CallMaps> find(double length, int degree) override { return all_->find(candidate_, length, degree); }
  bool are_of_equations() const override {
    return std::ranges::all_of(all_->candidates_[candidate_].lengths, &Length::of_equations);
  }

 private:
  std::shared_ptr<ProbedCalls> all_;
  std::size_t candidate_;
};

bool ProbedCalls::Candidate::allows(double call) const {
  if (how.keeps_its_length && !is_same(call, how.calls.length)) return false;
  if (call < how.shortest_call * (1.0 - 1e-9)) return false;
  return how.call_unit == 0.0 || is_same(call, how.call_unit * std::max(1.0, std::round(call / how.call_unit)));
}

const ProbedCalls::Length* ProbedCalls::Candidate::at(double call, int degree) const {
  const auto found = std::ranges::find_if(lengths, [&](const Length& length) {
    return is_same(length.call, call) && (length.degree == degree || (length.maps && length.degree > degree));
  });
  return found == lengths.end() ? nullptr : &*found;
}

bool ProbedCalls::Candidate::lies_between(double call) const {
  const Length *below = nullptr, *above = nullptr;
  for (const Length& length : lengths) {
    if (length.call <= call && (!below || length.call > below->call)) below = &length;
    if (length.call >= call && (!above || length.call < above->call)) above = &length;
  }
  return below && above && below->of_equations && above->of_equations;
}

std::vector<const ProbedCalls::Length*> ProbedCalls::Candidate::with_maps() const {
  std::vector<const Length*> result;
  for (const Length& length : lengths) {
    if (length.maps) result.push_back(&length);
  }
  std::ranges::stable_sort(result, [](const Length* a, const Length* b) { return a->call > b->call; });
  return result;
}

std::vector<const ProbedCalls::Length*> ProbedCalls::Candidate::by_length() const {
  std::vector<const Length*> result = with_maps();
  std::erase_if(result, [&](const Length* length) { return length->degree != how.calls.degree; });
  return result;
}

std::optional<analysis::LimitEquations> ProbedCalls::Candidate::limit(std::size_t borne_out_by) const {
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

double ProbedCalls::Candidate::error_of(const lti::StateSpace& tried, const Length& length) {
  return length.probe->error_of(analysis::step_map(tried, length.call, length.degree));
}

/// Whether shorter calls follow the same polynomial. A solver with a largest step of its own makes all longer calls
/// alike: what these tend to is not what shorter ones tend to.
bool ProbedCalls::Candidate::predicts(const analysis::LimitEquations& limit,
                                      std::span<const Length* const> shorter) const {
  constexpr double unexplained = 0.1;  // of what the solver adds
  return std::ranges::all_of(shorter, [&](const Length* length) {
    const lti::StateSpace predicted = limit.at(length->call);
    return fits(predicted, *length) || error_of(predicted, *length) <= unexplained * error_of(limit.at(0.0), *length);
  });
}

analysis::Explanation ProbedCalls::Candidate::explanation() const {
  double missed = 0.0;
  for (const Length& one : lengths) missed = std::max(missed, one.maps ? one.error : 0.0);
  return {std::max(fits_to, times_the_error * missed)};
}

bool ProbedCalls::Candidate::fits(const lti::StateSpace& tried, const Length& length) const {
  return error_of(tried, length) <= explanation().allowed;
}

bool ProbedCalls::Candidate::explains(const Length& length) {
  if (!equations) return false;
  for (const analysis::InnerSolver& refined : solver.refined(length.degree)) {
    const auto map = refined.call(*equations, length.call, length.degree);
    if (!map || length.probe->error_of(*map) > explanation().allowed) continue;
    solver = refined;
    told_degree = std::max(told_degree, length.degree);
    return true;
  }
  return false;
}

std::optional<CallMaps> ProbedCalls::Candidate::maps_of(const Length& length) const {
  const bool linear = how.found.linearity == Linearity::linear;
  if (!length.maps || !linear) return length.maps;
  if (length.of_equations) {
    if (auto made = solver.call(*equations, length.call, length.degree)) return CallMaps{std::move(*made)};
  }
  return length.maps;
}

void ProbedCalls::Candidate::know(lti::StateSpace known, const analysis::InnerSolver& made_by) {
  equations = std::move(known);
  solver = made_by;
  for (Length& length : lengths) length.of_equations = length.maps && explains(length);
}

ProbedCalls::ProbedCalls(System system, const LinearModelRequest& request, std::vector<ProbeCandidate> candidates)
    : system_(std::move(system)), request_(request) {
  request_.progress = {};
  for (ProbeCandidate& one : candidates) {
    if (!one.kept || one.kept->setup().calls_a_sample > 1) continue;
    Candidate candidate{std::move(one)};
    const SubsystemModel& found = candidate.how.found;
    Length plan{candidate.how.calls.length, found.map->degree, candidate.how.kept,
                CallMaps{*found.map, found.other_maps}, found.quality->prediction_error};
    candidate.lengths.push_back(std::move(plan));
    candidates_.push_back(std::move(candidate));
  }
}

void ProbedCalls::take(Candidate& candidate, const ProbeTask& task) {
  Length length{task.probe->setup().call, task.probe->setup().degree, task.probe};
  SubsystemModel model;
  const auto& told = candidate.how.told;
  if (task.failure.empty()) model = task.probe->conclude(told ? told->equations : std::nullopt);
  // a solver that does not see all calls apart is not the same from call to call
  const double allowed = std::max(largest_error, 10.0 * candidate.how.found.quality->prediction_error);
  if (model.map && model.quality->prediction_error <= allowed) {
    length.maps = CallMaps{*model.map, model.other_maps};
    length.error = model.quality->prediction_error;
    length.of_equations = candidate.explains(length);
  }
  candidate.lengths.push_back(std::move(length));
  // calls so short that they were taken for exact: others tell the solver
  const bool may_have_a_solver =
      candidate.equations && !candidate.is_separated && candidate.solver.method == analysis::InnerSolver::Method::exact;
  if (may_have_a_solver && candidate.lengths.back().maps && !candidate.lengths.back().of_equations) learn(candidate);
}

void ProbedCalls::probe(std::span<Candidate* const> candidates, double part, std::optional<int> degree) {
  std::vector<ProbeTask> tasks;
  std::vector<Candidate*> owners;
  for (Candidate* one : candidates) {
    const double call = part * one->how.calls.length;
    const int own_degree = degree.value_or(one->how.calls.degree);
    if (!one->allows(call) || (own_degree > 0 && !one->how.takes_polynomials) || one->at(call, own_degree)) continue;
    const bool linear = one->how.found.linearity == Linearity::linear;
    const std::size_t trials = linear ? analysis::brief_trial_count : analysis::trial_count;
    tasks.push_back({&one->how, std::make_shared<analysis::Probe>(one->how.probe(call, own_degree, trials))});
    owners.push_back(one);
  }
  if (tasks.empty()) return;
  run_trials(system_, request_, tasks, {});
  for (std::size_t i = 0; i < tasks.size(); ++i) take(*owners[i], tasks[i]);
}

std::optional<CallMaps> ProbedCalls::find(std::size_t candidate, double call, int degree) {
  Candidate& wanted = candidates_[candidate];
  if (const Length* known = wanted.at(call, degree)) return wanted.maps_of(*known);
  if (!wanted.allows(call)) return std::nullopt;
  const bool linear = wanted.how.found.linearity == Linearity::linear;
  if (linear && wanted.equations && degree <= wanted.told_degree && wanted.lies_between(call)) {
    if (auto map = wanted.solver.call(*wanted.equations, call, degree)) return CallMaps{std::move(*map)};
  }
  std::vector<Candidate*> alike;  // the others will be asked for next
  for (Candidate& other : candidates_) {
    if (is_same(other.how.calls.length, wanted.how.calls.length)) alike.push_back(&other);
  }
  probe(alike, call / wanted.how.calls.length, degree);
  const Length* found = wanted.at(call, degree);
  return found ? wanted.maps_of(*found) : std::nullopt;
}

/// Whether the calls of all lengths that were probed are those of a solver of the equations that the FMU tells.
bool ProbedCalls::know_told(Candidate& candidate) {
  const SubsystemModel& found = candidate.how.found;
  const auto lengths = candidate.with_maps();
  analysis::CallsToExplain calls;
  for (const Length* length : lengths) calls.kinds.push_back({length->call, length->degree});
  calls.allowed = candidate.explanation().allowed;
  calls.error = [&](std::size_t i, const analysis::StepMap& map) { return lengths[i]->probe->error_of(map); };
  // what a probe moves is a larger motion than that of which equations at a point are told
  if (found.linearity == Linearity::at_this_point)
    calls.allowed = std::max(calls.allowed, found.quality->amplitude_error);
  const auto solver = analysis::solver_of(*candidate.how.told->equations, calls);
  if (!solver) return false;
  candidate.know(*candidate.how.told->equations, *solver);
  return candidate.told_holds = true;
}

/// Whether a usual solver in one step a call, or the exact one, makes the calls of all lengths of the equations that it
/// makes those of one length of: of calls as long as possible, which show slow motions best.
bool ProbedCalls::know_equations(Candidate& candidate) {
  const auto all = candidate.with_maps();
  int degree = 0;
  for (const Length* length : all) degree = std::max(degree, length->degree);
  const auto missed = [&](const lti::StateSpace& equations, const analysis::InnerSolver& solver) {
    double worst = 0.0;
    for (const Length* length : all) {
      const auto map = solver.call(equations, length->call, length->degree);
      worst = std::max(worst, map ? length->probe->error_of(*map) : std::numeric_limits<double>::infinity());
    }
    return worst;
  };
  analysis::Explanation explanation = candidate.explanation();
  std::optional<lti::StateSpace> equations;
  analysis::InnerSolver taken;
  const auto lengths = candidate.by_length();
  for (const analysis::InnerSolver& one_step : analysis::one_step_solvers()) {
    if (one_step.method != analysis::InnerSolver::Method::exact && lengths.size() < 2) break;  // any would do
    for (const Length* behind : lengths) {
      const auto found = analysis::equations_behind(behind->maps->map, one_step.method);
      if (!found || explanation.is_perfect()) continue;
      for (const analysis::InnerSolver& solver : one_step.refined(degree)) {
        if (!explanation.take(missed(*found, solver))) continue;
        equations = *found;
        taken = solver;
      }
    }
  }
  if (equations) candidate.know(std::move(*equations), taken);
  return equations.has_value();
}

bool ProbedCalls::learn(Candidate& candidate) {
  return (candidate.how.told && know_told(candidate)) || (!candidate.told_holds && know_equations(candidate));
}

/// Whether a motion is so slow that the probe of the plan's calls has hardly seen it move.
bool ProbedCalls::Candidate::is_seen_too_briefly() const {
  const Length& plan = lengths.front();
  const auto behind = analysis::equations_behind(plan.maps->map);
  if (!behind || behind->states() == 0) return false;
  constexpr double radians = 1.0, as_good_as_zero = 1e-3;
  const auto poles = analysis::poles(*behind);
  return std::ranges::any_of(poles, [&](const auto& pole) {
    const double rate = std::abs(pole);
    return rate > as_good_as_zero * std::abs(poles.front()) && rate * plan.call * plan.probe->samples() < radians;
  });
}

void ProbedCalls::separate_solver(Candidate& candidate) {
  const auto lengths = candidate.by_length();
  const auto limit = candidate.limit(0);
  auto equations = limit ? limit->at(0.0) : analysis::equations_behind(lengths.back()->maps->map);
  candidate.is_separated = true;
  if (!equations) return;
  if (candidate.how.told) {
    const double missed = candidate.error_of(*candidate.how.told->equations, *lengths.back());
    candidate.told_holds = missed <= 2.0 * candidate.error_of(*equations, *lengths.back()) + fits_to;
  }
  candidate.know(candidate.told_holds ? *candidate.how.told->equations : *equations);
}

/// What the FMU says of its equations.
SubsystemModel ProbedCalls::borne_out(const Candidate& candidate) {
  const SubsystemModel& found = candidate.how.found;
  SubsystemModel model = *candidate.how.told;
  if (model.source != ModelSource::exchange) return model;
  model.linearity = found.linearity;
  if (found.linearity == Linearity::linear) return model;
  model.warnings.insert(model.warnings.end(), found.warnings.begin(), found.warnings.end());
  model.other_maps = found.other_maps;
  model.other_maps.push_back(*found.map);
  return model;
}

/// What the probe found, where the FMU does something else than it says.
SubsystemModel ProbedCalls::contradicted(const Candidate& candidate) {
  const SubsystemModel& told = *candidate.how.told;
  SubsystemModel model = candidate.how.found;
  const Length& shortest = *candidate.by_length().back();
  model.warnings.push_back(fmt::format("{}: they miss calls of {:.3g} s by {}",
                                       told.source == ModelSource::exchange
                                           ? "the equations of its model exchange are not those of its co-simulation"
                                           : "the derivatives that it tells are not those of its steps",
                                       shortest.call, percent(candidate.error_of(*told.equations, shortest))));
  // of a nonlinear subsystem another motion is told than a probe makes: a smaller one
  if (model.linearity == Linearity::at_this_point) model.other_maps.push_back(*told.map);
  return model;
}

/// What the solver adds in the calls of the plan.
void ProbedCalls::add_solver(const Candidate& candidate, SubsystemModel& model) {
  const SubsystemModel& found = candidate.how.found;
  const Length& plan = candidate.lengths.front();
  const bool linear = found.linearity == Linearity::linear;
  const auto made = linear ? candidate.solver.call(*candidate.equations, plan.call, plan.degree) : std::nullopt;
  if (made && !candidate.is_separated) {
    model.map = made;
  } else {
    if (candidate.told_holds && !linear) model.other_maps.push_back(*model.map);
    model.map = found.map;
    if (candidate.told_holds)
      model.other_maps.insert(model.other_maps.begin(), found.other_maps.begin(), found.other_maps.end());
    model.quality = found.quality;
  }
  model.solver_error = candidate.error_of(*candidate.equations, plan);
  model.how += "; its solver " + (candidate.is_separated ? "steps with the calls" : "makes " + words(candidate.solver));
}

void ProbedCalls::write(std::size_t number, SubsystemModel& model) {
  const Candidate& candidate = candidates_[number];
  const auto feedthrough = std::move(model.feedthrough);
  if (candidate.how.told) model = candidate.told_holds ? borne_out(candidate) : contradicted(candidate);
  model.feedthrough = feedthrough;
  model.equations = candidate.equations;
  model.other_calls = std::make_shared<Calls>(shared_from_this(), number);
  const bool has_solver = candidate.is_separated || candidate.solver.method != analysis::InnerSolver::Method::exact;
  if (has_solver && candidate.equations) add_solver(candidate, model);
}

void ProbedCalls::complete(std::vector<SubsystemModel>& models) {
  std::vector<Candidate*> all, open, slow, with_solver;
  for (Candidate& candidate : candidates_) all.push_back(&candidate);
  for (const double part : compared_parts) probe(all, part);
  const auto is_told = [](Candidate* candidate) { return candidate->how.told && know_told(*candidate); };
  std::ranges::copy_if(all, std::back_inserter(open), [&](Candidate* candidate) { return !is_told(candidate); });
  std::ranges::copy_if(open, std::back_inserter(slow), [](const Candidate* candidate) {
    const bool shows_no_solver =
        candidate->how.told && candidate->by_length().size() < 2;  // only multiples of its step
    return shows_no_solver || candidate->is_seen_too_briefly();
  });
  for (const double part : longer_parts) probe(slow, part);
  for (Candidate* candidate : open) {
    if (!learn(*candidate)) with_solver.push_back(candidate);
  }
  std::vector<Candidate*> unsure = with_solver;
  for (const double part : further_parts) {
    probe(unsure, part);
    std::erase_if(unsure, [](const Candidate* candidate) {
      const auto limit = candidate->limit(1);
      return limit && limit->unsure() <= sure_enough;
    });
  }
  for (Candidate* candidate : with_solver) separate_solver(*candidate);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    write(i, *std::ranges::find(models, candidates_[i].how.name, &SubsystemModel::name));
}

}  // namespace seam::engine
