// What the descriptions of FMI 1.0 say in another way than those of FMI 2.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "seam/fmi/description/description_reader.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

Interface read_capabilities(const XmlElement& implementation, Draft& draft) {
  Interface interface;
  interface.line = implementation.line();
  const std::optional<XmlElement> element = implementation.child("Capabilities");
  if (!element) {
    draft.notes.error(implementation.line(), "<Capabilities> is missing; none are assumed");
    return interface;
  }
  const Attributes attributes(*element, draft.notes);
  interface.can_handle_variable_step = attributes.flag("canHandleVariableCommunicationStepSize");
  interface.can_interpolate_inputs = attributes.flag("canInterpolateInputs");
  interface.max_output_derivative_order = attributes.integer<std::uint32_t>("maxOutputDerivativeOrder").value_or(0);
  interface.runs_asynchronously = attributes.flag("canRunAsynchronuously");
  interface.can_be_instantiated_only_once = attributes.flag("canBeInstantiatedOnlyOncePerProcess");
  interface.can_not_use_memory_management = attributes.flag("canNotUseMemoryManagementFunctions");
  return interface;
}

/// The word of an attribute; noted and `otherwise` if it is none of those.
std::string_view written(const XmlElement& variable, const char* attribute, std::string_view otherwise,
                         const std::vector<std::string_view>& known, Draft& draft) {
  const std::string_view word = formats::trimmed(variable.attribute(attribute).value_or(otherwise));
  if (std::ranges::find(known, word) != known.end()) return word;
  draft.notes.error(variable.line(),
                    fmt::format("{} {} is unknown; read as {}", attribute, in_quotes(word), otherwise));
  return otherwise;
}

/// One <DirectDependency> lists the names of the inputs an output depends on; without it that is all of them.
std::optional<std::vector<std::size_t>> dependencies_of(const XmlElement& variable,
                                                        const std::unordered_map<std::string_view, std::size_t>& places,
                                                        Draft& draft) {
  const std::optional<XmlElement> list = variable.child("DirectDependency");
  if (!list) return std::nullopt;
  std::vector<std::size_t> found;
  for (const XmlElement& name : list->children("Name")) {
    if (!draft.budget.take(Budget::dependency)) {
      draft.notes.error(name.line(), "there are too many dependencies; these are left out");
      return std::nullopt;
    }
    const std::string text(name.content());
    const auto place = places.find(text);
    if (place == places.end()) {
      draft.notes.error(name.line(),
                        fmt::format("<DirectDependency> names {}, but there is no such variable", in_quotes(text)));
      return std::nullopt;
    }
    found.push_back(place->second);
  }
  return found;
}

}  // namespace

void read_interface1(const XmlElement& root, Draft& draft, base::Problems& problems) {
  const std::optional<XmlElement> implementation = root.child("Implementation");
  const std::string identifier(root.attribute("modelIdentifier").value_or(""));
  if (!implementation) {
    Interface interface;
    interface.line = root.line();
    interface.model_identifier = identifier;
    draft.description.model_exchange = interface;
    return;
  }
  if (const auto tool = implementation->child("CoSimulation_Tool")) {
    problems.add(tool->where(), "this FMU needs its tool to run (CoSimulation_Tool), and seam starts no other tool",
                 "export the model for stand-alone co-simulation, or for model exchange");
    return;
  }
  const std::optional<XmlElement> alone = implementation->child("CoSimulation_StandAlone");
  if (!alone) {
    problems.add(implementation->where(), "<Implementation> has no <CoSimulation_StandAlone>");
    return;
  }
  draft.description.co_simulation = read_capabilities(*alone, draft);
  draft.description.co_simulation->model_identifier = identifier;
}

void read_units1(const XmlElement& root, Draft& draft) {
  const std::optional<XmlElement> list = root.child("UnitDefinitions");
  if (!list) return;
  for (const XmlElement& element : list->children("BaseUnit")) {
    Unit unit;
    unit.name = Attributes(element, draft.notes).required_text("unit");
    unit.line = element.line();
    for (const XmlElement& child : element.children("DisplayUnitDefinition")) {
      const Attributes attributes(child, draft.notes);
      unit.displays.push_back({attributes.required_text("displayUnit"), attributes.number_or("gain", 1.0),
                               attributes.number_or("offset", 0.0), false});
    }
    draft.description.units.push_back(std::move(unit));
  }
}

std::vector<EnumerationItem> read_items1(const XmlElement& element, Draft& draft) {
  std::vector<EnumerationItem> items;
  for (const XmlElement& child : element.children("Item"))
    items.push_back(
        {Attributes(child, draft.notes).required_text("name"), static_cast<std::int64_t>(items.size()) + 1});
  return items;
}

// FMI 1.0, 3.3: a parameter is a variability. What has a start value may be set before the FMU is initialised, unless
// it is a constant.
void read_kind1(const XmlElement& element, const XmlElement& typed, Variable& variable, Draft& draft) {
  const std::string_view causality =
      written(element, "causality", "internal", {"input", "output", "internal", "none"}, draft);
  const std::string_view variability =
      written(element, "variability", "continuous", {"constant", "parameter", "discrete", "continuous"}, draft);
  const bool has_start = typed.attribute("start").has_value(), is_parameter = variability == "parameter";
  variable.causality = causality == "output"  ? Causality::output
                       : is_parameter         ? (has_start ? Causality::parameter : Causality::calculated_parameter)
                       : causality == "input" ? Causality::input
                                              : Causality::local;
  const bool is_real = variable.type == Type::float64;
  const Variability usual = is_real && variability == "continuous" ? Variability::continuous : Variability::discrete;
  variable.variability = variability == "constant"                                 ? Variability::constant
                         : is_parameter && variable.causality != Causality::output ? Variability::fixed
                                                                                   : usual;
  if (variable.causality == Causality::input) return;
  const bool is_guess = formats::trimmed(typed.attribute("fixed").value_or("true")) == "false";
  variable.initial = !has_start ? Initial::calculated : is_guess ? Initial::approx : Initial::exact;
}

void read_structure1(const XmlElement& root, Draft& draft) {
  ModelDescription& description = draft.description;
  const Attributes attributes(root, draft.notes);
  description.structure.continuous_states = attributes.integer<std::uint32_t>("numberOfContinuousStates").value_or(0);
  const std::optional<XmlElement> list = root.child("ModelVariables");
  if (!list) return;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < description.variables.size(); ++i) places.emplace(description.variables[i].name, i);
  const std::vector<XmlElement> elements = list->children("ScalarVariable");
  std::unordered_set<std::uint32_t> used{~std::uint32_t{0}};  // fmiUndefinedValueReference
  for (const Variable& variable : description.variables) used.insert(variable.value_reference);
  std::uint32_t own = ~std::uint32_t{0};
  for (std::size_t i = 0; i < std::min(elements.size(), draft.positions.size()); ++i) {
    if (!draft.positions[i]) continue;
    Variable& variable = description.variables[*draft.positions[i]];
    if (elements[i].attribute("alias").value_or("noAlias") == "negatedAlias") {
      while (used.contains(own)) --own;
      used.insert(own);
      description.negated.emplace(own, std::exchange(variable.value_reference, own));
    }
    if (variable.causality != Causality::output) continue;
    description.structure.outputs.push_back(
        {*draft.positions[i], dependencies_of(elements[i], places, draft), {}, variable.line});
  }
}

}  // namespace seam::fmi
