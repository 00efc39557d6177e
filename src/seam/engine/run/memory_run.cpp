#include "seam/engine/run/memory_run.hpp"

#include <chrono>
#include <limits>
#include <optional>

#include "seam/engine/run/micro_recording.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/record/recorder.hpp"

namespace seam::engine {
namespace {

/// The states of all subsystems that show them, at every row.
class StateRows final : public stepping::Observer {
 public:
  explicit StateRows(const assembly::Assembly& assembly) : assembly_(assembly), table_(table_of_states(assembly)) {}

  void sample(double t, const stepping::Row&) override {
    table_.columns[0].push_back(t);
    std::size_t column = 0;
    for (const assembly::Member& member : assembly_.members) {
      if (!member.subsystem) continue;
      for (const double state : member.subsystem->states()) table_.columns[++column].push_back(state);
    }
  }

  formats::Table& table() { return table_; }

 private:
  const assembly::Assembly& assembly_;
  formats::Table table_;
};

void name_the_end(const Live& live, MemoryRun& run) {
  if (run.result.member < 0) return;
  const assembly::Member& member = live.assembly->members[static_cast<std::size_t>(run.result.member)];
  run.ended_by = member.name;
  if (run.result.output >= 0) run.ended_by += "." + member.outputs[static_cast<std::size_t>(run.result.output)].name;
  if (member.subsystem && run.result.ending != stepping::Ending::diverged)
    run.complaint = member.subsystem->complaint();
}

}  // namespace

formats::Table table_of_states(const assembly::Assembly& assembly) {
  formats::Table table;
  table.names.emplace_back("time");
  for (const assembly::Member& member : assembly.members) {
    if (!member.subsystem) continue;
    const auto names = member.subsystem->state_names();
    for (std::size_t i = 0; i < member.subsystem->states().size(); ++i)
      table.names.push_back(member.name + "." + (i < names.size() ? names[i] : "state " + std::to_string(i + 1)));
  }
  table.units.resize(table.names.size());
  table.columns.resize(table.names.size());
  return table;
}

MemoryRun run_in_memory(const System& system, const RunSettings& settings, const MemoryOptions& asked) {
  const Kept kept = asked.kept;
  LiveOptions wanted;
  wanted.growth_limit = settings.growth_limit;
  wanted.fmus.logging = settings.fmu_logging;
  wanted.fmus.cache = asked.cache;
  wanted.watching = Watching::the_coupling;
  wanted.outputs = coupling::Outputs::wanted;
  const Live live = make_live(system, wanted);
  stepping::RunOptions options;
  if (kept != Kept::nothing) options.columns = select_columns(system, live.program);
  options.every = kept == Kept::nothing ? std::numeric_limits<base::Tick>::max() : steps_a_row(system);
  options.stop_asked = settings.stop_asked;
  options.clocked = stepping::RunOptions::Clocked::none;
  coupling::Memory memory = coupling::start(live.program);
  std::vector<formats::Table> none;
  std::vector<formats::Table>& spare = asked.spare ? *asked.spare : none;
  record::TableRecorder recorder(options.columns, kept == Kept::nothing ? formats::Table{} : taken_from(spare));
  std::optional<StateRows> states;
  if (kept == Kept::ports_and_states) states.emplace(*live.assembly);
  const MicroRecorders micro = micro_recorders_in_memory(live.program, spare);
  options.micro = micro.records(live.program);
  MemoryRun run;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<stepping::Observer*> observers;
  if (kept != Kept::nothing) observers.push_back(&recorder);
  if (states) observers.push_back(&*states);
  run.result = stepping::run(live.program, memory, options, observers);
  run.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.table = recorder.take();
  if (states) run.states = std::move(states->table());
  for (const auto& micro_recorder : micro.recorders)
    run.micro.push_back(static_cast<record::TableRecorder&>(*micro_recorder).take());
  if (live.monitors.energy) run.bonds = live.monitors.energy->energies(memory);
  name_the_end(live, run);
  if (run.result.ending == stepping::Ending::failed) run.complaint = run.result.message;
  return run;
}

System without_exchange(System system, load::ModelCache* cache) {
  LiveOptions options;
  options.horizon = Horizon::none;
  options.use = coupling::Use::probing;
  options.fmus.cache = cache;
  const Live live = make_live(system, options);
  const coupling::Memory memory = coupling::start(live.program);
  for (const coupling::Lane& lane : live.program.lanes) {
    for (const assembly::Wire& wire : live.assembly->wires) {
      if (wire.to != lane.member) continue;
      system::Connection& connection = system.description.connections[static_cast<std::size_t>(wire.connection)];
      connection.gain = 0.0;
      connection.offset = memory.values[static_cast<std::size_t>(lane.now[static_cast<std::size_t>(wire.input)])];
    }
  }
  system.description.bonds.clear();  // nothing goes through them
  return system;
}

}  // namespace seam::engine
