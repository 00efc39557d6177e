#include "seam/engine/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/run/accounts.hpp"
#include "seam/engine/run/micro_recording.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/engine/run/selection.hpp"
#include "seam/engine/run/state_file.hpp"
#include "seam/engine/run/threads.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/record/recorder.hpp"

namespace seam::engine {
namespace {

/// Names who ended a run early, and where its output goes.
void name_culprit(const coupling::Program& program, RunSummary& summary) {
  const stepping::RunResult& result = summary.result;
  if (result.member < 0) return;
  const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(result.member)];
  summary.culprit = member.name;
  if (member.subsystem && result.ending != stepping::Ending::diverged)
    summary.complaint = member.subsystem->complaint();
  if (result.output < 0) return;
  summary.culprit += "." + member.outputs[static_cast<std::size_t>(result.output)].name;
  for (const assembly::Wire& wire : program.assembly->wires) {
    if (wire.from == result.member && wire.output == result.output) {
      summary.culprit_sink = program.assembly->sink_name(wire);
      return;
    }
  }
}

LiveOptions live_options(const RunSettings& settings) {
  LiveOptions options;
  options.growth_limit = settings.growth_limit;
  options.fmus.logging = settings.fmu_logging;
  options.watching = Watching::the_coupling;
  options.outputs = coupling::Outputs::wanted;
  if (!settings.final_state.empty()) options.fmus.stop = load::FmuOptions::Stop::open;
  return options;
}

void say_remarks(const assembly::Assembly& assembly, RunSummary& summary) {
  for (const assembly::Member& member : assembly.members) {
    if (!member.subsystem) continue;
    const assembly::Diagnostics* const said = member.subsystem->facets().diagnostics;
    for (std::string& remark : said ? said->remarks() : std::vector<std::string>{})
      summary.notices.push_back(std::move(remark));
  }
}

/// Which events there are in this run, and which of them are not where they were asked for.
void say_events(const System& system, const coupling::Program& program, RunSummary& summary) {
  for (system::Landing& landing : system::landings(system.description.experiment, program.grid)) {
    if (landing.landed < summary.start) continue;
    if (!landing.remark.empty()) summary.notices.push_back(landing.remark);
    summary.events.push_back(std::move(landing));
  }
}

/// A run that arrived at a communication point can go on from there.
void save_final_state(const System& system, const Live& live, const coupling::Memory& memory,
                      const RunSettings& settings, RunSummary& summary) {
  const stepping::Ending ending = summary.result.ending;
  if (settings.final_state.empty()) return;
  if (ending != stepping::Ending::completed && ending != stepping::Ending::interrupted) {
    summary.notices.push_back("no final state was saved, since the run did not come to its end");
    return;
  }
  try {
    write_state(settings.final_state, frozen(system, live, memory, summary.result.time));
    summary.final_state = settings.final_state;
  } catch (const base::Error& error) {  // the results are there: nothing of them may get lost
    summary.state_complaint = fmt::format("the final state could not be saved: {}", error.what());
  }
}

}  // namespace

