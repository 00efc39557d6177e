#include "seam/engine/predict/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "seam/analysis/reference.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/divided_run.hpp"
#include "seam/engine/predict/interface_check.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/record/recorder.hpp"

namespace seam::engine {
namespace {

using stepping::Column;

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
    row.discrete_values[i - row.numbers.size()] =
        (output ? ports.discrete_out : ports.discrete_in)[member][port - system::count_reals(described)];
  }
}

/// A solution has no other variables.
std::vector<Column> ports_among(std::vector<Column> columns) {
  std::erase_if(columns, [](const Column& column) { return column.direction == stepping::Direction::none; });
  return columns;
}

bool asked_to_stop(const RunSettings& settings) {
  return settings.stop_asked && settings.stop_asked->load(std::memory_order_relaxed);
}

/// Makes the recorder that keeps a reference with these columns; the caller owns it.
using KeepRows = std::function<record::Recorder&(const std::vector<stepping::Column>& columns)>;

/// Where the rows of a reference are kept, and its states where they are wanted.
struct Keeping {
  KeepRows rows;
  formats::Table* states = nullptr;
};

/// Moves a monolithic solution over the communication points of a program and records it.
class Solve {
 public:
  Solve(const System& system, const coupling::Program& program, const RunSettings& settings, const Keeping& keep,
        ReferenceSummary& summary)
      : program_(program),
        settings_(settings),
        columns_(ports_among(select_columns(system, program))),
        row_(columns_),
        recorder_(keep.rows(columns_)),
        states_(keep.states),
        stride_(steps_a_row(system)),
        summary_(summary) {}

  void operator()(analysis::Reference& solution) {
    record(solution, program_.grid.start);
    base::Tick tick = 0;
    while (tick < program_.ticks && goes_on() && !asked_to_stop(settings_)) {
      solution.advance_to(program_.grid.time(++tick));
      const bool end = tick == program_.ticks && program_.last_step == 0.0;
      if (tick % stride_ == 0 || end) record(solution, program_.grid.time(tick));
      if (settings_.progress && tick % 256 == 0)
        settings_.progress({program_.grid.start, program_.grid.time(tick), program_.grid.time(program_.ticks)});
    }
    if (program_.last_step > 0.0 && tick == program_.ticks && goes_on()) {
      const double stop = program_.grid.time(program_.ticks) + program_.last_step;
      solution.advance_to(stop);
      record(solution, stop);
    }
    recorder_.finish();
    summary_.rows = recorder_.rows();
    summary_.notices = recorder_.notices();
    summary_.ended = solution.ended();
  }

 private:
  bool goes_on() const { return summary_.diverged.empty() && summary_.ended.empty(); }

  void record(analysis::Reference& solution, double t) {
    summary_.ended = solution.ended();
    if (!solution.arrived()) return;
    read_row(columns_, *program_.assembly, solution.ports(), row_);
    const auto wrong = std::find_if(row_.numbers.begin(), row_.numbers.end(),
                                    [&](double value) { return !(std::abs(value) <= settings_.growth_limit); });
    if (wrong != row_.numbers.end() && summary_.diverged.empty())
      summary_.diverged =
          fmt::format("{} at {:.12g} s", columns_[static_cast<std::size_t>(wrong - row_.numbers.begin())].name, t);
    if (summary_.diverged.empty()) recorder_.sample(t, row_);
    if (states_) keep_states(t, solution.states());
    recorder_.flush_if_due();
  }

  void keep_states(double t, std::span<const double> states) {
    if (states.empty()) return;
    if (states_->names.empty()) *states_ = table_of_states(*program_.assembly);
    states_->columns[0].push_back(t);
    for (std::size_t i = 0; i < states.size(); ++i) states_->columns[i + 1].push_back(states[i]);
  }

  const coupling::Program& program_;
  const RunSettings& settings_;
  const std::vector<Column> columns_;
  stepping::Row row_;
  record::Recorder& recorder_;
  formats::Table* const states_;
  const base::Tick stride_;
  ReferenceSummary& summary_;
};

std::string words_of_shown(const System& system, const std::vector<std::size_t>& shown) {
  std::vector<std::string> names;
  for (const std::size_t i : shown) names.push_back(system.description.subsystems[i].name);
  const bool one = names.size() == 1;
  return fmt::format("{} {} solved by the equations of model exchange, though a run steps {} by co-simulation",
                     fmt::join(names, ", "), one ? "was" : "were", one ? "it" : "them");
}

