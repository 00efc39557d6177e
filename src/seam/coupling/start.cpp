#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/discrete_values.hpp"
#include "seam/coupling/exchange.hpp"
#include "seam/coupling/intervention.hpp"

namespace seam::coupling {
namespace {

void fill_emitters(const Program& program, Memory& memory) {
  for (const Lane& lane : program.lanes) {
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
      double* values = memory.values.data();
      const int ports = static_cast<int>(group.ports.size());
      for (int p = 0; p < ports; ++p)
        values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
      group.emitter->start(ports, values + group.gathered, values + group.rows);
    }
  }
}

void fill_receivers(const Program& program, Memory& memory) {
  for (const ReceiverGroup& group : program.receivers) {
    group.receiver->start(static_cast<int>(group.columns.size()), memory.values.data() + group.history);
    memory.knowledge[static_cast<std::size_t>(group.counter)] = 1;
  }
}

void send_first(const Program& program, Memory& memory) {
  fill_emitters(program, memory);
  if (program.correction) send_as_they_are(*program.correction, memory.values.data());
  for (const Link& link : program.links) {
    memory.values[static_cast<std::size_t>(link.to)] =
        link.gain * memory.values[static_cast<std::size_t>(link.from)] + link.offset;
  }
  fill_receivers(program, memory);
  pass(program, program.discrete_links, memory);
  intervene_at_point(program, memory, {0, program.grid.start});
  if (program.correction) program.correction->corrector->begin(program, memory);
}

/// A corrector must not take outputs that stood still for those of micro points, and its constants must be read.
void check_micro_points(const Program& program) {
  if (!program.correction) return;
  const int looks = program.correction->shape.looks;
  for (const CorrectedLane& corrected : program.correction->lanes) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(corrected.lane)];
    if (lane.subsystem->capabilities().shows_micro_points) continue;
    const std::string& name = program.assembly->members[static_cast<std::size_t>(lane.member)].name;
    const char* const why = "in a trial it took no steps that are shorter than the macro step";
    if (looks > 1 && corrected.outputs > 0)
      throw base::Error(
          base::Failure::subsystem,
          fmt::format("the corrector cannot look at {} {} times a step: {}. Use micro_outputs: 1 (default)", name,
                      looks, why));
    if (corrected.in_pieces)
      throw base::Error(base::Failure::subsystem,
                        fmt::format("the corrector cannot give {} {} constants a step: {}. Use input: hold", name,
                                    corrected.written, why));
  }
}

}  // namespace

Memory start(const Program& program) {
  Memory memory = program.initial;
  const assembly::PortValues ports = initialise_under_events(program);
  check_micro_points(program);
  for (const Lane& lane : program.lanes) {
    const auto& outputs = ports.outputs[static_cast<std::size_t>(lane.member)];
    std::copy_n(outputs.begin(), lane.outputs, memory.values.begin() + lane.values);
    const auto& given = ports.discrete_in[static_cast<std::size_t>(lane.member)];
    const auto& taken = ports.discrete_out[static_cast<std::size_t>(lane.member)];
    std::copy(given.begin(), given.end(), memory.discrete_values.begin() + lane.discrete_in);
    std::copy(taken.begin(), taken.end(), memory.discrete_values.begin() + lane.discrete_out);
  }
  send_first(program, memory);
  if (program.event_lanes.empty()) return memory;
  const Now now{{program.grid.start, 0.0, assembly::Sources::live}, 0.0, {0, program.grid.start}};
  const StepFailure failure = settle_events(program, now, memory);
  if (failure.outcome != base::Outcome::accepted) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(failure.lane)];
    throw base::Error(base::Failure::subsystem,
                      fmt::format("{} asked to end the run at its start, {} s",
                                  program.assembly->members[static_cast<std::size_t>(lane.member)].name, now.end()));
  }
  send_first(program, memory);
  return memory;
}

void settle(const Program& program, Memory& memory) {
  constexpr std::int64_t plenty = 1 << 20;
  for (const ReceiverGroup& group : program.receivers)
    memory.knowledge[static_cast<std::size_t>(group.counter)] = plenty;
  if (program.correction) memory.knowledge[static_cast<std::size_t>(program.correction->seen)] = plenty;
}

void set_past(const Program& program, Memory& memory, int connection, const std::vector<double>& past) {
  for (const ReceiverGroup& group : program.receivers) {
    const auto found = std::find(group.connections.begin(), group.connections.end(), connection);
    if (found == group.connections.end()) continue;
    const auto port = static_cast<std::size_t>(found - group.connections.begin());
    const auto needed = static_cast<std::size_t>(group.receiver->shape().history - 1);
    if (past.size() < needed) throw base::Error(base::Failure::internal, "set_past was given too few samples");
    for (std::size_t row = 1; row <= needed; ++row) {
      memory.values[static_cast<std::size_t>(group.history) + row * group.columns.size() + port] = past[row - 1];
    }
    memory.knowledge[static_cast<std::size_t>(group.counter)] = static_cast<std::int64_t>(needed) + 1;
  }
}

}  // namespace seam::coupling
