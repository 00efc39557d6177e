#include "seam/coupling/program.hpp"

#include <algorithm>

namespace seam::coupling {
namespace {

/// Lanes are in the order of members.
const Lane* lane_of(const Program& program, int member) {
  const auto found = std::lower_bound(program.lanes.begin(), program.lanes.end(), member,
                                      [](const Lane& lane, int wanted) { return lane.member < wanted; });
  return found != program.lanes.end() && found->member == member ? &*found : nullptr;
}

/// Place of an output that is read when it is recorded; none: steps write it.
std::optional<int> observed_place(const Program& program, const Lane& lane, int output) {
  const auto number = static_cast<int>(&lane - program.lanes.data());
  const auto found = std::lower_bound(program.observed.begin(), program.observed.end(), number,
                                      [](const ObservedLane& observed, int wanted) { return observed.lane < wanted; });
  if (found == program.observed.end() || found->lane != number) return std::nullopt;
  const auto at = std::lower_bound(found->outputs.begin(), found->outputs.end(), output);
  if (at == found->outputs.end() || *at != output) return std::nullopt;
  if (output < lane.outputs) return found->place + static_cast<int>(at - found->outputs.begin());
  const auto first = std::lower_bound(found->outputs.begin(), found->outputs.end(), lane.outputs);
  return found->discrete_place + static_cast<int>(at - first);
}

}  // namespace

int Program::input_place(int member, int input) const {
  const Lane* lane = lane_of(*this, member);
  return lane && input < lane->inputs ? lane->now[static_cast<std::size_t>(input)] : -1;
}

int Program::output_place(int member, int output) const {
  const Lane* lane = lane_of(*this, member);
  if (!lane || output >= lane->outputs) return -1;
  return observed_place(*this, *lane, output).value_or(lane->values + output);
}

int Program::discrete_input_place(int member, int input) const {
  const Lane* lane = lane_of(*this, member);
  return lane && input >= lane->inputs ? lane->discrete_in + input - lane->inputs : -1;
}

int Program::discrete_output_place(int member, int output) const {
  const Lane* lane = lane_of(*this, member);
  if (!lane || output < lane->outputs) return -1;
  return observed_place(*this, *lane, output).value_or(lane->discrete_out + output - lane->outputs);
}

const Intervention* Program::intervention(int member, int input) const {
  for (const Intervention& one : interventions) {
    if (one.course.subsystem == member && one.course.input == input) return &one;
  }
  return nullptr;
}

}  // namespace seam::coupling
