#include "seam/engine/predict/short_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Relative to the second answer, of the worst output.
double distance(const Record& disturbed, const Record& rest, const Record& told, const Record& told_rest) {
  double worst = 0.0;
  for (std::size_t output = 0; output < rest.width; ++output) {
    double squares = 0.0, size = 0.0;
    for (std::size_t i = output; i < rest.values.size(); i += rest.width) {
      const double answer = disturbed.values[i] - rest.values[i], expected = told.values[i] - told_rest.values[i];
      squares += std::pow(answer - expected, 2);
      size += expected * expected;
    }
    if (squares > 0.0) worst = std::max(worst, std::sqrt(squares / size));
  }
  return worst;
}

std::optional<double> compared(const System& system, const Rehearsal& models, const std::optional<double>& time) {
  LinearModelRequest request;
  request.time = time;
  OperatingPoint rest = reach(system, request);
  const Live live = models.live(system.plan), still = models.live(system.plan);
  const auto& stop = system.description.experiment.stop;
  const double left = stop ? (*stop - rest.time()) / rest.program().grid.step : static_cast<double>(most_periods);
  const auto periods = std::min(most_periods, static_cast<base::Tick>(left) / rest.program().hyper_period());
  if (periods < 1 || rest.program().signals.size() != live.program.signals.size()) return std::nullopt;

  Disturbance seen(rest.program(), rest.memory);
  const auto own = run(system, rest.program(), rest.memory, periods, [&] { seen.see(); });
  rest = {};  // there may be only one instance at a time
  const std::vector<double> sizes = seen.sizes();
  OperatingPoint disturbed = reach(system, request);
  add(sizes, disturbed.program(), disturbed.memory);
  const auto answer = run(system, disturbed.program(), disturbed.memory, periods);

  Memory silent = coupling::start(still.program);
  const auto told_rest = run(system, still.program, silent, periods);
  Memory moved = coupling::start(live.program);
  add(sizes, live.program, moved);
  const auto told = run(system, live.program, moved, periods);
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
