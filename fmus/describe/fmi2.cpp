#include <algorithm>

#include "fmus/describe/description.hpp"
#include "fmus/describe/xml.hpp"

namespace seam::fmus {
namespace {

std::string common_flags(const Model& model, const Build& build) {
  return flag("canBeInstantiatedOnlyOncePerProcess", model.traits().instances == Traits::Instances::one) +
         flag("canGetAndSetFMUstate", build.state) + flag("canSerializeFMUstate", build.state) +
         flag("providesDirectionalDerivative", build.derivatives);
}

std::string model_exchange_element(const Model& model, const Build& build) {
  if (!build.model_exchange) return "";
  return "  <ModelExchange" + attribute("modelIdentifier", build.identifier) +
         flag("completedIntegratorStepNotNeeded", model.traits().completed_steps == Traits::CompletedSteps::ignored) +
         common_flags(model, build) + "/>\n";
}

std::string co_simulation_element(const Model& model, const Build& build) {
  if (!build.co_simulation) return "";
  return "  <CoSimulation" + attribute("modelIdentifier", build.identifier) +
         flag("canHandleVariableCommunicationStepSize", model.traits().step_sizes == Traits::StepSizes::any) +
         flag("canInterpolateInputs", build.interpolates) + common_flags(model, build) +
         (build.derivatives ? attribute("maxOutputDerivativeOrder", "1") : "") + "/>\n";
}

/// Counted in model exchange alone.
std::string event_indicators(const Model& model, const Build& build) {
  const std::size_t count = model.event_indicators().size();
  return build.model_exchange && count > 0 ? attribute("numberOfEventIndicators", std::to_string(count)) : "";
}

std::string type_definitions(const Model& model) {
  const auto all = enumerations(model);
  if (all.empty()) return "";
  std::string result = "  <TypeDefinitions>\n";
  for (const Variable* variable : all) {
    result += "    <SimpleType" + attribute("name", enumeration_name(*variable)) + "><Enumeration>\n";
    for (std::size_t i = 0; i < variable->items.size(); ++i) {
      result +=
          "      <Item" + attribute("name", variable->items[i]) + attribute("value", std::to_string(i + 1)) + "/>\n";
    }
    result += "    </Enumeration></SimpleType>\n";
  }
  return result + "  </TypeDefinitions>\n";
}

std::string variable_element(const Variable& variable, const Build& build) {
  std::string result = "    <ScalarVariable" + attribute("name", variable.name) +
                       attribute("valueReference", std::to_string(variable.reference));
  if (!variable.description.empty()) result += attribute("description", variable.description);
  result += attribute("causality", word(variable.causality)) + attribute("variability", word(variable.variability));
  if (variable.initial != Initial::none) result += attribute("initial", word(variable.initial));
  result += "><" + scalar_type(variable);
  if (variable.type == Type::enumeration) result += attribute("declaredType", enumeration_name(variable));
  if (!variable.start.empty()) result += attribute("start", variable.start);
  if (!variable.unit.empty()) result += attribute("unit", variable.unit);
  if (!variable.min.empty()) result += attribute("min", variable.min);
  if (!variable.max.empty()) result += attribute("max", variable.max);
  if (variable.derivative_of >= 0) result += attribute("derivative", std::to_string(variable.derivative_of + 1));
  result += flag("reinit", build.model_exchange && variable.role == Role::reset_state);
  return result + "/></ScalarVariable>\n";
}

/// Unknowns and what they depend on count variables from 1, in rising order.
std::string unknown(int place, std::vector<int> dependencies) {
  std::sort(dependencies.begin(), dependencies.end());
  std::string list;
  for (const int known : dependencies) list += (list.empty() ? "" : " ") + std::to_string(known + 1);
  return "      <Unknown" + attribute("index", std::to_string(place + 1)) + attribute("dependencies", list) + "/>\n";
}

std::string section(const std::string& name, const std::string& content) {
  return content.empty() ? "" : "    <" + name + ">\n" + content + "    </" + name + ">\n";
}

std::string structure(const Model& model, const Build& build) {
  std::string outputs, derivatives, initial;
  for (const Variable& variable : model.variables()) {
    const int place = model.place(variable);
    if (variable.causality == Causality::output) outputs += unknown(place, variable.depends_on);
    if (variable.derivative_of >= 0 && !build.unlisted) derivatives += unknown(place, variable.depends_on);
    if (is_initial_unknown(model, place)) initial += unknown(place, initial_dependencies(model, place));
  }
  return "  <ModelStructure>\n" + section("Outputs", outputs) + section("Derivatives", derivatives) +
         section("InitialUnknowns", initial) + "  </ModelStructure>\n";
}

}  // namespace

std::string describe_fmi2(const Model& model, const Build& build) {
  const Traits traits = model.traits();
  std::string variables;
  for (const Variable& variable : model.variables()) variables += variable_element(build.shown(variable), build);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" + attribute("fmiVersion", "2.0") +
         attribute("modelName", build.name) + attribute("guid", model.token()) +
         attribute("description", traits.description) + attribute("generationTool", "seam") +
         attribute("variableNamingConvention", traits.names == Traits::Names::flat ? "flat" : "structured") +
         event_indicators(model, build) + ">\n" + model_exchange_element(model, build) +
         co_simulation_element(model, build) + unit_definitions(model) + type_definitions(model) + log_categories() +
         default_experiment(model) + "  <ModelVariables>\n" + variables + "  </ModelVariables>\n" +
         structure(model, build) + "</fmiModelDescription>\n";
}

}  // namespace seam::fmus
