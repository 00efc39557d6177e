#include "seam/engine/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "seam/analysis/reference.hpp"
#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/state_file.hpp"
#include "seam/fmi/host_guard.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/record/recorder.hpp"

namespace seam::engine {
namespace {

using stepping::Column;

/// Binaries are recorded only if somebody names them.
bool is_bulky(const Column& column) { return column.type == system::PortType::binary; }

bool chosen(const std::string& pattern, const Column& column, const std::string& member) {
  const bool by_direction_outputs = pattern.ends_with(".outputs") && column.direction == stepping::Direction::output;
  const bool by_direction_inputs = pattern.ends_with(".inputs") && column.direction == stepping::Direction::input;
  if (base::matches(pattern, column.name)) return true;
  if (is_bulky(column)) return false;
  if (!by_direction_outputs && !by_direction_inputs) return false;
  const std::string owner = pattern.substr(0, pattern.rfind('.'));
  return base::matches(owner, member);
}

base::Tick every(const System& system) {
  if (!system.description.record.every) return 1;
  return std::max<base::Tick>(1, base::divide(*system.description.record.every, system.plan.step).whole);
}

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

/// The values of the columns at a point of the monolithic solution.
void read_row(const std::vector<Column>& columns, const assembly::Assembly& assembly, const assembly::PortValues& ports,
              stepping::Row& row) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool output = columns[i].direction == stepping::Direction::output;
    const auto member = static_cast<std::size_t>(columns[i].member), port = static_cast<std::size_t>(columns[i].port);
    if (i < row.numbers.size()) {
      row.numbers[i] = (output ? ports.outputs : ports.inputs)[member][port];
      continue;
    }
    const auto& described = output ? assembly.members[member].outputs : assembly.members[member].inputs;
    row.parcels[i - row.numbers.size()] =
        (output ? ports.parcels_out : ports.parcels_in)[member][port - system::count_reals(described)];
  }
}

/// Every file this system was read from.
std::vector<std::string> input_files(const System& system) {
  std::vector<std::string> files;
  if (system.description.where.source) {
    const std::string& name = system.description.where.source->name;
    const std::size_t inside = name.rfind(".ssp/");  // a description in a package
    files.push_back(inside == std::string::npos ? name : name.substr(0, inside + 4));
  }
  for (const system::Event& event : system.description.experiment.events) {  // a scenario's file is another one
    if (event.where.source) files.push_back(event.where.source->name);
  }
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    if (!subsystem.fmu.empty()) files.push_back(subsystem.fmu);
    for (const system::Setting& setting : subsystem.set) {
      if (setting.name == "file")
        files.push_back((std::filesystem::path(system.description.folder) / setting.value.text).string());
    }
  }
  return files;
}

/// A result must not replace what it was computed from.
void check_no_input(const System& system, const std::string& file) {
  for (const std::string& input : input_files(system)) {
    std::error_code unknown;
    if (!std::filesystem::equivalent(file, input, unknown) || unknown) continue;
    base::Problems problems;
    problems.add(system.description.record.file_where,
                 fmt::format("the result would replace \"{}\", which this system is read from", input),
                 "give another file with -o");
    throw base::ProblemsFound(problems);
  }
}

/// Results are CSV so far; a file that promises another format would disappoint whoever opens it.
void check_format(const System& system, const std::string& file) {
  for (const char* other : {".mat", ".h5", ".hdf5"}) {
    if (!file.ends_with(other)) continue;
    base::Problems problems;
    problems.add(system.description.record.file_where,
                 fmt::format("results as {} are not yet supported: \"{}\"", other, file), "name it .csv");
    throw base::ProblemsFound(problems);
  }
}

[[noreturn]] void cannot(const System& system, const std::string& what, const std::string& reason) {
  base::Problems problems;
  problems.add(system.description.where, what + ": " + reason);
  throw base::ProblemsFound(problems);
}

}  // namespace

