#include "seam/analysis/port_passivity.hpp"

namespace seam::analysis {
namespace {

/// One input to one output of a member, the output multiplied.
lti::StateSpace channel(const lti::StateSpace& part, int input, int output, double factor) {
  return {part.A, part.B.col(input), factor * part.C.row(output), factor * part.D.block(output, input, 1, 1)};
}

}  // namespace

std::vector<PortPassivity> port_passivity(const assembly::Assembly& assembly, const LinearParts& linear,
                                          const std::vector<system::Bond>& bonds) {
  std::vector<PortPassivity> result;
  for (const system::Bond& bond : bonds) {
    if (bond.effort < 0 || bond.flow < 0) continue;
    const system::Connection& effort = assembly.connections[static_cast<std::size_t>(bond.effort)];
    const system::Connection& flow = assembly.connections[static_cast<std::size_t>(bond.flow)];
    const bool sender_gives = bond.giver == system::Bond::Giver::effort_sender;
    // Who receives the flow sends the effort, and the other way round; power comes in against the direction of giving.
    const auto add = [&](const system::PortPath& in, const system::PortPath& out, double into) {
      const auto member = static_cast<std::size_t>(in.subsystem);
      const lti::StateSpace& part = linear.parts[member];
      if (part.inputs() == 0) return;
      result.push_back({bond.name, assembly.members[member].name,
                        lti::passivity(channel(part, in.port, out.port, into), lti::TimeDomain::continuous)});
    };
    add(flow.to, effort.from, (sender_gives ? -1.0 : 1.0) * effort.gain * flow.gain);
    add(effort.to, flow.from, (sender_gives ? 1.0 : -1.0) * effort.gain * flow.gain);
  }
  return result;
}

}  // namespace seam::analysis
