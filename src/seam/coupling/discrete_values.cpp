#include "seam/coupling/discrete_values.hpp"

namespace seam::coupling {

void lay_out_discrete_values(Program& program) {
  for (Lane& lane : program.lanes) {
    const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(lane.member)];
    lane.discrete_in_count = static_cast<int>(member.inputs.size()) - lane.inputs;
    lane.discrete_out_count = static_cast<int>(member.outputs.size()) - lane.outputs;
    lane.discrete_in = program.discrete_values;
    lane.discrete_out = lane.discrete_in + lane.discrete_in_count;
    program.discrete_values = lane.discrete_out + lane.discrete_out_count;
  }
  for (const assembly::DiscreteWire& wire : program.assembly->discrete_wires) {
    const int from = program.discrete_output_place(wire.ends.from, wire.ends.output);
    const int to = wire.to == system::PortType::real ? program.input_place(wire.ends.to, wire.ends.input)
                                                     : program.discrete_input_place(wire.ends.to, wire.ends.input);
    program.discrete_links.push_back({&wire, from, to});
    for (Lane& lane : program.lanes)
      lane.sends_discrete_values = lane.sends_discrete_values || lane.member == wire.ends.from;
  }
}

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
