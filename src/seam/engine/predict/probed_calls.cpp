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
/// Where slow motions were hardly seen, and are not even at ten times the calls; as long as the record of such calls is
/// a small part of the experiment.
constexpr double longer_parts[] = {10.0 / 3.0, 5.0, 10.0};
constexpr double far_longer[] = {10.0, 100.0};
constexpr double part_of_experiment = 0.1;
/// Where the solver is separated from the equations, unless those tell it: short calls have less of it, long ones show
/// slow motions.
constexpr double further_parts[] = {1.0 / 10.0, 1.0 / 20.0, 1.0 / 30.0, 10.0 / 3.0, 5.0, 10.0};
/// A map that misses a fresh excitation by more is none, unless the plan's map misses it, too.
constexpr double largest_error = 1e-3;

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

ProbedCalls::ProbedCalls(System system, const LinearModelRequest& request, std::vector<ProbeCandidate> candidates)
    : system_(std::move(system)), request_(request) {
  request_.progress = {};
  for (ProbeCandidate& one : candidates) {
    if (!one.kept || one.kept->setup().calls_a_sample > 1) continue;
    Candidate candidate{std::move(one)};
    const SubsystemModel& found = candidate.how.found;
    Length plan{candidate.how.calls.length, found.map->degree, candidate.how.kept,
                CallMaps{*found.map, found.other_maps}, candidate.how.kept->error_beyond_rounding(*found.map)};
    candidate.lengths.push_back(std::move(plan));
    candidates_.push_back(std::move(candidate));
  }
}

void ProbedCalls::take(Candidate& candidate, const ProbeTask& task) {
  Length length{task.probe->setup().call, task.probe->setup().degree, task.failure.empty() ? task.probe : nullptr};
  SubsystemModel model;
  const auto& told = candidate.how.told;
  if (length.probe) model = length.probe->conclude(told ? told->equations : std::nullopt);
  // a solver that does not see all calls apart is not the same from call to call
  const double allowed = std::max(largest_error, 10.0 * candidate.how.found.quality->prediction_error);
  if (model.map && model.quality->prediction_error <= allowed) {
    length.maps = CallMaps{*model.map, model.other_maps};
    length.error = length.probe->error_beyond_rounding(*model.map);
  }
  length.of_equations = length.probe && candidate.explains(length);
  candidate.lengths.push_back(std::move(length));
  // calls so short that they were taken for exact: others tell the solver
  const bool may_have_a_solver =
      candidate.equations && !candidate.is_separated && candidate.solver.method == analysis::InnerSolver::Method::exact;
  if (may_have_a_solver && candidate.lengths.back().maps && !candidate.lengths.back().of_equations) candidate.learn();
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
    if (is_same_length(other.how.calls.length, wanted.how.calls.length)) alike.push_back(&other);
  }
  probe(alike, call / wanted.how.calls.length, degree);
  const Length* found = wanted.at(call, degree);
  return found ? wanted.maps_of(*found) : std::nullopt;
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
  } else if (!linear || candidate.told_holds || !candidate.made_by_all_lengths(plan)) {
    if (candidate.told_holds && !linear) model.other_maps.push_back(*model.map);
    model.map = found.map;
    if (candidate.told_holds)
      model.other_maps.insert(model.other_maps.begin(), found.other_maps.begin(), found.other_maps.end());
    model.quality = found.quality;
  }
  model.solver_error = candidate.error_of(*candidate.equations, plan);
  if (!candidate.near.empty()) {
    model.how += fmt::format("; its solver adds {} at most to its calls", percent(candidate.near_error));
  } else {
    model.how +=
        "; its solver " + (candidate.is_separated ? "steps with the calls" : "makes " + words(candidate.solver));
  }
}

void ProbedCalls::write(std::size_t number, SubsystemModel& model) {
  const Candidate& candidate = candidates_[number];
  const auto feedthrough = std::move(model.feedthrough);
  if (candidate.lists_no_states()) {
    model = candidate.how.found;
  } else if (candidate.how.told) {
    model = candidate.told_holds ? borne_out(candidate) : contradicted(candidate);
  }
  model.feedthrough = feedthrough;
  if (candidate.how.found.linearity == Linearity::linear && !candidate.told_holds) {
    CallMaps maps = *candidate.maps_of(candidate.lengths.front());
    model.map = std::move(maps.map);
    model.other_maps = std::move(maps.others);
  }
  model.equations = candidate.equations;
  model.other_calls = std::make_shared<Calls>(shared_from_this(), number);
  const bool has_solver = candidate.is_separated || candidate.solver.method != analysis::InnerSolver::Method::exact;
  if (has_solver && candidate.equations) add_solver(candidate, model);
}

void ProbedCalls::complete(std::vector<SubsystemModel>& models) {
  std::vector<Candidate*> all, open, slow, with_solver;
  for (Candidate& candidate : candidates_) all.push_back(&candidate);
  for (const double part : compared_parts) probe(all, part);
  const auto is_told = [](Candidate* candidate) { return candidate->how.told && candidate->know_told(); };
  std::ranges::copy_if(all, std::back_inserter(open), [&](Candidate* candidate) { return !is_told(candidate); });
  std::ranges::copy_if(open, std::back_inserter(slow), [](const Candidate* candidate) {
    const bool shows_no_solver =
        candidate->how.told && candidate->by_length().size() < 2;  // only multiples of its step
    return shows_no_solver || candidate->is_seen_too_briefly();
  });
  for (const double part : longer_parts) probe(slow, part);
  for (const double farther : far_longer) {
    const system::Experiment& experiment = system_.description.experiment;
    std::erase_if(slow, [&](const Candidate* candidate) {
      const double record =
          farther * longer_parts[0] * candidate->how.calls.length * candidate->lengths.front().probe->samples();
      return !candidate->is_seen_too_briefly() ||
             (experiment.stop && record > part_of_experiment * (*experiment.stop - experiment.start));
    });
    for (const double part : longer_parts) probe(slow, farther * part);
  }
  for (Candidate* candidate : open) {
    if (!candidate->learn()) with_solver.push_back(candidate);
  }
  probe(with_solver, longer_parts[0]);
  std::vector<Candidate*> unsure = with_solver;
  for (const double part : further_parts) {
    probe(unsure, part);
    std::erase_if(unsure, [](const Candidate* candidate) { return candidate->limit_is_sure(); });
  }
  for (Candidate* candidate : with_solver) candidate->separate_solver();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    write(i, *std::ranges::find(models, candidates_[i].how.name, &SubsystemModel::name));
}

}  // namespace seam::engine
