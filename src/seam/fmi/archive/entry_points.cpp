#include "seam/fmi/archive/entry_points.hpp"

namespace seam::fmi {
namespace {

using Names = std::vector<std::string>;

/// What FMI 2 and 3 call alike.
Names common(const Interface& interface) {
  Names names{"GetVersion", "FreeInstance", "EnterInitializationMode", "ExitInitializationMode", "Terminate"};
  if (interface.provides_directional_derivatives) names.emplace_back("GetDirectionalDerivative");
  return names;
}

void append(Names& names, const Names& more) { names.insert(names.end(), more.begin(), more.end()); }

void append_exchange(Names& names, const Interface& interface) {
  append(names, {"EnterEventMode", "EnterContinuousTimeMode", "SetTime"});
  if (interface.needs_completed_integrator_step) names.emplace_back("CompletedIntegratorStep");
}

void append_states(Names& names, const Interface& interface, Version version) {
  const std::string state = version == Version::fmi2 ? "FMUstate" : "FMUState";
  if (interface.can_get_and_set_state) append(names, {"Get" + state, "Set" + state, "Free" + state});
  if (interface.can_serialize_state)
    append(names, {"Serialized" + state + "Size", "Serialize" + state,
                   (version == Version::fmi2 ? "DeSerialize" : "Deserialize") + state});
}

Names of_stepping(const Interface& interface, Version version) {
  Names names = common(interface);
  append_states(names, interface, version);
  names.emplace_back("DoStep");
  if (version == Version::fmi3) {
    names.emplace_back("InstantiateCoSimulation");
    if (interface.provides_adjoint_derivatives) names.emplace_back("GetAdjointDerivative");
    if (interface.max_output_derivative_order > 0) names.emplace_back("GetOutputDerivatives");
    if (interface.has_event_mode) append(names, {"EnterEventMode", "EnterStepMode", "UpdateDiscreteStates"});
    return names;
  }
  append(names, {"Instantiate", "SetupExperiment"});
  if (interface.can_interpolate_inputs) names.emplace_back("SetRealInputDerivatives");
  if (interface.max_output_derivative_order > 0) names.emplace_back("GetRealOutputDerivatives");
  return names;
}

Names of_exchange(const Interface& interface, Version version) {
  Names names = common(interface);
  append_states(names, interface, version);
  append_exchange(names, interface);
  if (version == Version::fmi3)
    append(names, {"InstantiateModelExchange", "UpdateDiscreteStates", "GetNumberOfContinuousStates",
                   "GetNumberOfEventIndicators"});
  else
    append(names, {"Instantiate", "SetupExperiment", "NewDiscreteStates"});
  return names;
}

}  // namespace

std::vector<std::string> required_functions(const ModelDescription& description, const std::string& model_identifier) {
  Names names;
  const auto served = [&](const std::optional<Interface>& interface) {
    return interface && interface->model_identifier == model_identifier;
  };
  if (served(description.co_simulation)) append(names, of_stepping(*description.co_simulation, description.version));
  if (served(description.model_exchange)) append(names, of_exchange(*description.model_exchange, description.version));
  const std::string prefix = description.version == Version::fmi2 ? "fmi2" : "fmi3";
  for (std::string& name : names) name = prefix + name;
  return names;
}

}  // namespace seam::fmi