std::vector<Column> select_columns(const System& system, const coupling::Program& program) {
  const std::vector<Column> all = stepping::all_columns(program);
  const auto& patterns = system.description.record.variables;
  std::vector<Column> selected;
  if (patterns.empty()) {
    const auto is_wired = [](const Column& column) { return column.connected && !is_bulky(column); };
    if (std::none_of(all.begin(), all.end(), is_wired)) return all;
    for (const Column& column : all) {
      if (is_wired(column) || column.changed_by_events) selected.push_back(column);
    }
    return selected;
  }
  const auto member_of = [&](const Column& column) -> const std::string& {
    return program.assembly->members[static_cast<std::size_t>(column.member)].name;
  };
  base::Problems problems;
  std::vector<std::string> names;
  for (const Column& column : all) names.push_back(column.name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool any = false;
    for (const Column& column : all) any = any || chosen(patterns[i], column, member_of(column));
    if (!any) {
      const auto& places = system.description.record.variables_where;
      problems.add(i < places.size() ? places[i] : base::Location{}, "no variable matches \"" + patterns[i] + "\"",
                   base::did_you_mean(patterns[i], names));
    }
  }
  base::require_none(problems);
  for (const Column& column : all) {
    for (const std::string& pattern : patterns) {
      if (!chosen(pattern, column, member_of(column))) continue;
      selected.push_back(column);
      break;
    }
  }
  return selected;
}

namespace {

/// <name><suffix> in the current folder.
std::string default_file(const System& system, const std::string& suffix) {
  std::string name = system.description.name;
  std::replace(name.begin(), name.end(), '/', '_');  // a name is no path
  return name + suffix;
}

}  // namespace

std::string result_file(const System& system) {
  return system.description.record.file.value_or(default_file(system, ".csv"));
}

namespace {

LiveOptions live_options(const RunSettings& settings) {
  LiveOptions options;
  options.growth_limit = settings.growth_limit;
  options.fmus.logging = settings.fmu_logging;
  if (!settings.final_state.empty()) options.fmus.stop = load::FmuWishes::Stop::open;
  return options;
}

void say_remarks(const assembly::Assembly& assembly, RunSummary& summary) {
  for (const assembly::Member& member : assembly.members) {
    if (!member.subsystem) continue;
    for (std::string& remark : member.subsystem->remarks()) summary.notices.push_back(std::move(remark));
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

void check_files(const System& system, const RunSettings& settings) {
  const std::string result = settings.file.empty() ? result_file(system) : settings.file;
  std::vector<std::string> read = input_files(system);
  if (!settings.initial_state.empty()) read.push_back(settings.initial_state);
  const std::vector<std::pair<const char*, std::string>> written = {
      {"the result", result}, {"the final state", settings.final_state}, {"the log", settings.log_file}};
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code unknown;
    return std::filesystem::equivalent(a, b, unknown) ||
           std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
  };
  base::Problems problems;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [what, file] = written[i];
    if (file.empty()) continue;
    for (const std::string& input : read) {
      if (same(file, input))
        problems.add({}, fmt::format("{} would replace \"{}\", which this run reads", what, input),
                     "give another file" + std::string(i == 0 ? " with -o" : ""));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!written[k].second.empty() && same(file, written[k].second))
        problems.add({}, fmt::format("{} and {} cannot both be \"{}\"", written[k].first, what, file));
    }
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (i > 0 && !std::filesystem::is_directory(folder))
      problems.add({}, fmt::format("there is no folder for {}: \"{}\"", what, file));
  }
  base::require_none(problems);
}

RunSummary run(const System& asked, const RunSettings& settings) {
  const fmi::HostGuard guard;  // an FMU may leave the working folder and more changed at any time
  check_files(asked, settings);
  std::optional<SavedState> saved;
  if (!settings.initial_state.empty()) saved = read_state(settings.initial_state);
  const System system = saved ? continued(asked, *saved, settings.initial_state) : asked;
  const Live live = make_live(system, live_options(settings));
  if (saved || !settings.final_state.empty()) require_states_can_be_saved(system, live);
  stepping::RunOptions options;
  options.columns = select_columns(system, live.program);
  options.every = every(system);
  options.stop_asked = settings.stop_asked;
  options.progress = settings.progress;
  RunSummary summary;
  summary.file = settings.file.empty() ? result_file(system) : settings.file;
  check_format(system, summary.file);
  check_no_input(system, summary.file);
  summary.path = std::filesystem::absolute(summary.file).string();
  summary.columns = options.columns.size();
  coupling::Memory memory =
      saved ? resumed(system, live, *saved, settings.initial_state) : coupling::start(live.program);
  summary.start = live.program.grid.time(memory.tick);
  summary.notices = live.assembly->notices;
  say_events(system, live.program, summary);
  record::CsvRecorder recorder(summary.path, options.columns);
  const auto begin = std::chrono::steady_clock::now();
  summary.result = stepping::run(live.program, memory, options, {&recorder});
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.rows = recorder.rows();
  say_remarks(*live.assembly, summary);
  name_culprit(live.program, summary);
  if (summary.result.ending == stepping::Ending::failed) summary.complaint = summary.result.message;
  save_final_state(system, live, memory, settings, summary);
  return summary;
}

