#include "seam/engine/linear_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/probing.hpp"
#include "seam/fmi/host_guard.hpp"
#include "seam/load/time_flag.hpp"

namespace seam::engine {
namespace {

using analysis::ModelSource;
using analysis::SubsystemModel;
using coupling::Lane;

void check(const System& system, const LinearModelRequest& request) {
  base::Problems problems;
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : system.description.subsystems) names.push_back(subsystem.name);
  for (const std::string& name : request.subsystems) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      problems.add({}, fmt::format("there is no subsystem \"{}\"", name), base::did_you_mean(name, names));
  }
  const system::Experiment& experiment = system.description.experiment;
  const bool early = request.time && !(*request.time >= experiment.start);
  if (early || (request.time && experiment.stop && *request.time > *experiment.stop))
    problems.add({}, fmt::format("the operating point at {} s lies outside the experiment", *request.time),
                 experiment.stop ? fmt::format("it runs from {} s to {} s", experiment.start, *experiment.stop)
                                 : fmt::format("it begins at {} s", experiment.start));
  base::require_none(problems);
}

/// Where nothing but the direct feed-through is told. One step later than the operating point, since the derivatives of
/// a co-simulation are those of the end of a step.
void add_feedthrough(const OperatingPoint& at, const Lane& lane, SubsystemModel& model) {
  if (model.source != ModelSource::none || lane.inputs == 0 || !lane.subsystem->capabilities().can_evaluate) return;
  try {
    model.feedthrough = analysis::direct_feedthrough(*lane.subsystem, at.time(), at.inputs_of(lane), lane.outputs);
  } catch (const base::Error&) {  // the model has to do without
  }
}

}  // namespace

double operating_time(const std::string& text) {
  base::Problems problems;
  const auto time = load::read_time_flag("--at", text, problems);
  base::require_none(problems);
  return time->seconds;
}

std::vector<SubsystemModel> linear_models(const System& system, const LinearModelRequest& request) {
  const fmi::HostGuard guard;
  check(system, request);
  std::vector<SubsystemModel> models;
  Probing probing(system, request);
  {
    OperatingPoint at = reach(system, request);
    const auto& wanted = request.subsystems;
    std::vector<const Lane*> lanes;
    for (const Lane& lane : at.program().lanes) {
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), at.member(lane).name) != wanted.end())
        lanes.push_back(&lane);
    }
    models.reserve(lanes.size());  // candidates point at them
    for (const Lane* lane : lanes) {
      models.push_back(known_model(system, at, *lane));
      if (models.back().source == ModelSource::none && models.back().how.empty()) probing.add(at, *lane, models.back());
    }
    const bool steps_on =
        probing.any() &&
        coupling::advance(at.program(), at.memory, at.program().hyper_period()).outcome == base::Outcome::accepted;
    for (std::size_t i = 0; steps_on && i < lanes.size(); ++i) add_feedthrough(at, *lanes[i], models[i]);
    if (steps_on) probing.watch(at);
  }
  probing.run();
  return models;
}

}  // namespace seam::engine
