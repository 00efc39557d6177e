#include "fmus/describe/description.hpp"
#include "fmus/describe/xml.hpp"

namespace seam::fmus {
namespace {

std::string type_definitions(const Model& model) {
  std::string types;
  for (const Variable* variable : enumerations(model)) {
    types += "    <Type" + attribute("name", enumeration_name(*variable)) + "><EnumerationType>\n";
    for (const std::string& item : variable->items) types += "      <Item" + attribute("name", item) + "/>\n";
    types += "    </EnumerationType></Type>\n";
  }
  return types.empty() ? "" : "  <TypeDefinitions>\n" + types + "  </TypeDefinitions>\n";
}

std::string causality(const Variable& variable) {
  return is_input(variable) ? "input" : variable.causality == Causality::output ? "output" : "internal";
}

std::string variability(const Variable& variable) {
  if (is_parameter(variable)) return "parameter";
  return word(variable.variability);
}

/// The inputs among what an output depends on; states are not listed.
std::string dependencies(const Model& model, const Variable& variable) {
  std::string names;
  for (const int place : variable.depends_on) {
    const Variable& known = model.variables()[static_cast<std::size_t>(place)];
    if (is_input(known)) names += "<Name>" + escaped(known.name) + "</Name>";
  }
  return "<DirectDependency>" + names + "</DirectDependency>";
}

/// The same value with the other sign, by the same reference.
std::string negated_alias(const Variable& variable) {
  const bool port = is_input(variable) || variable.causality == Causality::output;
  if (!port || variable.type == Type::string || variable.type == Type::enumeration) return "";
  return "    <ScalarVariable" + attribute("name", "minus_" + variable.name) +
         attribute("valueReference", std::to_string(variable.reference)) + attribute("causality", causality(variable)) +
         attribute("variability", variability(variable)) + attribute("alias", "negatedAlias") + "><" +
         scalar_type(variable) + "/></ScalarVariable>\n";
}

std::string variable_element(const Model& model, const Variable& variable) {
  std::string result = "    <ScalarVariable" + attribute("name", variable.name) +
                       attribute("valueReference", std::to_string(variable.reference));
  if (!variable.description.empty()) result += attribute("description", variable.description);
  result += attribute("causality", causality(variable)) + attribute("variability", variability(variable));
  result += "><" + scalar_type(variable);
  if (variable.type == Type::enumeration) result += attribute("declaredType", enumeration_name(variable));
  if (!variable.start.empty()) result += attribute("start", variable.start);
  if (!variable.unit.empty()) result += attribute("unit", variable.unit);
  if (!variable.min.empty()) result += attribute("min", variable.min);
  if (!variable.max.empty()) result += attribute("max", variable.max);
  result += "/>";
  if (variable.causality == Causality::output) result += dependencies(model, variable);
  return result + "</ScalarVariable>\n";
}

/// None for model exchange.
std::string implementation(const Model& model, const Build& build) {
  if (!build.co_simulation) return "";
  return "  <Implementation><CoSimulation_StandAlone><Capabilities" +
         flag("canHandleVariableCommunicationStepSize", model.traits().step_sizes == Traits::StepSizes::any) +
         flag("canInterpolateInputs", build.interpolates) +
         flag("canBeInstantiatedOnlyOncePerProcess", model.traits().instances == Traits::Instances::one) +
         (build.derivatives ? attribute("maxOutputDerivativeOrder", "1") : "") +
         "/></CoSimulation_StandAlone></Implementation>\n";
}

}  // namespace

std::string describe_fmi1(const Model& model, const Build& build) {
  const Traits traits = model.traits();
  std::string variables;
  for (const Variable& variable : model.variables()) {
    if (variable.causality == Causality::independent) continue;
    variables += variable_element(model, variable);
    if (build.aliases) variables += negated_alias(variable);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" + attribute("fmiVersion", "1.0") +
         attribute("modelName", build.name) + attribute("modelIdentifier", build.identifier) +
         attribute("guid", model.token()) + attribute("description", traits.description) +
         attribute("generationTool", "seam") +
         attribute("variableNamingConvention", traits.names == Traits::Names::flat ? "flat" : "structured") +
         attribute("numberOfContinuousStates", std::to_string(model.states().size())) +
         attribute("numberOfEventIndicators", std::to_string(model.event_indicators().size())) + ">\n" +
         type_definitions(model) + "  <DefaultExperiment" + attribute("startTime", "0") +
         attribute("stopTime", number(traits.stop)) + "/>\n  <ModelVariables>\n" + variables + "  </ModelVariables>\n" +
         implementation(model, build) + "</fmiModelDescription>\n";
}

}  // namespace seam::fmus
