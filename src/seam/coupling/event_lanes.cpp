#include "seam/coupling/event_lanes.hpp"

#include <fmt/format.h>

namespace seam::coupling {

void list_event_lanes(Program& program, const system::Plan& plan, base::Problems& problems) {
  program.events = plan.events;
  const bool shared = plan.events == system::Events::shared;
  const auto refuse = [&](const std::string& why, const char* mend) {
    if (shared) problems.add(plan.events_where, "events: shared is not possible: " + why, mend);
  };
  const char* const otherwise = "use events: local (default)";
  if (plan.schedule != system::Schedule::Kind::jacobi) refuse("the schedule is gauss-seidel", otherwise);
  std::string stays;  // a subsystem that cannot go back
  for (std::size_t l = 0; l < program.lanes.size(); ++l) {
    const Lane& lane = program.lanes[l];
    const std::string& name = program.assembly->members[static_cast<std::size_t>(lane.member)].name;
    if (lane.multiple > 1) refuse(fmt::format("\"{}\" has a step of its own", name), otherwise);
    if (!lane.subsystem->capabilities().can_shorten)
      refuse(fmt::format("\"{}\" takes no shorter step", name), otherwise);
    if (!lane.emitters.empty())
      refuse(fmt::format("\"{}\" sends samples of its micro steps", name), "use samples: macro");
    assembly::DiscretePart* part = lane.subsystem->facets().discrete_part;
    if (!part) continue;
    bool feeds_through = false;
    for (int o = 0; o < lane.outputs; ++o) {
      for (int i = 0; i < lane.inputs; ++i) feeds_through = feeds_through || lane.subsystem->feeds_through(o, i);
    }
    program.event_lanes.push_back({static_cast<int>(l), part, 0, feeds_through});
    if (part->can_go_back()) continue;
    if (!stays.empty()) {
      refuse(
          fmt::format("neither \"{}\" nor \"{}\" can save its state and go back to an event of the other", stays, name),
          otherwise);
    }
    stays = name;
  }
}

}  // namespace seam::coupling
