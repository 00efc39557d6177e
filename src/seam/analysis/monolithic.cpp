#include "seam/analysis/monolithic.hpp"

#include "seam/lti/interconnect.hpp"

namespace seam::analysis {

using assembly::Assembly;
using assembly::Member;
using assembly::Wire;

Interconnection interconnection(const Assembly& assembly) {
  Interconnection all;
  int inputs = 0, outputs = 0;
  for (const Member& member : assembly.members) {
    all.first_input.push_back(inputs);
    all.first_output.push_back(outputs);
    inputs += static_cast<int>(member.inputs.size());
    outputs += static_cast<int>(member.outputs.size());
  }
  all.K = lti::Matrix::Zero(inputs, outputs);
  all.constant = lti::Vector::Zero(inputs);
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const Member& member = assembly.members[m];
    for (std::size_t i = 0; i < member.inputs.size(); ++i)
      all.constant(all.first_input[m] + static_cast<int>(i)) = member.inputs[i].start.value_or(0.0);
    for (assembly::Drive drive : member.drives) {
      drive.input += all.first_input[m];
      all.signals.push_back(drive);
    }
  }
  for (const Wire& wire : assembly.wires) {
    const int input = all.first_input[static_cast<std::size_t>(wire.to)] + wire.input;
    const Member& source = assembly.members[static_cast<std::size_t>(wire.from)];
    if (!source.signals.empty()) {  // sampled for the run, but what is meant is the signal
      all.signals.push_back({input, source.signals[static_cast<std::size_t>(wire.output)], wire.gain, wire.offset});
      continue;
    }
    all.K(input, all.first_output[static_cast<std::size_t>(wire.from)] + wire.output) = wire.gain;
    all.constant(input) = wire.offset;
  }
  all.E = lti::Matrix::Zero(inputs, static_cast<Eigen::Index>(all.signals.size()));
  for (std::size_t s = 0; s < all.signals.size(); ++s) {
    all.E(all.signals[s].input, static_cast<Eigen::Index>(s)) = 1.0;
    all.constant(all.signals[s].input) = 0.0;
  }
  return all;
}

std::optional<MonolithicModel> monolithic_model(Assembly& assembly, double t, std::string& reason) {
  const assembly::PortValues ports = assembly::consistent_ports(assembly, t, assembly::Sources::live);
  std::vector<lti::StateSpace> parts;
  MonolithicModel result;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    Member& member = assembly.members[m];
    if (!member.subsystem) {
      const auto outputs = static_cast<Eigen::Index>(member.outputs.size());
      parts.push_back({lti::Matrix(0, 0), lti::Matrix(0, 0), lti::Matrix(outputs, 0), lti::Matrix(outputs, 0)});
      continue;
    }
    const auto linear = member.subsystem->linearise(t, ports.inputs[m]);
    if (!linear) {
      reason = "no linear model describes \"" + member.name + "\"";
      return std::nullopt;
    }
    if (linear->origin == assembly::LinearModel::Origin::linearised) result.origin = linear->origin;
    parts.push_back(linear->matrices);
    const auto names = member.subsystem->state_names();
    for (Eigen::Index i = 0; i < linear->matrices.states(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      result.state_names.push_back(member.name + "." +
                                   (at < names.size() ? names[at] : "state " + std::to_string(i + 1)));
    }
  }
  const Interconnection all = interconnection(assembly);
  auto system = lti::interconnect(parts, all.K, all.E);
  if (!system) {
    reason = "the direct feed-through of the outputs forms a loop without a unique solution";
    return std::nullopt;
  }
  result.system = std::move(*system);
  return result;
}

}  // namespace seam::analysis