/// Whether no FMU is left that has co-simulation alone.
bool shows_all_equations(const System& system, const std::vector<std::size_t>& shown) {
  std::size_t hidden = 0;
  for (const system::Subsystem& subsystem : system.description.subsystems)
    hidden += subsystem.fmu() && subsystem.fmu()->interface != system::FmuInterface::model_exchange ? 1 : 0;
  return hidden == shown.size();
}

/// Solves all equations together; false, with the reason, if they are not known.
bool solve_together(const System& system, const RunSettings& settings, const Keeping& keep, ReferenceSummary& summary,
                    std::string& reason) {
  if (!system.description.experiment.events.empty()) {
    reason = "the experiment has events, which lie on the communication points of a run";
    return false;
  }
  const std::vector<std::size_t> shown = fmus_with_both_interfaces(system);
  InterfaceCheck check;
  if (shows_all_equations(system, shown)) check = compare_interfaces(system, shown, settings);
  summary.disagreement = check.disagreement;
  reason = check.disagreement;
  if (!reason.empty()) return false;
  const Live live = make_live(with_equations_of(system, shown), {Horizon::experiment, settings.growth_limit});
  const auto solution = analysis::make_reference(*live.assembly, live.program.grid.start, reason);
  if (!solution) return false;
  summary.method = solution->method();
  Solve(system, live.program, settings, keep, summary)(*solution);
  const auto has_variables = [](const coupling::ObservedLane& observed) { return !observed.variables.empty(); };
  if (std::ranges::any_of(live.program.observed, has_variables))
    summary.notices.push_back("a reference has ports alone: other variables of FMUs were left out");
  if (!shown.empty()) summary.notices.push_back(words_of_shown(system, shown));
  summary.notices.insert(summary.notices.end(), check.notices.begin(), check.notices.end());
  return true;
}

/// Where equations are not available: runs with half the step each, until two agree.
constexpr int most_halvings = 24;
/// Runs that come no closer this many times in a row will not agree.
constexpr int patience = 4;

/// The largest difference of a variable at any time, relative to its range; a range that is next to nothing beside the
/// values counts as a millionth of them, since rounding is no disagreement.
Halving distance(const DividedRun& coarse, const DividedRun& fine) {
  Halving furthest;
  furthest.apart = 0.0;
  const std::size_t rows = std::min(coarse.kept.rows.size(), fine.kept.rows.size());
  const std::size_t numbers = rows == 0 ? 0 : fine.kept.rows.front().numbers.size();
  for (std::size_t column = 0; column < numbers; ++column) {
    double difference = 0.0, size = 0.0, low = fine.kept.rows[0].numbers[column], high = low;
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = fine.kept.rows[i].numbers[column];
      difference = std::max(difference, std::abs(value - coarse.kept.rows[i].numbers[column]));
      low = std::min(low, value);
      high = std::max(high, value);
      size = std::max(size, std::abs(value));
    }
    const double scale = std::max(high - low, 1e-6 * size);
    const double apart = difference == 0.0 ? 0.0 : difference / scale;
    if (apart <= *furthest.apart) continue;
    furthest.apart = apart;
    furthest.furthest = fine.columns[column].name;
  }
  return furthest;
}

/// What the runs were like, for a message that gives up.
std::string course(const std::vector<Halving>& halvings) {
  std::string text;
  for (const Halving& halving : halvings) {
    text += fmt::format("{}{:.6g} s", text.empty() ? "" : ", ", halving.step);
    if (halving.apart) text += fmt::format(" ({:.3g} apart)", *halving.apart);
  }
  return text;
}

void require_events_on_grid(const System& system) {
  const base::Grid grid{system.description.experiment.start, system.plan.step};
  for (const system::Landing& landing : system::landings(system.description.experiment, grid)) {
    if (!landing.remark.empty())
      cannot(system, "there is no reference",
             landing.remark + "; with another step it would happen at another time: put it on a communication point");
  }
}

void write(const DividedRun& run, const KeepRows& keep, ReferenceSummary& summary) {
  record::Recorder& recorder = keep(run.columns);
  for (std::size_t i = 0; i < run.kept.rows.size(); ++i) recorder.sample(run.kept.times[i], run.kept.rows[i]);
  recorder.finish();
  summary.rows = recorder.rows();
  summary.notices = recorder.notices();
}

