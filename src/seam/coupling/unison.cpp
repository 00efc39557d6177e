#include "seam/coupling/unison.hpp"

#include <algorithm>
#include <limits>

#include "seam/coupling/exchange.hpp"
#include "seam/coupling/memory.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

using base::Outcome;
using base::Tick;

UnisonLane unison_lane(const Program& program, const Lane& lane) {
  UnisonLane result{lane.march.marcher->lone_step(), lane.march.marcher, lane.coefficients, lane.values};
  result.sent.resize(static_cast<std::size_t>(lane.inputs));
  if (lane.micro_rows < 0) return result;
  const MicroRows& rows = program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
  result.rows = rows.place;
  result.row_width = rows.width();
  result.rows_before = rows.steps - 1;
  return result;
}

/// Lanes that make one micro step, and nothing between them and the communication point.
bool is_lone(const Program& program, const Operation& operation) {
  const Lane& lane = program.lanes[static_cast<std::size_t>(operation.first)];
  return operation.action == Action::step_in_segments && lane.march.alone && lane.march.marcher->lone_step();
}

bool is_of_the_point(const Program& program, const Operation& operation) {
  if (operation.action == Action::copy) return true;
  return operation.action == Action::evaluate &&
         program.lanes[static_cast<std::size_t>(operation.first)].march.in_place;
}

/// How many steps known signals stay as they are for; writes what they are.
Tick steady_steps(const Program& program, const Memory& memory, Tick count, assembly::Sources sources, double* values) {
  double until = std::numeric_limits<double>::infinity();
  const double begin = program.grid.time(memory.tick);
  for (const UnisonLane& lane : program.unison->lanes)
    until = std::min(until, lane.marcher->write_signals(begin, sources, values + lane.coefficients));
  const double fitting = (until - begin) / program.grid.step;
  if (fitting > static_cast<double>(count) + 3.0) return count;
  return std::clamp<Tick>(static_cast<Tick>(fitting) - 2, 0, count);  // a step before they change is made otherwise
}

/// Inputs at the edges that are 0 and stay it are left out of all sums.
void use_inputs(const UnisonLane& lane, const double* values) {
  if (!lane.marcher->forgets_zeros()) return;
  const double* const inputs = values + lane.coefficients;
  const auto is_used = [&](int i) { return lane.sent[static_cast<std::size_t>(i)] || inputs[i] != 0.0; };
  int first = 0, end = static_cast<int>(lane.sent.size());
  while (first + 1 < end && !is_used(end - 1)) --end;
  while (first + 1 < end && !is_used(first)) ++first;
  lane.step->use_inputs(first, end - first);
}

[[gnu::always_inline]] inline Outcome exchange(const Program& program, const Unison& unison, double limit,
                                               double* values) {
  for (const UnisonAct& act : unison.point) {
    if (act.evaluated) {
      act.evaluated->evaluate(act.number, values + act.from, values + act.to);
      continue;
    }
    const double value = values[act.from];
    values[act.to] = value;
    if (!sound(value, limit)) [[unlikely]]
      return Outcome::diverged;
  }
  return unheard_are_sound(program, values) ? Outcome::accepted : Outcome::diverged;
}

void add_acts(const Program& program, const Operation& operation, Unison& unison) {
  if (operation.action == Action::evaluate) {
    const UnisonLane& lane = unison.lanes[static_cast<std::size_t>(operation.first)];
    unison.point.push_back({lane.step, operation.count, lane.coefficients, lane.values});
    return;
  }
  for (int i = operation.first; i < operation.first + operation.count; ++i) {
    const Link& link = program.links[static_cast<std::size_t>(i)];
    unison.point.push_back({nullptr, 0, link.from, link.to});
  }
}

void list_sent_inputs(const Program& program, Unison& unison) {
  std::vector<char> written(program.initial_values.size());
  for (const Link& link : program.links) written[static_cast<std::size_t>(link.to)] = 1;
  for (UnisonLane& lane : unison.lanes)
    std::copy_n(written.begin() + lane.coefficients, lane.sent.size(), lane.sent.begin());
}

}  // namespace

std::optional<Unison> find_unison(Program& program) {
  if (program.slots.size() != 1 || program.events != system::Events::local) return std::nullopt;
  Unison unison;
  std::size_t lanes = 0;
  for (const Operation& operation : program.operations) {
    // lanes step in their order, so that operations may name them by it
    if (lanes < program.lanes.size() && static_cast<int>(lanes) == operation.first && is_lone(program, operation)) {
      unison.lanes.push_back(unison_lane(program, program.lanes[lanes++]));
    } else if (lanes == program.lanes.size() && is_of_the_point(program, operation)) {
      add_acts(program, operation, unison);
    } else {
      return std::nullopt;
    }
  }
  for (const UnisonLane& lane : unison.lanes) {
    for (const int input : lane.marcher->driven_inputs()) unison.signals.push_back(lane.coefficients + input);
  }
  list_sent_inputs(program, unison);
  unison.saved = add_places(program, static_cast<int>(unison.signals.size()));
  return unison;
}

Together advance_in_unison(const Program& program, Memory& memory, Tick count, assembly::Sources sources) {
  const Unison& unison = *program.unison;
  double* const values = memory.values.data();
  double* saved = values + unison.saved;
  for (const int place : unison.signals) *saved++ = values[place];
  Together result;
  const Tick steps = steady_steps(program, memory, count, sources, values);
  for (const UnisonLane& lane : unison.lanes) use_inputs(lane, values);
  const double limit = program.growth_limit;
  for (; result.made < steps && result.outcome == Outcome::accepted; ++result.made) {
    for (const UnisonLane& lane : unison.lanes) {
      const Tick row = (memory.tick + result.made) & lane.rows_before;
      lane.step->make(values + lane.coefficients, values + lane.rows + row * lane.row_width, values + lane.values);
    }
    result.outcome = exchange(program, unison, limit, values);
  }
  if (result.outcome != Outcome::accepted) --result.made;
  saved = values + unison.saved;
  for (const int place : unison.signals) values[place] = *saved++;
  return result;
}

}  // namespace seam::coupling
