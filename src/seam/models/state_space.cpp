#include "seam/models/state_space.hpp"

#include "seam/models/linear_ode.hpp"

namespace seam::models {

std::vector<std::string> numbered(const std::string& base, int count) {
  if (count == 1) return {base};
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(base + std::to_string(i));
  return names;
}

std::vector<Port> ports(const std::vector<std::string>& names, const std::string& unit) {
  std::vector<Port> result;
  for (const std::string& name : names) result.push_back({name, unit, std::nullopt});
  return result;
}

Model state_space(const lti::StateSpace& system, std::vector<double> x0, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
  Model model;
  model.inputs = ports(inputs);
  model.outputs = ports(outputs);
  model.state_names = numbered("x", static_cast<int>(system.states()));
  model.x0 = std::move(x0);
  model.ode = std::make_unique<LinearOde>(system);
  return model;
}

}  // namespace seam::models
