#include "seam/coupling/discrete_values.hpp"

namespace seam::coupling {

void pass(const Program& program, std::span<const DiscreteLink> links, Memory& memory) {
  for (const DiscreteLink& link : links) {
    const system::DiscreteValue& sent = memory.discrete_values[static_cast<std::size_t>(link.from)];
    const auto to = static_cast<std::size_t>(link.to);
    if (link.wire->to == system::PortType::real) {
      memory.values[to] = assembly::real_through(*program.assembly, *link.wire, sent);
    } else {
      assembly::deliver(*program.assembly, *link.wire, sent, memory.discrete_values[to]);
    }
  }
}

void give(const Lane& lane, const Memory& memory) {
  lane.subsystem->facets().discrete_ports->give(
      {memory.discrete_values.data() + lane.discrete_in, static_cast<std::size_t>(lane.discrete_in_count)});
}

void take(const Lane& lane, Memory& memory) {
  lane.subsystem->facets().discrete_ports->take(
      {memory.discrete_values.data() + lane.discrete_out, static_cast<std::size_t>(lane.discrete_out_count)});
}

}  // namespace seam::coupling
