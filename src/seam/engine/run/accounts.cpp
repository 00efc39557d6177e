#include "seam/engine/run/accounts.hpp"

#include <algorithm>

#include "seam/load/fmu_subsystem.hpp"

namespace seam::engine {

void account_for_time(const coupling::Program& program, RunSummary& summary) {
  const stepping::Timing& timing = summary.result.timing;
  summary.times.watched_steps = timing.steps;
  if (timing.steps == 0) return;
  double left = summary.wall_time;
  for (const coupling::Lane& lane : program.lanes) {
    const auto member = static_cast<std::size_t>(lane.member);
    const double seconds = timing.lanes[member] * static_cast<double>(summary.result.steps);
    summary.times.subsystems.emplace_back(program.assembly->members[member].name, seconds);
    left -= seconds;
  }
  if (timing.looks > 0) summary.times.recording = timing.look * static_cast<double>(summary.rows) + timing.finish;
  if (summary.threads > 1) {  // side by side they take longer than the clock
    summary.times.engine = timing.rest * static_cast<double>(summary.result.steps);
    return;
  }
  summary.times.engine = std::max(0.0, left - summary.times.recording.value_or(0.0));
}

std::vector<FmuVersion> fmu_versions(const System& system) {
  std::vector<FmuVersion> versions;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    const auto fmu = load::fmu_of(subsystem);
    if (!fmu) continue;
    const fmi::ModelDescription& description = fmu->description;
    versions.push_back({subsystem.name, subsystem.fmu()->path, description.version_text, description.model_version,
                        description.generation_tool, fmu->hash});
  }
  return versions;
}

}  // namespace seam::engine
