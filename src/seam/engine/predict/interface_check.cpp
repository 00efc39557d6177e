#include "seam/engine/predict/interface_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "seam/base/error.hpp"
#include "seam/engine/predict/divided_run.hpp"
#include "seam/load/opened_fmus.hpp"

namespace seam::engine {
namespace {

/// Relative to the range of a variable: what the tolerance of a solver may leave, since errors of its steps add up.
constexpr double errors_of_a_tolerance = 30.0, usual_tolerance = 1e-4, least_unnoticed = 1e-3, most_unnoticed = 1e-2;
/// Up to this a difference that does not vanish is taken for that of the FMU's own solver, where it shows one.
constexpr double most_of_a_solver = 0.1;
/// A range counts as at least this part of the values: the solver of an FMU has a tolerance relative to them.
constexpr double part_of_values = 0.1;
/// What moves by less than this part of its values may still show nothing.
constexpr double visible_part = 0.01;
constexpr base::Tick windows[] = {50, 500, 2000};  ///< macro steps
constexpr base::Tick most_steps = 20'000;          ///< of one run
/// Halvings of the step: always so many, and more while the differences shrink.
constexpr int usual_levels = 6, most_levels = 12;
/// From here on an event may lie one call earlier or later: an FMU may see it at the end of its step alone.
constexpr int level_of_events = 3;

bool failed(const DividedRun& run) {
  return run.result.ending == stepping::Ending::failed || run.result.ending == stepping::Ending::rejected;
}

/// Why `work` could not be done; empty if it was.
template <class Work>
std::string failure_of(const Work& work) {
  try {
    work();
  } catch (const base::ProblemsFound& found) {
    return found.problems().all().front().what;
  } catch (const base::Error& error) {
    return error.what();
  }
  return {};
}

struct Extent {
  double range = 0.0, size = 0.0;
};

Extent extent_of(const DividedRun& run, std::size_t column) {
  double low = INFINITY, high = -INFINITY;
  for (const stepping::Row& row : run.kept.rows) {
    low = std::min(low, row.numbers[column]);
    high = std::max(high, row.numbers[column]);
  }
  if (!(low <= high)) return {};
  return {high - low, std::max(std::abs(low), std::abs(high))};
}

/// Co-simulation minus model exchange of one output at the communication points of the plan.
struct Difference {
  std::string output;
  std::vector<double> values;
  double scale = 0.0;
  double relative = 0.0;  ///< the largest by the scale
  double time = 0.0, simulated = 0.0, solved = 0.0;
};

enum class Times { exact, one_call_apart };

struct Level {
  DividedRun simulated, solved;
  int parts = 1;

