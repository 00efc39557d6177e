#include "seam/analysis/port_passivity.hpp"

namespace seam::analysis {
namespace {

/// One input to one output of a member, the output multiplied. `integral`, if not -1, is an input that follows the
/// integral of the first.
lti::StateSpace channel(const lti::StateSpace& part, int input, int integral, int output, double factor) {
  const lti::StateSpace plain{part.A, part.B.col(input), factor * part.C.row(output),
                              factor * part.D.block(output, input, 1, 1)};
  if (integral < 0) return plain;
  const Eigen::Index n = part.states();
  lti::StateSpace with{lti::Matrix::Zero(n + 1, n + 1), lti::Matrix::Ones(n + 1, 1), lti::Matrix(1, n + 1), plain.D};
  with.A.topLeftCorner(n, n) = part.A;
  with.A.topRightCorner(n, 1) = part.B.col(integral);
  with.B.topRows(n) = plain.B;
  with.C.leftCols(n) = plain.C;
  with.C(0, n) = factor * part.D(output, integral);
  return with;
}

/// Further inputs from the subsystem that the bond's variable comes from.
std::vector<const system::Connection*> beside(const assembly::Assembly& assembly, const system::Connection& bonded) {
  std::vector<const system::Connection*> result;
  for (const system::Connection& other : assembly.connections) {
    if (other.to.subsystem == bonded.to.subsystem && other.from.subsystem == bonded.from.subsystem &&
        other.to.port != bonded.to.port)
      result.push_back(&other);
  }
  return result;
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
    const auto add = [&](const system::Connection& in, const system::PortPath& out, double into) {
      const assembly::Member& member = assembly.members[static_cast<std::size_t>(in.to.subsystem)];
      const lti::StateSpace& part = linear.parts[static_cast<std::size_t>(in.to.subsystem)];
      if (part.inputs() == 0) return;
      const auto unit = [&](int port) { return member.inputs[static_cast<std::size_t>(port)].unit; };
      const auto others = beside(assembly, in);
      const bool integral = others.size() == 1 && unit(others[0]->to.port) + "/s" == unit(in.to.port);
      PortPassivity side{bond.name, member.name, {}, {}};
      if (others.empty() || integral) {
        side.passivity = lti::passivity(channel(part, in.to.port, integral ? others[0]->to.port : -1, out.port, into),
                                        lti::TimeDomain::continuous);
      } else {
        side.reason = "more than this bond comes from the other side";
      }
      result.push_back(std::move(side));
    };
    add(flow, effort.from, (sender_gives ? -1.0 : 1.0) * effort.gain * flow.gain);
    add(effort, flow.from, (sender_gives ? 1.0 : -1.0) * effort.gain * flow.gain);
  }
  return result;
}

}  // namespace seam::analysis
