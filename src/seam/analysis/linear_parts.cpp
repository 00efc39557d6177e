#include "seam/analysis/linear_parts.hpp"

namespace seam::analysis {

std::optional<LinearParts> linear_parts(assembly::Assembly& assembly, double t, std::string& reason) {
  const assembly::PortValues ports = assembly::consistent_ports(assembly, t, assembly::Sources::live);
  LinearParts result;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    assembly::Member& member = assembly.members[m];
    if (!member.subsystem) {
      const auto outputs = static_cast<Eigen::Index>(member.outputs.size());
      result.parts.push_back({lti::Matrix(0, 0), lti::Matrix(0, 0), lti::Matrix(outputs, 0), lti::Matrix(outputs, 0)});
      continue;
    }
    const auto linear = assembly::linearised(*member.subsystem, t, ports.inputs[m]);
    if (!linear) {
      reason = "no linear model describes \"" + member.name + "\"";
      return std::nullopt;
    }
    if (linear->origin == assembly::LinearModel::Origin::linearised) result.origin = linear->origin;
    result.parts.push_back(linear->matrices);
    const auto names = member.subsystem->state_names();
    for (Eigen::Index i = 0; i < linear->matrices.states(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      result.state_names.push_back(member.name + "." +
                                   (at < names.size() ? names[at] : "state " + std::to_string(i + 1)));
    }
  }
  result.wiring = interconnection(assembly);
  return result;
}

}  // namespace seam::analysis