  base::Tick steps() const { return simulated.result.steps; }
  std::size_t points() const {
    const std::size_t rows = std::min(simulated.kept.rows.size(), solved.kept.rows.size());
    return rows == 0 ? 0 : (rows - 1) / static_cast<std::size_t>(parts) + 1;
  }
};

/// How far the value lies outside of what model exchange gives at this row, or one row before or after it.
double apart(const Level& level, std::size_t row, std::size_t column, Times times) {
  const auto& solved = level.solved.kept.rows;
  const std::size_t reach = times == Times::one_call_apart ? 1 : 0;
  double low = solved[row].numbers[column], high = low;
  for (std::size_t i = row - std::min(row, reach); i <= std::min(row + reach, solved.size() - 1); ++i) {
    low = std::min(low, solved[i].numbers[column]);
    high = std::max(high, solved[i].numbers[column]);
  }
  const double value = level.simulated.kept.rows[row].numbers[column];
  return value - std::clamp(value, low, high);
}

std::vector<Difference> differences(const Level& level, Times times) {
  std::vector<Difference> all;
  const auto& columns = level.simulated.columns;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (columns[column].direction != stepping::Direction::output || columns[column].type != system::PortType::real)
      continue;
    const Extent one = extent_of(level.simulated, column), other = extent_of(level.solved, column);
    Difference difference;
    difference.output = columns[column].name;
    difference.scale = std::max({one.range, other.range, part_of_values * one.size, part_of_values * other.size});
    for (std::size_t i = 0; i < level.points(); ++i) {
      const std::size_t row = i * static_cast<std::size_t>(level.parts);
      const double value = apart(level, row, column, times);
      difference.values.push_back(value);
      if (value == 0.0 || std::abs(value) <= difference.relative * difference.scale) continue;
      difference.relative = std::abs(value) / difference.scale;
      difference.time = level.simulated.kept.times[row];
      difference.simulated = level.simulated.kept.rows[row].numbers[column];
      difference.solved = level.solved.kept.rows[row].numbers[column];
    }
    all.push_back(std::move(difference));
  }
  return all;
}

using Values = std::vector<double>;

/// Where values v(2h), v(h) with an error proportional to h^p tend to, (2^p v(h) - v(2h))/(2^p - 1).
Values extrapolated(const Values& before, const Values& now, double two_to_the_order) {
  Values result;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    result.push_back((two_to_the_order * now[i] - before[i]) / (two_to_the_order - 1.0));
  return result;
}

double largest(const Values& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Where the differences of one output tend to, by its scale, of the order 1, 2 or 4 for which that is least. With
/// three levels also by errors of first and second order together, as Romberg does. The finest level is the last.
double limit_of(const std::vector<std::vector<Difference>>& levels, std::size_t output) {
  const auto values = [&](std::size_t ago) -> const Values& { return levels[levels.size() - 1 - ago][output].values; };
  double least = INFINITY;
  for (const double power : {2.0, 4.0, 16.0})
    least = std::min(least, largest(extrapolated(values(1), values(0), power)));
  if (levels.size() > 2)
    least = std::min(least, largest(extrapolated(extrapolated(values(2), values(1), 2.0),
                                                 extrapolated(values(1), values(0), 2.0), 4.0)));
  return least / levels.back()[output].scale;
}

/// By the tolerance of the solvers inside these FMUs, the largest: the user's, else their own.
double unnoticed_difference(const System& system, const std::vector<std::size_t>& fmus) {
  double largest = 0.0;
  for (const std::size_t i : fmus) {
    const auto fmu = load::fmu_of(system.description.subsystems[i]);
    const std::optional<double> own = fmu->description.experiment.tolerance;
    largest = std::max(largest, system.description.experiment.tolerance.value_or(own.value_or(usual_tolerance)));
  }
  return std::clamp(errors_of_a_tolerance * largest, least_unnoticed, most_unnoticed);
}

/// Whether the two interfaces solve the same equations, as far as these levels tell.
bool agree(const std::vector<std::vector<Difference>>& levels, double unnoticed) {
  const std::vector<Difference>& now = levels.back();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].relative <= unnoticed) continue;
    if (levels.size() < 2 || limit_of(levels, i) > std::max(unnoticed, 0.1 * now[i].relative)) return false;
  }
  return true;
}

bool is_shrinking(const std::vector<std::vector<Difference>>& levels) {
  const auto worst = [](const std::vector<Difference>& all) {
    return std::ranges::max_element(all, {}, &Difference::relative)->relative;
  };
  return levels.size() < 2 || worst(levels.back()) < 0.75 * worst(levels[levels.size() - 2]);
}

/// Whether co-simulation keeps its outputs over several calls in which model exchange changes them: its own steps are
/// longer than the calls.
bool has_longer_steps(const Level& level, std::size_t column) {
  const std::size_t rows = std::min(level.simulated.kept.rows.size(), level.solved.kept.rows.size());
  const auto kept = [&](const DividedRun& run, std::size_t row) {
    return run.kept.rows[row].numbers[column] == run.kept.rows[row - 1].numbers[column];
  };
  std::size_t still = 0, calls = 0;
  for (std::size_t row = 1; row < rows; ++row) {
    if (kept(level.solved, row)) continue;
    ++calls;
    if (kept(level.simulated, row)) ++still;
  }
  return 3 * still > calls && still < calls;
}

