#include "seam/engine/predict/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/base/error.hpp"
#include "seam/base/grid.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/system/resolve.hpp"

namespace seam::engine {

using analysis::SubsystemModel;

Rehearsal::Rehearsal(const System& system, const std::vector<SubsystemModel>& models, Replaced replaced)
    : system_(system),
      stand_ins_(system.description.subsystems.size()),
      can_send_fresh_(system.description.subsystems.size(), true) {
  base::Problems said_before;
  for (const system::SubsystemPlanRequest& asked : system::spread(system.description, said_before).subsystems)
    given_micro_steps_.push_back(asked.micro_step.has_value());
  const auto& subsystems = system.description.subsystems;
  if (replaced == Replaced::fmus && !system::has_fmus(system.description)) return;
  const bool probed = wants_probed_models(system.plan);
  base::Problems problems;
  load::FmuOptions options;
  options.cache = models_.get();
  const auto assembly = load::assemble(system.description, system.plan, options, problems);
  base::require_none(problems);
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    const assembly::Subsystem* original = assembly->members[i].subsystem.get();
    can_shorten_ = can_shorten_ && (!original || original->capabilities().can_shorten);
    if (!original || (!subsystems[i].fmu() && (replaced == Replaced::fmus || original->capabilities().affine)))
      continue;
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const SubsystemModel& model) { return model.name == subsystems[i].name; });
    if (found != models.end() && found->map) {
      stand_ins_[i].emplace(*found, *original);
      if (probed) stand_ins_[i]->offer_all();
      if (load::is_fresh_in_event_mode(subsystems[i])) stand_ins_[i]->allow_evaluation();
      can_send_fresh_[i] = stand_ins_[i]->capabilities().can_evaluate;
    } else if (subsystems[i].fmu()) {
      problems.add(subsystems[i].where, fmt::format("there is no linear model of \"{}\"{}", subsystems[i].name,
                                                    found == models.end() ? "" : ": " + found->how));
    }
  }
  base::require_none(problems);
}

bool Rehearsal::has_stand_ins() const {
  return std::any_of(stand_ins_.begin(), stand_ins_.end(), [](const auto& stand_in) { return stand_in.has_value(); });
}

bool Rehearsal::probes() const {
  return std::any_of(stand_ins_.begin(), stand_ins_.end(),
                     [](const auto& stand_in) { return stand_in && stand_in->model().other_calls; });
}

bool Rehearsal::is_nonlinear() const {
  return std::any_of(stand_ins_.begin(), stand_ins_.end(), [](const auto& stand_in) {
    return stand_in && stand_in->model().linearity != analysis::Linearity::linear &&
           !stand_in->model().other_maps.empty();
  });
}

bool Rehearsal::is_made_of_equations() const {
  return std::all_of(stand_ins_.begin(), stand_ins_.end(), [](const auto& stand_in) {
    return !stand_in || !stand_in->model().other_calls || stand_in->model().other_calls->are_of_equations();
  });
}

std::optional<Rehearsal> Rehearsal::without_solvers() const {
  Rehearsal exact = *this;
  bool changed = false;
  for (auto& stand_in : exact.stand_ins_) {
    if (!stand_in || !stand_in->model().solver_error) continue;
    stand_in->solve_exactly();
    changed = true;
  }
  return changed ? std::optional(std::move(exact)) : std::nullopt;
}

void Rehearsal::try_records(const std::function<void(std::size_t, const Rehearsal&)>& look) const {
  Rehearsal changed = *this;
  for (std::size_t i = 0; i < stand_ins_.size(); ++i) {
    const std::size_t records = stand_ins_[i] ? stand_ins_[i]->model().other_maps.size() : 0;
    for (std::size_t record = 0; record < records; ++record) {
      changed.stand_ins_[i]->take_record(record);
      look(i, changed);
    }
    if (records > 0) changed.stand_ins_[i]->take_record(std::nullopt);
  }
}

Live Rehearsal::live(const system::Plan& plan) const {
  load::FmuOptions fmus;
  fmus.cache = models_.get();
  fmus.in_its_place = [this](int subsystem) -> std::unique_ptr<assembly::Subsystem> {
    const auto& stand_in = stand_ins_[static_cast<std::size_t>(subsystem)];
    return stand_in ? std::make_unique<analysis::StandIn>(*stand_in) : nullptr;
  };
  base::Problems problems;
  const system::Plan complete = coupling::linearised(with_compensators(plan, problems));
  base::require_none(problems);
  auto assembly = load::assemble(system_.description, complete, fmus, problems);
  base::require_none(problems);
  Live live;
  live.assembly = std::make_unique<assembly::Assembly>(std::move(*assembly));
  coupling::CompileOptions options;
  options.start = system_.description.experiment.start;
  options.use = coupling::Use::probing;
  auto program = coupling::compile(*live.assembly, complete, options, problems);
  base::require_none(problems);
  live.program = std::move(*program);
  return live;
}

const analysis::EquationPoles& Rehearsal::equation_poles() const {
  if (!equation_poles_) {
    const Live live_plan = live(system_.plan);
    coupling::start(live_plan.program);
    equation_poles_ = analysis::equation_poles(*live_plan.assembly, system_.description.experiment.start);
  }
  return *equation_poles_;
}

system::Plan Rehearsal::with_compensators(system::Plan plan, base::Problems& problems) const {
  analysis::complete_compensators(system_.description, plan, problems);
  return plan;
}

system::Plan Rehearsal::with_feedthrough(system::Plan plan, system::Feedthrough way) const {
  for (std::size_t i = 0; i < plan.subsystems.size(); ++i)
    plan.subsystems[i].feedthrough = can_send_fresh_[i] ? way : system::Feedthrough::held;
  return plan;
}

system::Plan Rehearsal::with_step(double step) const {
  system::Plan plan = system_.plan;
  plan.step = step;
  for (std::size_t i = 0; i < plan.subsystems.size(); ++i) {
    if (given_micro_steps_[i]) continue;
    const auto& solver_step = system_.description.subsystems[i].solver_step;
    double& micro_step = plan.subsystems[i].micro_step;
    if (solver_step && *solver_step < plan.subsystems[i].multiple * step) {
      micro_step = *solver_step;
    } else {
      micro_step = plan.subsystems[i].multiple * step / 10.0;
    }
  }
  return plan;
}

std::optional<double> Rehearsal::step_unit() const {
  std::optional<double> unit;
  for (std::size_t i = 0; i < system_.plan.subsystems.size(); ++i) {
    const system::SubsystemPlan& own = system_.plan.subsystems[i];
    std::vector<double> given;
    if (given_micro_steps_[i]) given.push_back(own.micro_step);
    if (system_.description.subsystems[i].solver_step) given.push_back(*system_.description.subsystems[i].solver_step);
    if (const auto& suggested = system_.description.subsystems[i].suggested.step_unit) given.push_back(*suggested);
    for (const double length : given) {
      const double needed = length / own.multiple;
      unit = base::common_multiple(unit.value_or(needed), needed);
      if (!unit) return std::nullopt;
    }
  }
  return unit.value_or(0.0);
}

}  // namespace seam::engine
