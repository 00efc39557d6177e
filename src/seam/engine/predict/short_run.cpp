#include "seam/engine/predict/short_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/operating_point.hpp"

namespace seam::engine {
namespace {

using coupling::Memory;
using coupling::Program;

/// As many periods as a slow mode needs to be seen, and few beside those that a probe makes.
constexpr base::Tick most_periods = 100;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Outputs that a connection reads, period by period.
struct Record {
  std::vector<double> values;
  std::size_t width = 0;
};

/// Nothing if it does not go through.
std::optional<Record> run(const System& system, const Program& program, Memory& memory, base::Tick periods,
                          const std::function<void()>& look = {}) {
  Record record;
  for (base::Tick period = 0; period < periods; ++period) {
    if (coupling::advance(program, memory, program.hyper_period()).outcome != base::Outcome::accepted)
      return std::nullopt;
    for (const system::Connection& connection : system.description.connections) {
      const int place = program.output_place(connection.from.subsystem, connection.from.port);
      if (place >= 0) record.values.push_back(memory.values[static_cast<std::size_t>(place)]);
    }
    if (look) look();
  }
  record.width = record.values.size() / static_cast<std::size_t>(periods);
  return record;
}

/// What each signal is disturbed by: a part of its range in the run, else of its value, in turns up and down.
class Disturbance {
 public:
  Disturbance(const Program& program, const Memory& memory) : program_(program), memory_(memory) { see(); }

  void see() {
    for (std::size_t i = 0; i < program_.signals.size(); ++i) {
      const double value = memory_.values[static_cast<std::size_t>(program_.signals[i])];
      if (least_.size() <= i) {
        least_.push_back(value);
        most_.push_back(value);
      }
      least_[i] = std::min(least_[i], value);
      most_[i] = std::max(most_[i], value);
    }
  }
  std::vector<double> sizes() const {
    constexpr double part_of_range = 0.05, part_of_value = 0.01, usual = 1e-3;
    std::vector<double> result;
    for (std::size_t i = 0; i < least_.size(); ++i) {
      const double range = most_[i] - least_[i], value = std::max(std::abs(most_[i]), std::abs(least_[i]));
      const double size = range > 0.0 ? part_of_range * range : value > 0.0 ? part_of_value * value : usual;
      result.push_back(i % 2 == 0 ? size : -size);
    }
    return result;
  }

 private:
  const Program& program_;
  const Memory& memory_;
  std::vector<double> least_, most_;
};

void add(const std::vector<double>& disturbance, const Program& program, Memory& memory) {
  for (std::size_t i = 0; i < disturbance.size(); ++i)
    memory.values[static_cast<std::size_t>(program.signals[i])] += disturbance[i];
}

/// Relative to the second answer, of the worst output. An output that hardly answers shows the rounding of its own
/// values, and how exactly a solver solves.
double distance(const Record& disturbed, const Record& rest, const Record& told, const Record& told_rest) {
  constexpr double hardly = 1e-5;  // of what the output is
  double worst = 0.0;
  for (std::size_t output = 0; output < rest.width; ++output) {
    double squares = 0.0, size = 0.0, own = 0.0;
    for (std::size_t i = output; i < rest.values.size(); i += rest.width) {
      const double answer = disturbed.values[i] - rest.values[i], expected = told.values[i] - told_rest.values[i];
      squares += std::pow(answer - expected, 2);
      size += expected * expected;
      own += std::pow(rest.values[i], 2);
    }
    if (squares > 0.0) worst = std::max(worst, std::sqrt(squares / std::max(size, hardly * hardly * own)));
  }
  return worst;
}

/// Periods after which every hold has all its samples. At the start of an experiment it has one, and extrapolates less.
base::Tick periods_to_fill_holds(const Program& program) {
  int rows = 1;
  for (const coupling::ReceiverGroup& group : program.receivers) rows = std::max(rows, group.history_rows);
  return rows;
}

/// Periods until an event of the experiment changes something that the models do not know of.
base::Tick periods_without_events(const Program& program, const Memory& memory, base::Tick most) {
  base::Tick ticks = most * program.hyper_period();
  for (const coupling::Intervention& intervention : program.interventions) {
    for (const system::Piece& piece : intervention.course.pieces) {
      for (const base::Tick change : {piece.begin, piece.settled, piece.end})
        if (change > memory.tick) ticks = std::min(ticks, change - memory.tick);
    }
  }
  return ticks / program.hyper_period();
}

std::optional<double> compared(const System& system, const Rehearsal& models, const std::optional<double>& time) {
  LinearModelRequest request;
  request.time = time;
  OperatingPoint rest = reach(system, request);
  const Live live = models.live(system.plan), still = models.live(system.plan);
  const auto& stop = system.description.experiment.stop;
  const double left = stop ? (*stop - rest.time()) / rest.program().grid.step : infinity;
  const base::Tick before = periods_to_fill_holds(rest.program());
  base::Tick periods = periods_without_events(rest.program(), rest.memory, before + most_periods) - before;
  if (left < static_cast<double>((before + periods) * rest.program().hyper_period()))
    periods = static_cast<base::Tick>(left) / rest.program().hyper_period() - before;
  if (periods < 1 || rest.program().signals.size() != live.program.signals.size()) return std::nullopt;

  const auto answer_of = [&](const Program& program, Memory& memory, const std::vector<double>& sizes,
                             const std::function<void()>& look = {}) -> std::optional<Record> {
    if (!run(system, program, memory, before)) return std::nullopt;
    if (!sizes.empty()) add(sizes, program, memory);
    return run(system, program, memory, periods, look);
  };
  Disturbance seen(rest.program(), rest.memory);
  const auto own = answer_of(rest.program(), rest.memory, {}, [&] { seen.see(); });
  rest = {};  // there may be only one instance at a time
  const std::vector<double> sizes = seen.sizes();
  OperatingPoint disturbed = reach(system, request);
  const auto answer = answer_of(disturbed.program(), disturbed.memory, sizes);
  Memory silent = coupling::start(still.program), moved = coupling::start(live.program);
  const auto told_rest = answer_of(still.program, silent, {}), told = answer_of(live.program, moved, sizes);
  if (!own || !answer || !told_rest || !told) return std::nullopt;
  return distance(*answer, *own, *told, *told_rest);
}

}  // namespace

std::optional<double> distance_in_a_short_run(const System& system, const Rehearsal& models,
                                              const std::optional<double>& time) {
  try {
    return compared(system, models, time);
  } catch (const base::ProblemsFound&) {
  } catch (const base::Error&) {  // an FMU refused, or is of one instance alone
  }
  return std::nullopt;
}

}  // namespace seam::engine
