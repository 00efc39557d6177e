#include "seam/engine/predict/corrector_models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/coupling/catalog.hpp"
#include "seam/engine/predict/linear_models.hpp"

namespace seam::engine {
namespace {

bool wants_probed(const system::Plan& plan) {
  return !plan.corrector.name.empty() &&
         coupling::make_corrector(plan.corrector)->shape().models.source == coupling::ModelNeeds::Source::probed;
}

}  // namespace

std::vector<coupling::GivenModel> corrector_models(const System& system, std::vector<std::string>& notices) {
  std::vector<coupling::GivenModel> given;
  if (!wants_probed(system.plan)) return given;
  System bare = system;  // the motions of a probe are not to be mended
  bare.plan.corrector = {};
  LinearModelRequest request;
  const auto& subsystems = system.description.subsystems;
  for (const system::Subsystem& subsystem : subsystems) {
    if (subsystem.fmu()) request.subsystems.push_back(subsystem.name);
  }
  if (request.subsystems.empty()) return given;
  for (const analysis::SubsystemModel& model : linear_models(bare, request)) {
    const auto found = std::find_if(subsystems.begin(), subsystems.end(),
                                    [&](const system::Subsystem& subsystem) { return subsystem.name == model.name; });
    if (model.equations)
      given.push_back({static_cast<int>(found - subsystems.begin()), *model.equations});
    else
      notices.push_back(fmt::format("corrector: nothing was found out about {}: {}", model.name,
                                    model.map ? "no equations make its steps" : model.how));
    for (const std::string& warning : model.warnings)
      notices.push_back(fmt::format("corrector: {}: {}", model.name, warning));
  }
  return given;
}

}  // namespace seam::engine
