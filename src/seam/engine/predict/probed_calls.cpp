#include "seam/engine/predict/probed_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::vector<const ProbedCalls::Length*> ProbedCalls::Candidate::by_length() const {
  std::vector<const Length*> result;
  for (const Length& length : lengths) {
    if (length.maps && length.degree == how.calls.degree) result.push_back(&length);
  }
  std::ranges::sort(result, [](const Length* a, const Length* b) { return a->call > b->call; });
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

bool ProbedCalls::Candidate::fits(const lti::StateSpace& tried, const Length& length) const {
  double missed = 0.0;
  for (const Length& one : lengths) missed = std::max(missed, one.maps ? one.error : 0.0);
  return error_of(tried, length) <= std::max(fits_to, times_the_error * missed);
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

void ProbedCalls::take(Candidate& candidate, const ProbeTask& task) const {
  Length length{task.probe->setup().call, task.probe->setup().degree, task.probe};
  SubsystemModel model;
  if (task.failure.empty()) model = task.probe->conclude();
  // a solver that does not see all calls apart is not the same from call to call
  const double allowed = std::max(largest_error, 10.0 * candidate.how.found.quality->prediction_error);
  if (model.map && model.quality->prediction_error <= allowed) {
    length.maps = CallMaps{*model.map, model.other_maps};
    length.error = model.quality->prediction_error;
    length.of_equations = candidate.equations && candidate.fits(*candidate.equations, length);
  }
  candidate.lengths.push_back(std::move(length));
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
  if (const Length* known = wanted.at(call, degree)) return known->maps;
  if (!wanted.allows(call)) return std::nullopt;
  const bool linear = wanted.how.found.linearity == Linearity::linear;
  if (linear && wanted.equations && wanted.lies_between(call))
    return CallMaps{analysis::step_map(*wanted.equations, call, degree)};
  std::vector<Candidate*> alike;  // the others will be asked for next
  for (Candidate& other : candidates_) {
    if (is_same(other.how.calls.length, wanted.how.calls.length)) alike.push_back(&other);
  }
  probe(alike, call / wanted.how.calls.length, degree);
  const Length* found = wanted.at(call, degree);
  return found ? found->maps : std::nullopt;
}

/// Whether one set of equations makes the calls of all lengths that were probed: those that the FMU tells, or those
/// behind calls as long as possible, which show slow motions best.
bool ProbedCalls::know_equations(Candidate& candidate, const SubsystemModel& model) const {
  const auto lengths = candidate.by_length();
  const auto fit_all = [&](const lti::StateSpace& equations) {
    return std::ranges::all_of(lengths, [&](const Length* length) { return candidate.fits(equations, *length); });
  };
  std::optional<lti::StateSpace> found;
  if (model.source == ModelSource::derivatives) {
    if (fit_all(*model.equations)) found = model.equations;
  } else {
    for (std::size_t i = 0; i < lengths.size() && !found; ++i) {
      found = analysis::equations_behind(lengths[i]->maps->map);
      if (found && !fit_all(*found)) found.reset();
    }
  }
  if (!found) return false;
  for (Length& length : candidate.lengths) length.of_equations = length.maps.has_value();
  candidate.equations = std::move(found);
  return true;
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

void ProbedCalls::separate_solver(Candidate& candidate, SubsystemModel& model) const {
  const auto lengths = candidate.by_length();
  const auto limit = candidate.limit(0);
  auto equations = limit ? limit->at(0.0) : analysis::equations_behind(lengths.back()->maps->map);
  const bool told = model.source == ModelSource::derivatives;
  if (told && equations) {
    const double missed = candidate.error_of(*model.equations, *lengths.back());
    if (missed <= 2.0 * candidate.error_of(*equations, *lengths.back()) + fits_to) {
      equations = model.equations;
    } else {
      model.warnings.push_back(
          fmt::format("the derivatives that it tells are not those of its steps: they miss calls of {:.3g} s by {}",
                      lengths.back()->call, percent(missed)));
      model.source = ModelSource::probed;
    }
  }
  // of a nonlinear subsystem derivatives tell another motion than a probe: a smaller one
  if (told && candidate.how.found.linearity == Linearity::at_this_point) model.other_maps.push_back(*model.map);
  model.map = candidate.how.found.map;
  const auto& others = candidate.how.found.other_maps;
  model.other_maps.insert(model.other_maps.begin(), others.begin(), others.end());
  model.quality = candidate.how.found.quality;
  model.equations = candidate.equations = std::move(equations);
  if (!candidate.equations) return;
  for (Length& length : candidate.lengths)
    length.of_equations = length.maps && candidate.fits(*candidate.equations, length);
  model.solver_error = candidate.error_of(*candidate.equations, candidate.lengths.front());
  model.how += fmt::format("; its solver steps with the calls: at {:.3g} s it answers {} off its equations",
                           candidate.how.calls.length, percent(*model.solver_error));
}

void ProbedCalls::complete(std::vector<SubsystemModel>& models) {
  std::vector<Candidate*> all, with_solver;
  const auto model_of = [&](const Candidate& candidate) -> SubsystemModel& {
    return *std::ranges::find_if(models, [&](const SubsystemModel& model) { return model.name == candidate.how.name; });
  };
  for (Candidate& candidate : candidates_) all.push_back(&candidate);
  for (const double part : compared_parts) probe(all, part);
  std::vector<Candidate*> slow;
  std::ranges::copy_if(all, std::back_inserter(slow), [](const Candidate* c) { return c->is_seen_too_briefly(); });
  for (const double part : longer_parts) probe(slow, part);
  for (Candidate* candidate : all) {
    if (!know_equations(*candidate, model_of(*candidate))) with_solver.push_back(candidate);
  }
  std::vector<Candidate*> unsure = with_solver;
  for (const double part : further_parts) {
    probe(unsure, part);
    std::erase_if(unsure, [](const Candidate* candidate) {
      const auto limit = candidate->limit(1);
      return limit && limit->unsure() <= sure_enough;
    });
  }
  for (Candidate* candidate : with_solver) separate_solver(*candidate, model_of(*candidate));
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    SubsystemModel& model = model_of(candidates_[i]);
    model.equations = candidates_[i].equations;
    model.other_calls = std::make_shared<Calls>(shared_from_this(), i);
  }
}

}  // namespace seam::engine
