#include "seam/engine/predict/divided_run.hpp"

#include "seam/engine/run/recording.hpp"

namespace seam::engine {
namespace {

System with_step_divided(System system, int parts) {
  system.plan.step /= parts;
  for (system::SubsystemPlan& subsystem : system.plan.subsystems) subsystem.micro_step /= parts;
  return system;
}

}  // namespace

DividedRun run_divided(const System& system, const RunSettings& settings, const Division& division) {
  const System finer = with_step_divided(system, division.parts);
  LiveOptions options;
  options.growth_limit = settings.growth_limit;
  options.fmus.logging = settings.fmu_logging;
  options.outputs = coupling::Outputs::wanted;
  const Live live = make_live(finer, options);
  DividedRun run;
  run.columns = select_columns(finer, live.program);
  stepping::RunOptions stepping;
  stepping.columns = run.columns;
  stepping.every = division.every;
  stepping.stop_asked = settings.stop_asked;
  stepping.progress = settings.progress;
  coupling::Memory memory = coupling::start(live.program);
  run.result = stepping::run(live.program, memory, stepping, {&run.kept});
  if (run.result.member >= 0) run.ended_by = live.assembly->members[static_cast<std::size_t>(run.result.member)].name;
  return run;
}

}  // namespace seam::engine
