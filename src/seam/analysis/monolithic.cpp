#include "seam/analysis/monolithic.hpp"

#include "seam/analysis/linear_parts.hpp"
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
  auto linear = linear_parts(assembly, t, reason);
  if (!linear) return std::nullopt;
  auto system = lti::interconnect(linear->parts, linear->wiring.K, linear->wiring.E);
  if (!system) {
    reason = "the direct feed-through of the outputs forms a loop without a unique solution";
    return std::nullopt;
  }
  return MonolithicModel{std::move(*system), linear->origin, std::move(linear->state_names)};
}

}  // namespace seam::analysis
