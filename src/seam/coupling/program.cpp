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

}  // namespace

int Program::input_place(int member, int input) const {
  const Lane* lane = lane_of(*this, member);
  return lane && input < lane->inputs ? lane->now[static_cast<std::size_t>(input)] : -1;
}

int Program::output_place(int member, int output) const {
  const Lane* lane = lane_of(*this, member);
  return lane && output < lane->outputs ? lane->values + output : -1;
}

int Program::discrete_input_place(int member, int input) const {
  const Lane* lane = lane_of(*this, member);
  return lane && input >= lane->inputs ? lane->discrete_in + input - lane->inputs : -1;
}

int Program::discrete_output_place(int member, int output) const {
  const Lane* lane = lane_of(*this, member);
  return lane && output >= lane->outputs ? lane->discrete_out + output - lane->outputs : -1;
}

const Intervention* Program::intervention(int member, int input) const {
  for (const Intervention& one : interventions) {
    if (one.course.subsystem == member && one.course.input == input) return &one;
  }
  return nullptr;
}

}  // namespace seam::coupling