namespace {

void refuse_events(const System& system) {
  if (!system.description.experiment.events.empty())
    cannot(system, "there is no monolithic solution",
           "the experiment has events, which lie on the communication points of a run; leave them out here");
}

}  // namespace

ReferenceSummary reference(const System& system, const RunSettings& settings) {
  refuse_events(system);
  const fmi::HostGuard guard;
  const Live live = make_live(system, {Horizon::experiment, settings.growth_limit});
  const coupling::Program& program = live.program;
  std::string reason;
  const auto solution = analysis::make_reference(*live.assembly, program.grid.start, reason);
  if (!solution) cannot(system, "there is no monolithic solution", reason);
  const std::vector<Column> columns = select_columns(system, program);
  ReferenceSummary summary;
  summary.file = settings.file.empty() ? default_file(system, ".reference.csv") : settings.file;
  check_format(system, summary.file);
  check_no_input(system, summary.file);
  summary.method = solution->method();
  record::CsvRecorder recorder(summary.file, columns);
  stepping::Row row(columns);
  const auto record = [&](double t) {
    summary.ended = solution->ended();
    if (!solution->arrived()) return;
    read_row(columns, *live.assembly, solution->ports(), row);
    for (std::size_t i = 0; i < row.numbers.size() && summary.diverged.empty(); ++i) {
      if (!(std::abs(row.numbers[i]) <= settings.growth_limit))
        summary.diverged = fmt::format("{} at {:.12g} s", columns[i].name, t);
    }
    if (summary.diverged.empty()) recorder.sample(t, row);
  };
  const auto asked_to_stop = [&] {
    return settings.stop_asked && settings.stop_asked->load(std::memory_order_relaxed);
  };
  const base::Tick stride = every(system);
  record(program.grid.start);
  base::Tick tick = 0;
  const auto goes_on = [&] { return summary.diverged.empty() && summary.ended.empty(); };
  while (tick < program.ticks && goes_on() && !asked_to_stop()) {
    solution->advance_to(program.grid.time(++tick));
    const bool end = tick == program.ticks && program.last_step == 0.0;
    if (tick % stride == 0 || end) record(program.grid.time(tick));
    if (settings.progress && tick % 256 == 0)
      settings.progress(static_cast<double>(tick) / static_cast<double>(program.ticks));
  }
  if (program.last_step > 0.0 && tick == program.ticks && goes_on()) {
    const double stop = program.grid.time(program.ticks) + program.last_step;
    solution->advance_to(stop);
    record(stop);
  }
  recorder.finish();
  summary.rows = recorder.rows();
  summary.ended = solution->ended();
  return summary;
}

std::string resolved_text(const System& system) { return load::resolved_text(system.description, &system.plan); }

record::Comparison compare(const std::string& result, const std::string& reference,
                           const std::vector<std::string>& variables) {
  base::Problems problems;
  record::Comparison comparison = record::compare_files(result, reference, variables, problems);
  base::require_none(problems);
  return comparison;
}

analysis::Stability analyse(const System& system) {
  const Live live = make_live(system, {Horizon::none});
  const coupling::Memory memory = coupling::start(live.program);
  std::string reason;
  auto result = analysis::stability(live.program, memory, reason);
  if (!result) cannot(system, "the stability of this coupling cannot be known", reason);
  return std::move(*result);
}

}  // namespace seam::engine
