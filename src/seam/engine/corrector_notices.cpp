#include "seam/engine/corrector_notices.hpp"

#include <fmt/format.h>

namespace seam::engine {

void tell_of_corrector(const coupling::Program& program, const coupling::Memory& memory, RunSummary& summary) {
  const coupling::Correction& correction = *program.correction;
  const auto count = [&](int first, std::size_t i) { return memory.knowledge[static_cast<std::size_t>(first) + i]; };
  const auto times = [](std::int64_t number) {
    return number == 1 ? std::string("once") : fmt::format("{} times", number);
  };
  for (const std::string& notice : correction.notices) summary.notices.push_back(notice);
  for (std::size_t w = 0; w < correction.wires.size(); ++w) {
    if (count(correction.clamped, w) == 0) continue;
    const assembly::Wire& wire = program.assembly->wires[static_cast<std::size_t>(correction.wires[w].wire)];
    summary.notices.push_back(fmt::format("corrector: {} would have left its limits {} and was kept there",
                                          program.assembly->sink_name(wire), times(count(correction.clamped, w))));
  }
  for (std::size_t l = 0; l < correction.lanes.size(); ++l) {
    if (count(correction.skipped, l) == 0) continue;
    const int lane = correction.lanes[l].lane;
    const int member = program.lanes[static_cast<std::size_t>(lane)].member;
    summary.notices.push_back(fmt::format("corrector: nothing was mended at {} in steps with an event, {}",
                                          program.assembly->members[static_cast<std::size_t>(member)].name,
                                          times(count(correction.skipped, l))));
  }
}

}  // namespace seam::engine
