#include "seam/engine/predict/known_models.hpp"

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/engine/predict/operating_point.hpp"

namespace seam::engine {
namespace {

using analysis::SubsystemModel;

/// After so many macro steps the system is looked at again.
constexpr base::Tick later_steps[] = {5, 20, 100};

bool is_fmu(const System& system, const std::string& name) {
  const auto& all = system.description.subsystems;
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name && system::is_fmu(one); });
}

/// Built-in models whose step is not affine.
std::vector<std::string> nonlinear_models(const System& system) {
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu() || subsystem.is_signal) continue;
    names.push_back(subsystem.name);
  }
  if (names.empty()) return names;
  base::Problems problems;
  const auto assembly = load::assemble(system.description, system.plan, {}, problems);
  base::require_none(problems);
  std::erase_if(names, [&](const std::string& name) {
    const auto& members = assembly->members;
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
    return !found->subsystem || found->subsystem->capabilities().affine;
  });
  return names;
}

/// The equations at the end of the step: a motion may leave a kink at once.
void take_step_for_instant(SubsystemModel& model) {
  if (model.after_step) model.equations = model.after_step;
}

}  // namespace

std::vector<SubsystemModel> models_of_nonlinear(const System& system, const LinearModelRequest& request) {
  LinearModelRequest wanted = request;
  wanted.subsystems = nonlinear_models(system);
  const std::size_t built_in = wanted.subsystems.size();
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (subsystem.fmu()) wanted.subsystems.push_back(subsystem.name);
  }
  if (wanted.subsystems.empty()) return {};
  std::vector<SubsystemModel> models = linear_models(system, wanted);
  for (SubsystemModel& model : models) {
    if (built_in > 0 && !is_fmu(system, model.name)) take_step_for_instant(model);
  }
  return models;
}

std::vector<LaterPoint> look_later(const System& system, const std::vector<SubsystemModel>& models,
                                   const std::optional<double>& time) {
  const bool built_in = std::any_of(models.begin(), models.end(), [&](const SubsystemModel& model) {
    return !is_fmu(system, model.name) && model.linearity != analysis::Linearity::linear;
  });
  std::vector<LaterPoint> points;
  if (!built_in) return points;
  LinearModelRequest request;
  request.time = time;
  OperatingPoint at = reach(system, request);
  const coupling::Program& program = at.program();
  base::Tick made = 0;
  for (const base::Tick steps : later_steps) {
    const base::Tick ahead = (steps - made) * program.hyper_period();
    const double then = program.grid.time(at.memory.tick + ahead + program.hyper_period());
    if (system.description.experiment.stop && then > *system.description.experiment.stop) break;
    if (coupling::advance(program, at.memory, ahead).outcome != base::Outcome::accepted) break;
    made = steps;
    std::vector<SubsystemModel> there = models;
    for (SubsystemModel& model : there) {
      if (is_fmu(system, model.name)) continue;
      for (const coupling::Lane& lane : program.lanes) {
        if (at.member(lane).name == model.name) model = known_model(system, at, lane);
      }
      take_step_for_instant(model);
    }
    if (const auto radius = radius_of(Rehearsal(system, there, Rehearsal::Replaced::nonlinear), system.plan))
      points.push_back({at.time(), *radius});
  }
  return points;
}

}  // namespace seam::engine