namespace {

/// Stability of small systems of our own models: probing them takes less time than opening a file.
std::optional<analysis::Stability> free_forecast(const Live& live, const coupling::Memory& memory) {
  constexpr std::size_t most_entries = 40;
  std::size_t entries = live.program.signals.size();
  for (const coupling::Lane& lane : live.program.lanes) {
    if (!lane.subsystem->shows_states() || !lane.subsystem->capabilities().affine) return std::nullopt;
    entries += lane.subsystem->states().size();
  }
  std::string unheard;
  if (entries > most_entries || live.assembly->wires.empty()) return std::nullopt;
  return analysis::stability(live.program, memory, unheard);
}

double stop_of(const coupling::Program& program) { return program.grid.time(program.ticks) + program.last_step; }

void say_what_is_not_recorded(const System& system, const Live& live, RunSummary& summary) {
  auto& notices = summary.notices;
  if (summary.columns == 0)
    notices.push_back(
        "nothing but the time was recorded: --variables chooses variables, NAME.locals and NAME.parameters among them "
        "(seam info lists those of an FMU)");
  std::ranges::move(selection_notices(system.description, *live.assembly), std::back_inserter(notices));
  std::ranges::move(micro_notices(live.program), std::back_inserter(notices));
  if (system.description.record.wants(system::CouplingRecord::correction) && !live.program.correction)
    notices.push_back("record.coupling: there is no corrector, so there is no correction to record");
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// One run of a system, from nothing to its end, or until it is to be started again.
class Attempt {
 public:
  Attempt(const System& system, const SavedState* saved, const RunSettings& settings, ThreadChoice& threads)
      : system_(system), saved_(saved), settings_(settings), threads_(threads) {}

  RunSummary operator()() {
    const Clock::time_point begin = Clock::now();
    LiveOptions wanted = live_options(settings_);
    wanted.assignment = threads_.assignment();
    const Live live = make_live(system_, wanted);
    if (saved_ || !settings_.final_state.empty()) require_states_can_be_saved(system_, live);
    stepping::RunOptions options = run_options(live);
    RunSummary summary;
    summary.file = settings_.file.empty() ? result_file(system_) : settings_.file;
    check_no_input(system_, summary.file);
    summary.path = std::filesystem::absolute(summary.file).string();
    summary.threads = threads_.threads();
    coupling::Memory memory =
        saved_ ? resumed(system_, live, *saved_, settings_.initial_state) : coupling::start(live.program);
    summary.start = live.program.grid.time(memory.tick);
    summary.notices = live.assembly->notices;
    say_events(system_, live.program, summary);
    if (!saved_) summary.forecast = free_forecast(live, memory);
    const auto recorder = record::make_recorder(summary.path, options.columns);
    const MicroRecorders micro = micro_recorders(live.program, summary.file, summary.path);
    options.micro = micro.records(live.program);
    std::optional<coupling::ParallelSteps> shares;
    if (live.team) shares.emplace(live.program, *live.team, threads_of_lanes(threads_.assignment(), live.program));
    options.shares = shares ? &*shares : nullptr;
    if (shares && threads_.one_thread_step() > 0.0)
      shares->compare_with(threads_.one_thread_step() + seconds_since(begin) / static_cast<double>(live.program.ticks));
    if (threads_.measures())
      options.judge = [&, setup = seconds_since(begin)](const stepping::Costs& costs, base::Tick steps) {
        return threads_.judge(costs, {live.program, steps, setup});
      };
    const Clock::time_point first_step = Clock::now();
    stepping::GrowthWatch growth(options.columns, summary.start, stop_of(live.program));
    summary.result = stepping::run(live.program, memory, options, {recorder.get(), &growth});
    summary.wall_time = seconds_since(first_step);
    if (summary.result.starts_again) {
      if (shares) threads_.go_back();
      return summary;
    }
    summary.growth = growth.found();
    tell_records(live, *recorder, micro, summary);
    engine::tell(live.monitors, memory, summary);
    tell(live, memory, summary);
    save_final_state(system_, live, memory, settings_, summary);
    tell_of_held_outputs(system_, live, memory, summary);
    return summary;
  }

 private:
  stepping::RunOptions run_options(const Live& live) const {
    stepping::RunOptions options;
    options.columns = select_columns(system_, live.program);
    add_columns(live.monitors, system_.description.record, options.columns);
    options.every = steps_a_row(system_);
    options.stop_asked = settings_.stop_asked;
    options.progress = settings_.progress;
    return options;
  }

  void tell_records(const Live& live, const record::Recorder& recorder, const MicroRecorders& micro,
                    RunSummary& summary) const {
    summary.rows = recorder.rows();
    summary.columns = recorder.variables();
    for (std::string& notice : recorder.notices()) summary.notices.push_back(std::move(notice));
    say_what_is_not_recorded(system_, live, summary);
    for (std::size_t i = 0; i < micro.files.size(); ++i)
      summary.micro.push_back({micro.subsystems[i], micro.files[i], micro.recorders[i]->rows()});
  }

  void tell(const Live& live, const coupling::Memory& memory, RunSummary& summary) const {
    account_for_time(live.program, summary);
    summary.fmus = fmu_versions(system_);
    say_remarks(*live.assembly, summary);
    if (live.program.correction) tell_of_corrector(live.program, memory, summary);
    if (!threads_.words().empty()) summary.notices.push_back(threads_.words());
    name_culprit(live.program, summary);
    if (summary.result.ending == stepping::Ending::failed) summary.complaint = summary.result.message;
  }

  const System& system_;
  const SavedState* saved_;
  const RunSettings& settings_;
  ThreadChoice& threads_;
};

}  // namespace

RunSummary run(const System& asked, const RunSettings& settings) {
  const fmi::HostGuard guard;  // an FMU may leave the working folder and more changed at any time
  check_files(asked, settings);
  std::optional<SavedState> saved;
  if (!settings.initial_state.empty()) saved = read_state(settings.initial_state);
  const std::optional<System> goes_on =
      saved ? std::optional(continued(asked, *saved, settings.initial_state)) : std::nullopt;
  const System& system = goes_on ? *goes_on : asked;
  ThreadChoice threads(system);
  for (;;) {  // on one thread; on several, if they gain; on one again, if they do not
    RunSummary summary = Attempt(system, saved ? &*saved : nullptr, settings, threads)();
    if (!summary.result.starts_again) return summary;
  }
}

std::string resolved_text(const System& system) {
  const bool complete = !system.description.plan.has_auto();
  return load::resolved_text(system.description, complete ? &system.plan : nullptr);
}

record::Comparison compare(const record::FileComparison& files) {
  base::Problems problems;
  record::Comparison comparison = record::compare_files(files, problems);
  base::require_none(problems);
  return comparison;
}

analysis::Stability analyse(const System& system) {
  LiveOptions options{Horizon::none};
  options.use = coupling::Use::probing;
  const Live live = make_live({system.description, coupling::linearised(system.plan)}, options);
  const coupling::Memory memory = coupling::start(live.program);
  std::string reason;
  auto result = analysis::stability(live.program, memory, reason);
  if (!result) cannot(system, "the stability of this coupling cannot be known", reason);
  return std::move(*result);
}

}  // namespace seam::engine
