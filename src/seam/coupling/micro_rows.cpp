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

void list_micro_rows(Program& program, const std::vector<MicroRequest>& requests) {
  for (const MicroRequest& request : requests) {
    const auto found = std::find_if(program.lanes.begin(), program.lanes.end(),
                                    [&](const Lane& lane) { return lane.member == request.member; });
    if (found == program.lanes.end()) continue;
    MicroRows rows;
    rows.lane = static_cast<int>(found - program.lanes.begin());
    rows.inputs = request.inputs;
    rows.outputs = request.outputs;
    rows.can_ask = program.assembly->members[static_cast<std::size_t>(request.member)].equations != nullptr &&
                   found->subsystem->capabilities().can_evaluate;
    found->micro_rows = static_cast<int>(program.micro_rows.size());
    program.micro_rows.push_back(std::move(rows));
  }
}

void lay_out_micro_rows(Program& program, bool no_step_fails) {
  constexpr int rows_at_once = 512;
  for (const MicroRows& rows : program.micro_rows) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
    const int steps = no_step_fails ? rows_at_once / lane.segments * lane.multiple : 1;
    const bool first = &rows == &program.micro_rows.front();
    program.micro_rows_last = std::max(1, first ? steps : std::min(steps, static_cast<int>(program.micro_rows_last)));
  }
  constexpr int filling = lti::rows_a_block - 1;  // a map writes whole blocks of rows
  for (MicroRows& rows : program.micro_rows) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
    const auto steps = static_cast<unsigned>(program.micro_rows_last) / static_cast<unsigned>(lane.multiple) + 1;
    rows.steps = program.micro_rows_last == 1 ? 1 : static_cast<int>(std::bit_ceil(steps));
    rows.place = add_places(program, rows.steps * lane.segments * rows.width() + filling);
  }
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
  return fraction == 1.0 ? lane.segments : segments_of_last_step(lane, fraction);
}

}  // namespace seam::coupling
