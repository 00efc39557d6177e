#include <algorithm>

#include "fmus/describe/description.hpp"
#include "fmus/describe/xml.hpp"

namespace seam::fmus {
namespace {

std::string interface_element(const Model& model, const Build& build) {
  const Traits traits = model.traits();
  return "  <CoSimulation" + attribute("modelIdentifier", build.identifier) +
         flag("canHandleVariableCommunicationStepSize", traits.step_sizes == Traits::StepSizes::any) +
         flag("canBeInstantiatedOnlyOncePerProcess", traits.instances == Traits::Instances::one) +
         flag("canGetAndSetFMUState", build.state) + flag("canSerializeFMUState", build.state) +
         flag("providesDirectionalDerivatives", build.derivatives) +
         flag("providesAdjointDerivatives", build.derivatives) +
         (build.derivatives ? attribute("maxOutputDerivativeOrder", "1") : "") + "/>\n";
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
  static const char* const names[] = {"Float32", "Float64", "Int8",   "UInt8",   "Int16",  "UInt16", "Int32",
                                      "UInt32",  "Int64",   "UInt64", "Boolean", "String", "Binary", "Enumeration"};
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

std::string variable_element(const Model& model, const Variable& variable) {
  const std::string element = type_element(variable.type);
  std::string result = "    <" + element + attribute("name", variable.name) +
                       attribute("valueReference", std::to_string(variable.reference));
  if (!variable.description.empty()) result += attribute("description", variable.description);
  result += attribute("causality", word(variable.causality)) + attribute("variability", word(variable.variability));
  if (variable.initial != Initial::none) result += attribute("initial", word(variable.initial));
  if (variable.type == Type::enumeration) result += attribute("declaredType", enumeration_name(variable));
  if (!variable.start.empty() && !is_text(variable.type)) result += attribute("start", variable.start);
  if (!variable.unit.empty()) result += attribute("unit", variable.unit);
  if (!variable.min.empty()) result += attribute("min", variable.min);
  if (!variable.max.empty()) result += attribute("max", variable.max);
  if (variable.derivative_of >= 0) result += attribute("derivative", reference(model, variable.derivative_of));
  const std::string inside = children(model, variable);
  return result + (inside.empty() ? "/>\n" : ">" + inside + "</" + element + ">\n");
}

std::string unknown(const Model& model, const std::string& element, int place, std::vector<int> dependencies) {
  std::sort(dependencies.begin(), dependencies.end());
  std::string list;
  for (const int known : dependencies) list += (list.empty() ? "" : " ") + reference(model, known);
  return "    <" + element + attribute("valueReference", reference(model, place)) + attribute("dependencies", list) +
         "/>\n";
}

std::string structure(const Model& model) {
  std::string outputs, derivatives, initial;
  for (const Variable& variable : model.variables()) {
    const int place = model.place(variable);
    if (variable.causality == Causality::output) outputs += unknown(model, "Output", place, variable.depends_on);
    if (variable.derivative_of >= 0) {
      derivatives += unknown(model, "ContinuousStateDerivative", place, variable.depends_on);
    }
    if (is_initial_unknown(model, place)) {
      initial += unknown(model, "InitialUnknown", place, initial_dependencies(model, place));
    }
  }
  return "  <ModelStructure>\n" + outputs + derivatives + initial + "  </ModelStructure>\n";
}

}  // namespace

std::string describe_fmi3(const Model& model, const Build& build) {
  const Traits traits = model.traits();
  std::string variables;
  for (const Variable& variable : model.variables()) variables += variable_element(model, variable);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" + attribute("fmiVersion", "3.0") +
         attribute("modelName", build.name) + attribute("instantiationToken", model.token()) +
         attribute("description", traits.description) + attribute("generationTool", "seam") +
         attribute("variableNamingConvention", traits.names == Traits::Names::flat ? "flat" : "structured") + ">\n" +
         interface_element(model, build) + unit_definitions(model) + type_definitions(model) + log_categories() +
         default_experiment(model) + "  <ModelVariables>\n" + variables + "  </ModelVariables>\n" + structure(model) +
         "</fmiModelDescription>\n";
}

}  // namespace seam::fmus
