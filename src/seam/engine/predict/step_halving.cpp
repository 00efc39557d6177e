#include "seam/engine/predict/step_halving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/engine/run/recording.hpp"

namespace seam::engine {
namespace {

constexpr int most_halvings = 24;
/// Runs that come no closer this many times in a row will not agree.
constexpr int patience = 4;

/// Every row of a run.
class Rows final : public stepping::Observer {
 public:
  void sample(double t, const stepping::Row& row) override {
    times.push_back(t);
    rows.push_back(row);
  }
  std::vector<double> times;
  std::vector<stepping::Row> rows;
};

struct KeptRun {
  std::vector<stepping::Column> columns;
  Rows kept;
  stepping::RunResult result;
  std::string ended_by;  ///< name of the subsystem
};

/// The same plan with every step divided.
System with_step_divided(System system, int parts) {
  system.plan.step /= parts;
  for (system::SubsystemPlan& subsystem : system.plan.subsystems) subsystem.micro_step /= parts;
  return system;
}

KeptRun run_divided(const System& system, const RunSettings& settings, int parts) {
  const System finer = with_step_divided(system, parts);
  LiveOptions options;
  options.growth_limit = settings.growth_limit;
  options.fmus.logging = settings.fmu_logging;
  const Live live = make_live(finer, options);
  KeptRun run;
  run.columns = select_columns(finer, live.program);
  stepping::RunOptions stepping;
  stepping.columns = run.columns;
  stepping.every = steps_a_row(system) * parts;
  stepping.stop_asked = settings.stop_asked;
  stepping.progress = settings.progress;
  coupling::Memory memory = coupling::start(live.program);
  run.result = stepping::run(live.program, memory, stepping, {&run.kept});
  if (run.result.member >= 0) run.ended_by = live.assembly->members[static_cast<std::size_t>(run.result.member)].name;
  return run;
}

/// The largest difference of a variable at any time, relative to its range; a range that is next to nothing beside the
/// values counts as a millionth of them, since rounding is no disagreement.
Halving distance(const KeptRun& coarse, const KeptRun& fine) {
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

void write(const KeptRun& run, const KeepRows& keep, ReferenceSummary& summary) {
  record::Recorder& recorder = keep(run.columns);
  for (std::size_t i = 0; i < run.kept.rows.size(); ++i) recorder.sample(run.kept.times[i], run.kept.rows[i]);
  recorder.finish();
  summary.rows = recorder.rows();
  summary.notices = recorder.notices();
}

/// A run that is of no use, however small the step: throws, or says so for one that only has to be finer.
bool is_useful(const System& system, const KeptRun& run, const ReferenceSummary& summary) {
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

}  // namespace

void halve_until_agreed(const System& system, const RunSettings& settings, const HalvingRequest& request,
                        ReferenceSummary& summary) {
  require_events_on_grid(system);
  std::optional<KeptRun> before;
  int no_closer = 0;
  for (int halving = 0; halving <= most_halvings && no_closer < patience; ++halving) {
    const int parts = 1 << halving;
    KeptRun run;
    summary.halvings.push_back({system.plan.step / parts, {}, {}});
    try {
      run = run_divided(system, settings, parts);
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
      if (*now.apart <= request.agree) {
        summary.method = "halving the step";
        if (run.result.ending == stepping::Ending::ended_by_subsystem)
          summary.ended = fmt::format("{} asked to end at {:.12g} s", run.ended_by, run.result.time);
        return write(run, request.keep, summary);
      }
    }
    before = std::move(run);
  }
  cannot(system, "no two runs agree",
         fmt::format("with steps of {}; the subsystems' own solvers may be the limit: give a tighter --tolerance, or "
                     "ask for less with --agree",
                     course(summary.halvings)));
}

}  // namespace seam::engine
