#include "seam/fmi/subsystem/sensitivity.hpp"

#include <algorithm>

namespace seam::fmi {
namespace {

bool is_differentiable(const Variable& v) {
  return v.type == Type::float64 && v.variability == Variability::continuous;
}

template <class Wanted>
DerivativeSide side_of(const std::vector<PortVariable>& variables, const Wanted& wanted) {
  DerivativeSide side;
  for (const PortVariable& v : variables) {
    if (!is_differentiable(*v.variable) || !wanted(v)) continue;
    side.references.push_back(v.variable->value_reference);
    for (std::size_t e = 0; e < v.elements; ++e) side.places.push_back(static_cast<int>(v.first + e));
  }
  return side;
}

void append(DerivativeSide& side, const Variable& v, std::size_t elements) {
  side.references.push_back(v.value_reference);
  for (std::size_t e = 0; e < elements; ++e) side.places.push_back(static_cast<int>(side.places.size()));
}

}  // namespace

DerivativeSides::DerivativeSides(const ModelDescription& description, const Ports& ports, const Structure& structure)
    : inputs(side_of(ports.input_variables, [](const PortVariable&) { return true; })),
      outputs(side_of(ports.output_variables, [](const PortVariable&) { return true; })) {
  const auto known_as_derivative = [&](const Unknown& unknown) {
    return description.variables[unknown.variable].derivative_of.has_value();
  };
  const auto& listed = description.structure.derivatives;
  const auto declared = std::count_if(description.variables.begin(), description.variables.end(),
                                      [](const Variable& v) { return v.derivative_of && is_differentiable(v); });
  // A state whose derivative is declared but not listed would be missing from the linear model.
  lists_states = std::all_of(listed.begin(), listed.end(), known_as_derivative) &&
                 declared <= static_cast<std::ptrdiff_t>(listed.size());
  if (!lists_states) return;
  for (const Unknown& unknown : listed) {
    const Variable& derivative = description.variables[unknown.variable];
    const auto elements = element_count(description, derivative, structure);
    append(derivatives, derivative, elements.value_or(1));
    append(states, description.variables[*derivative.derivative_of], elements.value_or(1));
  }
}

DerivativeSides DerivativeSides::of_feedthrough(const ModelDescription& description, const Ports& ports,
                                                const std::vector<int>& fed) {
  DerivativeSides sides;
  sides.inputs = side_of(ports.input_variables, [&](const PortVariable& input) {
    return std::any_of(fed.begin(), fed.end(), [&](int port) {
      return port >= static_cast<int>(input.first) && port < static_cast<int>(input.first + input.elements);
    });
  });
  sides.outputs = side_of(ports.output_variables, [&](const PortVariable& output) {
    return std::any_of(sides.inputs.places.begin(), sides.inputs.places.end(), [&](int input) {
      return feeds_through(description, ports, static_cast<int>(output.first), input);
    });
  });
  return sides;
}

std::string outputs_beyond(const DerivativeSides& sides, const ModelDescription& description, const Ports& ports,
                           const std::vector<int>& fed) {
  const auto holds = [](const std::vector<int>& places, int port) {
    return std::find(places.begin(), places.end(), port) != places.end();
  };
  std::string names;
  for (std::size_t y = 0; y < system::count_reals(ports.outputs); ++y) {
    const bool beyond = std::any_of(fed.begin(), fed.end(), [&](int u) {
      return feeds_through(description, ports, static_cast<int>(y), u) &&
             !(holds(sides.inputs.places, u) && holds(sides.outputs.places, static_cast<int>(y)));
    });
    if (beyond) names += (names.empty() ? "" : ", ") + ports.outputs[y].name;
  }
  return names;
}

}  // namespace seam::fmi
