#include "seam/coupling/micro_rows.hpp"

#include <algorithm>
#include <bit>

#include "seam/coupling/last_step.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {

bool wants_micro_rows(const std::vector<MicroRequest>& requests, int member) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const MicroRequest& request) { return request.member == member; });
}

void list_micro_rows(const assembly::Assembly& assembly, const std::vector<MicroRequest>& requests, Parts& parts) {
  for (const MicroRequest& request : requests) {
    const auto found = std::find_if(parts.lanes.begin(), parts.lanes.end(),
                                    [&](const Lane& lane) { return lane.member == request.member; });
    if (found == parts.lanes.end()) continue;
    MicroRows rows;
    rows.lane = static_cast<int>(found - parts.lanes.begin());
    rows.inputs = request.inputs;
    rows.outputs = request.outputs;
    rows.can_ask = assembly.members[static_cast<std::size_t>(request.member)].equations != nullptr &&
                   found->subsystem->capabilities().can_evaluate;
    found->micro_rows = static_cast<int>(parts.micro_rows.size());
    parts.micro_rows.push_back(std::move(rows));
  }
}

base::Tick give_room(const std::vector<Lane>& lanes, bool no_step_fails, std::vector<MicroRows>& all) {
  constexpr int rows_at_once = 512;
  int last = no_step_fails && !all.empty() ? rows_at_once : 1;
  for (const MicroRows& rows : all) {
    const Lane& lane = lanes[static_cast<std::size_t>(rows.lane)];
    last = std::min(last, rows_at_once / lane.segments * lane.multiple);
  }
  last = std::max(1, last);
  for (MicroRows& rows : all) {
    const auto steps =
        static_cast<unsigned>(last) / static_cast<unsigned>(lanes[static_cast<std::size_t>(rows.lane)].multiple) + 1;
    rows.steps = last == 1 ? 1 : static_cast<int>(std::bit_ceil(steps));
  }
  return last;
}

void note_micro_row(const Program& program, const Lane& lane, int row, const assembly::Step& step, double* values) {
  const MicroRows& rows = program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
  if (rows.can_ask) {  // the micro step writes the outputs again
    lane.subsystem->evaluate(step.begin, step.sources, {values + lane.segment, static_cast<std::size_t>(lane.inputs)},
                             {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  }
  double* noted = values + row;
  for (const int output : rows.outputs) *noted++ = values[lane.values + output];
  for (const int input : rows.inputs) *noted++ = values[lane.segment + input];
}

int count_micro_rows(const Lane& lane, double fraction) {
  return fraction == 1.0 ? lane.segments : segments_of_last_step(lane.segments, fraction);
}

}  // namespace seam::coupling