/// One comparison at ever smaller steps.
class Comparison {
 public:
  Comparison(System simulated, const std::vector<std::size_t>& fmus, const RunSettings& settings)
      : simulated_(std::move(simulated)),
        solved_(with_equations_of(simulated_, fmus)),
        settings_(settings),
        unnoticed_(unnoticed_difference(simulated_, fmus)) {
    std::vector<std::string>& variables = simulated_.description.record.variables;
    variables.clear();
    for (const std::size_t fmu : fmus) variables.push_back(simulated_.description.subsystems[fmu].name + ".outputs");
    solved_.description.record.variables = variables;
  }

  enum class Result { agree, own_solver, disagree, impossible };

  Result operator()() {
    Level now;
    std::vector<std::vector<Difference>> found[2];
    bool smaller_steps = true;
    for (int level = 0; level <= most_levels && (level == 0 || now.steps() <= most_steps / 2); ++level) {
      now.parts = 1 << level;
      smaller_steps = run(now);
      if (!smaller_steps) break;
      if (now.points() < 2) continue;
      for (const Times times : {Times::exact, Times::one_call_apart}) {
        auto& levels = found[static_cast<std::size_t>(times)];
        levels.push_back(differences(now, times));
        const bool counts = times == Times::exact || level >= level_of_events;
        if (counts && agree(levels, unnoticed_)) return Result::agree;
      }
      last_ = now;
      if (level >= usual_levels && !is_shrinking(found[0])) break;
    }
    return found[0].empty() ? Result::impossible : conclude(found[0].back(), smaller_steps);
  }

  const Difference& worst() const { return worst_; }
  const std::string& failure() const { return failure_; }
  double end() const { return last_.simulated.kept.times.empty() ? 0.0 : last_.simulated.kept.times.back(); }
  double step() const { return simulated_.plan.step / last_.parts; }

 private:
  bool run(Level& level) {
    failure_ = failure_of([&] {
      level.simulated = run_divided(simulated_, settings_, {level.parts, 1});
      level.solved = run_divided(solved_, settings_, {level.parts, 1});
    });
    if (!failure_.empty()) return false;
    for (const DividedRun* run : {&level.simulated, &level.solved}) {
      if (failed(*run)) failure_ = run->result.message.empty() ? "it rejects a step" : run->result.message;
    }
    return failure_.empty();
  }

  Result conclude(const std::vector<Difference>& found, bool smaller_steps) {
    worst_ = *std::ranges::max_element(found, {}, &Difference::relative);
    const bool shows_solver = !smaller_steps || std::ranges::any_of(found, [&](const Difference& difference) {
      return has_longer_steps(last_, column_of(difference.output));
    });
    return shows_solver && worst_.relative <= most_of_a_solver ? Result::own_solver : Result::disagree;
  }

  std::size_t column_of(const std::string& output) const {
    const auto& columns = last_.simulated.columns;
    return static_cast<std::size_t>(std::ranges::find(columns, output, &stepping::Column::name) - columns.begin());
  }

  System simulated_, solved_;
  const RunSettings& settings_;
  const double unnoticed_;  ///< relative to the range
  Level last_;
  Difference worst_;
  std::string failure_;
};

/// The experiment, ended after so many macro steps.
System shortened(System system, base::Tick steps) {
  int multiple = 1;
  for (const system::SubsystemPlan& subsystem : system.plan.subsystems)
    multiple = std::lcm(multiple, subsystem.multiple);
  system::Experiment& experiment = system.description.experiment;
  const double stop = experiment.start + static_cast<double>(steps * multiple) * system.plan.step;
  if (!experiment.stop || stop < *experiment.stop) experiment.stop = stop;
  system.description.record.micro.clear();
  return system;
}

bool is_fed(const system::SystemDescription& description, const stepping::Column& input) {
  return std::ranges::any_of(description.connections, [&](const system::Connection& connection) {
    return connection.to.subsystem == input.member && connection.to.port == input.port;
  });
}

