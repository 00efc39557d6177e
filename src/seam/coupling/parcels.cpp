#include "seam/coupling/parcels.hpp"

namespace seam::coupling {

void lay_out_parcels(Program& program) {
  for (Lane& lane : program.lanes) {
    const assembly::Member& member = program.assembly->members[static_cast<std::size_t>(lane.member)];
    lane.parcels_in_count = static_cast<int>(member.inputs.size()) - lane.inputs;
    lane.parcels_out_count = static_cast<int>(member.outputs.size()) - lane.outputs;
    lane.parcels_in = program.parcels;
    lane.parcels_out = lane.parcels_in + lane.parcels_in_count;
    program.parcels = lane.parcels_out + lane.parcels_out_count;
  }
  for (const assembly::ParcelWire& wire : program.assembly->parcel_wires) {
    const int from = program.parcel_output_place(wire.ends.from, wire.ends.output);
    const int to = wire.to == system::PortType::real ? program.input_place(wire.ends.to, wire.ends.input)
                                                     : program.parcel_input_place(wire.ends.to, wire.ends.input);
    program.parcel_links.push_back({&wire, from, to});
    for (Lane& lane : program.lanes) lane.sends_parcels = lane.sends_parcels || lane.member == wire.ends.from;
  }
}

void pass(const Program& program, std::span<const ParcelLink> links, Memory& memory) {
  for (const ParcelLink& link : links) {
    const system::Parcel& sent = memory.parcels[static_cast<std::size_t>(link.from)];
    const auto to = static_cast<std::size_t>(link.to);
    if (link.wire->to == system::PortType::real) {
      memory.values[to] = assembly::real_through(*program.assembly, *link.wire, sent);
    } else {
      assembly::deliver(*program.assembly, *link.wire, sent, memory.parcels[to]);
    }
  }
}

void give(const Lane& lane, const Memory& memory) {
  lane.subsystem->give({memory.parcels.data() + lane.parcels_in, static_cast<std::size_t>(lane.parcels_in_count)});
}

void take(const Lane& lane, Memory& memory) {
  lane.subsystem->take({memory.parcels.data() + lane.parcels_out, static_cast<std::size_t>(lane.parcels_out_count)});
}

}  // namespace seam::coupling
