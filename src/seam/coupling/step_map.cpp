#include "seam/coupling/step_map.hpp"

#include <algorithm>
#include <limits>

#include "seam/coupling/memory.hpp"
#include "seam/coupling/micro_rows.hpp"

namespace seam::coupling {

using assembly::Sources;
using base::Outcome;
using base::Tick;

namespace {

/// The first step behind those in which no known signal changes; writes their values.
Tick steady_until(const Program& program, const Memory& memory, Tick count, double* z) {
  const double begin = program.grid.time(memory.tick);
  double until = std::numeric_limits<double>::infinity();
  for (const StepMap::KnownSignal& known : program.map->signals) {
    until = std::min(until, known.drive->signal->steady_until(begin));
    z[known.at] = known.drive->factor * known.drive->signal->at(begin) + known.drive->offset;
  }
  Tick steps = count;
  while (steps > 0 && !(program.grid.time(memory.tick + steps) < until)) {
    const double fitting = (until - begin) / program.grid.step;  // near it; the loop finds which it is
    steps = std::min(
        steps - 1, fitting >= 0.0 && fitting < static_cast<double>(count) ? static_cast<Tick>(fitting) + 1 : steps - 1);
  }
  return steps;
}

/// Receivers and correctors that lack samples make another step than the map.
bool has_all_samples(const Program& program, const Memory& memory) {
  const auto knows = [&](int place, std::int64_t least) {
    return memory.knowledge[static_cast<std::size_t>(place)] >= least;
  };
  for (const ReceiverGroup& group : program.receivers) {
    if (!knows(group.counter, group.history_rows)) return false;
  }
  return !program.correction || knows(program.correction->seen, program.correction->shape.points_before);
}

void count_samples(const Program& program, Tick steps, Memory& memory) {
  for (const ReceiverGroup& group : program.receivers)
    memory.knowledge[static_cast<std::size_t>(group.counter)] += steps * group.new_per_arrival;
  if (program.correction) memory.knowledge[static_cast<std::size_t>(program.correction->seen)] += steps;
}

}  // namespace

MappedSteps advance_by_map(const Program& program, Memory& memory, Tick count, Sources sources) {
  const StepMap& map = *program.map;
  if (!has_all_samples(program, memory)) return {};
  double* const values = memory.values.data();
  memory.workspace.resize(static_cast<std::size_t>(2 * map.size));  // once: a memory may come from elsewhere
  double *z = memory.workspace.data(), *next = z + map.size;
  if (!map.signals.empty() && sources == Sources::live) count = steady_until(program, memory, count, z);
  if (count == 0) return {};
  for (const StepMap::KnownSignal& known : map.signals) {
    if (sources == Sources::silent) z[known.at] = 0.0;
    next[known.at] = z[known.at];
  }
  for (const StepMap::Home& home : map.read) z[home.at] = home.state ? *home.state : values[home.place];
  MappedSteps result;
  const bool measures = !program.monitors.empty();
  while (result.made < count && result.outcome == Outcome::accepted) {
    bool sound = true;
    for (const StepMap::MicroGroup& group : map.micro) {
      const MicroRows& rows = program.micro_rows[static_cast<std::size_t>(group.micro_rows)];
      const Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
      group.rows.apply(z, values + micro_rows_of_step(rows, lane, memory.tick + result.made + 1));
    }
    for (const StepMap::Group& group : map.groups) sound &= group.rows.apply(z, next + group.first);
    std::swap(z, next);
    ++result.made;
    if (!sound) result.outcome = Outcome::diverged;
    if (measures) break;
  }
  for (const StepMap::Group& group : map.observed)
    group.rows.apply(next, z + group.first);  // from before the last step
  for (const StepMap::Home& home : map.written) (home.state ? *home.state : values[home.place]) = z[home.at];
  count_samples(program, result.made, memory);
  return result;
}

}  // namespace seam::coupling