/// The shortest run in which every port of these FMUs moves.
System window_of(const System& system, const std::vector<std::size_t>& fmus, const RunSettings& settings) {
  System window;
  for (const base::Tick steps : windows) {
    window = shortened(system, steps);
    System recorded = window;
    recorded.description.record.variables.clear();
    for (const std::size_t fmu : fmus)
      recorded.description.record.variables.push_back(system.description.subsystems[fmu].name + ".*");
    const DividedRun run = run_divided(recorded, settings, {});
    bool moved = true;
    for (std::size_t column = 0; column < run.columns.size(); ++column) {
      const stepping::Column& port = run.columns[column];
      if (port.type != system::PortType::real) continue;
      const Extent extent = extent_of(run, column);
      const bool may_move = port.direction == stepping::Direction::output || is_fed(system.description, port);
      moved = moved && (!may_move || extent.range > visible_part * extent.size);
    }
    if (moved || run.result.ending != stepping::Ending::completed) break;
    if (recorded.description.experiment.stop == system.description.experiment.stop) break;
  }
  return window;
}

bool has_real_outputs(const system::Subsystem& subsystem) { return system::count_reals(subsystem.outputs) > 0; }

std::string words(const System& system, std::size_t fmu, const Comparison& comparison) {
  const Difference& worst = comparison.worst();
  return fmt::format(
      "the model exchange of \"{}\" does not do what its co-simulation does: up to {:.6g} s {} is up to {:.2g} times "
      "its "
      "range apart (at {:.6g} s: {:.6g} by co-simulation, {:.6g} by model exchange), ",
      system.description.subsystems[fmu].name, comparison.end(), worst.output, worst.relative, worst.time,
      worst.simulated, worst.solved);
}

}  // namespace

std::vector<std::size_t> fmus_with_both_interfaces(const System& system) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < system.description.subsystems.size(); ++i) {
    const system::Subsystem& subsystem = system.description.subsystems[i];
    const auto fmu = load::fmu_of(subsystem);
    if (fmu && fmu->description.model_exchange && subsystem.fmu()->interface != system::FmuInterface::model_exchange)
      found.push_back(i);
  }
  return found;
}

System with_equations_of(System system, const std::vector<std::size_t>& fmus) {
  for (const std::size_t i : fmus) {
    system::FmuFile& file = *system.description.subsystems[i].fmu();
    file.interface = system::FmuInterface::model_exchange;
    file.retries = 0;
    file.event_mode = system::EventMode::automatic;
    system.plan.subsystems[i].via = system::Via::automatic;
  }
  return system;
}

InterfaceCheck compare_interfaces(const System& system, const std::vector<std::size_t>& fmus,
                                  const RunSettings& settings) {
  InterfaceCheck check;
  std::vector<std::size_t> compared;
  std::ranges::copy_if(fmus, std::back_inserter(compared),
                       [&](std::size_t fmu) { return has_real_outputs(system.description.subsystems[fmu]); });
  if (compared.empty()) return check;
  RunSettings silent = settings;
  silent.progress = {};
  System window;
  const std::string failure = failure_of([&] { window = window_of(system, compared, silent); });
  if (!failure.empty()) {
    check.notices.push_back("model exchange could not be compared with co-simulation: " + failure);
    return check;
  }
  if (compared.size() > 1 && Comparison(window, compared, silent)() == Comparison::Result::agree) return check;
  for (const std::size_t fmu : compared) {
    Comparison comparison(window, {fmu}, silent);
    switch (comparison()) {
      case Comparison::Result::agree:
        break;
      case Comparison::Result::own_solver:
        check.notices.push_back(words(system, fmu, comparison) +
                                "which steps of its own solver may explain; the equations of model exchange are used");
        break;
      case Comparison::Result::disagree:
        check.disagreement += (check.disagreement.empty() ? "" : "; ") + words(system, fmu, comparison) +
                              fmt::format("and steps of {:.6g} s bring them no closer", comparison.step());
        break;
      case Comparison::Result::impossible:
        check.notices.push_back(
            fmt::format("the model exchange of \"{}\" could not be compared with its co-simulation: {}",
                        system.description.subsystems[fmu].name, comparison.failure()));
    }
  }
  return check;
}

}  // namespace seam::engine
