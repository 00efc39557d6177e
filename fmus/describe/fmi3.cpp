#include <algorithm>

#include "fmus/describe/description.hpp"
#include "fmus/describe/xml.hpp"

namespace seam::fmus {
namespace {

std::string common_flags(const Model& model, const Build& build) {
  return flag("canBeInstantiatedOnlyOncePerProcess", model.traits().instances == Traits::Instances::one) +
         flag("canGetAndSetFMUState", build.state) + flag("canSerializeFMUState", build.state) +
         flag("providesDirectionalDerivatives", build.derivatives) +
         flag("providesAdjointDerivatives", build.derivatives);
}

std::string model_exchange_element(const Model& model, const Build& build) {
  if (!build.model_exchange) return "";
  return "  <ModelExchange" + attribute("modelIdentifier", build.identifier) + common_flags(model, build) +
         flag("needsCompletedIntegratorStep", model.traits().completed_steps == Traits::CompletedSteps::needed) +
         "/>\n";
}

std::string co_simulation_element(const Model& model, const Build& build) {
  if (!build.co_simulation) return "";
  const std::optional<double> internal_step = model.traits().internal_step;
  return "  <CoSimulation" + attribute("modelIdentifier", build.identifier) + common_flags(model, build) +
         flag("canHandleVariableCommunicationStepSize", model.traits().step_sizes == Traits::StepSizes::any) +
         (build.derivatives ? attribute("maxOutputDerivativeOrder", "1") : "") +
         (internal_step ? attribute("fixedInternalStepSize", number(*internal_step)) : "") +
         flag("providesIntermediateUpdate", build.intermediate) + flag("mightReturnEarlyFromDoStep", build.events) +
         flag("hasEventMode", build.events) + "/>\n";
}

std::string type_definitions(const Model& model) {
  const auto all = enumerations(model);
  if (all.empty()) return "";
  std::string result = "  <TypeDefinitions>\n";
  for (const Variable* variable : all) {
    result += "    <EnumerationType" + attribute("name", enumeration_name(*variable)) + ">\n";
    for (std::size_t i = 0; i < variable->items.size(); ++i) {
      result +=
          "      <Item" + attribute("name", variable->items[i]) + attribute("value", std::to_string(i + 1)) + "/>\n";
    }
    result += "    </EnumerationType>\n";
  }
  return result + "  </TypeDefinitions>\n";
}

std::string type_element(Type type) {
  static const char* const names[] = {"Float32", "Float64", "Int8",   "UInt8",       "Int16",
                                      "UInt16",  "Int32",   "UInt32", "Int64",       "UInt64",
                                      "Boolean", "String",  "Binary", "Enumeration", "Clock"};
  return names[static_cast<std::size_t>(type)];
}

std::string reference(const Model& model, int place) {
  return std::to_string(model.variables()[static_cast<std::size_t>(place)].reference);
}

/// Dimensions, and the starts of types that need an element for them.
std::string children(const Model& model, const Variable& variable) {
  std::string result;
  for (const Dimension& dimension : variable.dimensions) {
    result += dimension.structural >= 0
                  ? "<Dimension" + attribute("valueReference", reference(model, dimension.structural)) + "/>"
                  : "<Dimension" + attribute("start", std::to_string(dimension.size)) + "/>";
  }
  if (is_text(variable.type) && !variable.start.empty()) result += "<Start" + attribute("value", variable.start) + "/>";
  return result;
}

std::string references(const Model& model, const std::vector<int>& places) {
  std::string list;
  for (const int place : places) list += (list.empty() ? "" : " ") + reference(model, place);
  return list;
}

/// What makes a variable a clock, or one that belongs to clocks.
std::string clock_attributes(const Model& model, const Variable& variable) {
  static const char* const words[] = {"constant", "fixed", "tunable", "changing", "countdown", "triggered"};
  std::string result;
  if (!variable.clocks.empty()) result += attribute("clocks", references(model, variable.clocks));
  if (variable.previous >= 0) result += attribute("previous", reference(model, variable.previous));
  if (variable.type != Type::clock) return result;
  result += flag("canBeDeactivated", variable.can_be_deactivated);
  result += attribute("intervalVariability", words[static_cast<std::size_t>(variable.ticking)]);
  if (!variable.interval.empty()) result += attribute("intervalDecimal", variable.interval);
  if (!variable.shift.empty()) result += attribute("shiftDecimal", variable.shift);
  return result;
}

std::string variable_element(const Model& model, const Variable& variable, const Build& build) {
  const std::string element = type_element(variable.type);
  std::string result = "    <" + element + attribute("name", variable.name) +
                       attribute("valueReference", std::to_string(variable.reference));
  if (!variable.description.empty()) result += attribute("description", variable.description);
  result += attribute("causality", word(variable.causality)) + attribute("variability", word(variable.variability));
  if (variable.initial != Initial::none) result += attribute("initial", word(variable.initial));
  result += clock_attributes(model, variable);
  result += flag("intermediateUpdate", build.intermediate && is_signal(variable));
  if (variable.type == Type::enumeration) result += attribute("declaredType", enumeration_name(variable));
  if (!variable.start.empty() && !is_text(variable.type)) result += attribute("start", variable.start);
  if (!variable.unit.empty()) result += attribute("unit", variable.unit);
  if (!variable.min.empty()) result += attribute("min", variable.min);
  if (!variable.max.empty()) result += attribute("max", variable.max);
  if (variable.derivative_of >= 0) result += attribute("derivative", reference(model, variable.derivative_of));
  result += flag("reinit", build.model_exchange && variable.role == Role::reset_state);
  const std::string inside = children(model, variable);
  return result + (inside.empty() ? "/>\n" : ">" + inside + "</" + element + ">\n");
}

std::string unknown(const Model& model, const std::string& element, int place, std::vector<int> dependencies) {
  std::sort(dependencies.begin(), dependencies.end());
  return "    <" + element + attribute("valueReference", reference(model, place)) +
         attribute("dependencies", references(model, dependencies)) + "/>\n";
}

std::string structure(const Model& model, const Build& build) {
  std::string outputs, derivatives, clocked_states, initial, indicators;
  for (const Variable& variable : model.variables()) {
    const int place = model.place(variable);
    if (variable.causality == Causality::output) outputs += unknown(model, "Output", place, variable.depends_on);
    if (variable.derivative_of >= 0 && !build.unlisted) {
      derivatives += unknown(model, "ContinuousStateDerivative", place, variable.depends_on);
    }
    if (variable.previous >= 0) clocked_states += unknown(model, "ClockedState", place, variable.depends_on);
    if (is_initial_unknown(model, place)) {
      initial += unknown(model, "InitialUnknown", place, initial_dependencies(model, place));
    }
  }
  if (build.model_exchange) {
    for (const int place : model.event_indicators()) {
      const std::vector<int>& known = model.variables()[static_cast<std::size_t>(place)].depends_on;
      indicators += unknown(model, "EventIndicator", place, known);
    }
  }
  return "  <ModelStructure>\n" + outputs + derivatives + clocked_states + initial + indicators +
         "  </ModelStructure>\n";
}

}  // namespace

std::string describe_fmi3(const Model& model, const Build& build) {
  const Traits traits = model.traits();
  std::string variables;
  for (const Variable& variable : model.variables()) variables += variable_element(model, build.shown(variable), build);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" + attribute("fmiVersion", "3.0") +
         attribute("modelName", build.name) + attribute("instantiationToken", model.token()) +
         attribute("description", traits.description) + attribute("generationTool", "seam") +
         attribute("variableNamingConvention", traits.names == Traits::Names::flat ? "flat" : "structured") + ">\n" +
         model_exchange_element(model, build) + co_simulation_element(model, build) + unit_definitions(model) +
         type_definitions(model) + log_categories() + default_experiment(model) + "  <ModelVariables>\n" + variables +
         "  </ModelVariables>\n" + structure(model, build) + "</fmiModelDescription>\n";
}

}  // namespace seam::fmus