/// A run that is of no use, however small the step: throws, or says so for one that only has to be finer.
bool is_useful(const System& system, const DividedRun& run, const ReferenceSummary& summary) {
  using stepping::Ending;
  switch (run.result.ending) {
    case Ending::diverged:
      return false;
    case Ending::rejected:
    case Ending::failed:
      cannot(system, "there is no reference by halving the step",
             fmt::format("with a step of {:.6g} s {} {}", summary.halvings.back().step,
                         run.ended_by.empty() ? "a subsystem" : run.ended_by,
                         run.result.message.empty() ? "rejects a step" : "fails: " + run.result.message));
    default:
      return true;
  }
}

/// Throws base::ProblemsFound if no two runs agree.
void halve_until_agreed(const System& system, const RunSettings& settings, double agree, const KeepRows& keep,
                        ReferenceSummary& summary) {
  require_events_on_grid(system);
  std::optional<DividedRun> before;
  int no_closer = 0;
  for (int halving = 0; halving <= most_halvings && no_closer < patience; ++halving) {
    const int parts = 1 << halving;
    DividedRun run;
    summary.halvings.push_back({system.plan.step / parts, {}, {}});
    try {
      run = run_divided(system, settings, {parts, steps_a_row(system) * parts});
    } catch (const base::ProblemsFound& found) {
      if (halving == 0) throw;
      cannot(system, fmt::format("the step cannot be made smaller than {:.6g} s", summary.halvings.back().step * 2.0),
             found.what());
    }
    if (run.result.ending == stepping::Ending::interrupted) {
      summary.file.clear();
      return;
    }
    if (!is_useful(system, run, summary)) continue;
    if (before) {
      Halving& now = summary.halvings.back();
      const Halving found = distance(*before, run);
      const std::optional<double> last = summary.halvings[summary.halvings.size() - 2].apart;
      now.apart = found.apart;
      now.furthest = found.furthest;
      no_closer = last && *now.apart > 0.9 * *last ? no_closer + 1 : 0;
      if (*now.apart <= agree) {
        summary.method = "halving the step";
        if (run.result.ending == stepping::Ending::ended_by_subsystem)
          summary.ended = fmt::format("{} asked to end at {:.12g} s", run.ended_by, run.result.time);
        return write(run, keep, summary);
      }
    }
    before = std::move(run);
  }
  cannot(system, "no two runs agree",
         fmt::format("with steps of {}; the subsystems' own solvers may be the limit: give a tighter --tolerance, or "
                     "ask for less with --agree",
                     course(summary.halvings)));
}

/// Whether equations of a subsystem may be missing: then runs are the best reference that can be had.
bool has_fmus_or_events(const System& system) {
  return !system.description.experiment.events.empty() || system::has_fmus(system.description);
}

void find(const System& system, const RunSettings& settings, const ReferenceRequest& request, const Keeping& keep,
          ReferenceSummary& summary) {
  using Solution = ReferenceRequest::Solution;
  if (request.solution != Solution::halving && solve_together(system, settings, keep, summary, summary.not_monolithic))
    return;
  if (request.solution == Solution::monolithic ||
      (request.solution == Solution::automatic && !has_fmus_or_events(system)))
    cannot(system, "there is no monolithic solution", summary.not_monolithic);
  if (request.solution == Solution::halving) summary.not_monolithic = "runs were asked for";
  halve_until_agreed(system, settings, request.agree, keep.rows, summary);
}

}  // namespace

ReferenceSummary reference(const System& system, const RunSettings& settings, const ReferenceRequest& request) {
  const fmi::HostGuard guard;
  ReferenceSummary summary;
  summary.file = settings.file.empty() ? default_file(system, ".reference.csv") : settings.file;
  check_no_input(system, summary.file);
  std::unique_ptr<record::Recorder> recorder;
  const auto keep = [&](const std::vector<Column>& columns) -> record::Recorder& {
    recorder = record::make_recorder(summary.file, columns);
    return *recorder;
  };
  find(system, settings, request, {keep}, summary);
  return summary;
}

ReferenceTable reference_in_memory(const System& system, const RunSettings& settings, const ReferenceRequest& request) {
  ReferenceTable reference;
  std::optional<record::TableRecorder> recorder;
  const auto keep = [&](const std::vector<Column>& columns) -> record::Recorder& { return recorder.emplace(columns); };
  find(system, settings, request, {keep, &reference.states}, reference.summary);
  if (recorder) reference.table = recorder->table();
  return reference;
}

}  // namespace seam::engine
