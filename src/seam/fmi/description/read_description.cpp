#include "seam/fmi/description/read_description.hpp"

#include <fmt/format.h>

#include "seam/fmi/description/description_reader.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

// None, with a problem, for every version we do not run.
std::optional<Version> read_version(const XmlElement& root, base::Problems& problems) {
  const auto refuse = [&](std::string what, std::string mend) {
    problems.add(root.where(), std::move(what), std::move(mend));
    return std::nullopt;
  };
  const std::string again = "export the model again as FMI 2.0 or 3.0";
  const std::optional<std::string_view> written = root.attribute("fmiVersion");
  if (!written) return refuse("fmiVersion is missing", "it must be 2.0 or 3.0");
  const std::string_view text = without_blanks(*written);
  if (text.find('-') != std::string_view::npos) {
    return refuse(fmt::format("this is a preview of FMI ({}); seam runs the released versions", in_quotes(text)),
                  again);
  }
  if (text == "2.0" || text.substr(0, 4) == "2.0.") return Version::fmi2;
  if (text.substr(0, 2) == "3.") return Version::fmi3;
  if (text.substr(0, 2) == "1.") return refuse("this is an FMI 1.0 FMU; seam runs FMI 2.0 and 3.0", again);
  return refuse(fmt::format("fmiVersion is {}; seam runs FMI 2.0 and 3.0", in_quotes(text)), again);
}

void read_general(const XmlElement& root, Draft& draft) {
  const Attributes attributes(root, draft.notes);
  ModelDescription& description = draft.description;
  description.version_text = std::string(without_blanks(attributes.text("fmiVersion")));
  const std::string minor = description.version_text.substr(0, 3);
  if (minor != "2.0" && minor != "3.0") {
    draft.notes.warning(root.line(), fmt::format("FMI {} is newer than seam; it is read as FMI 3.0", in_quotes(minor)));
  }
  description.model_name = attributes.required_text("modelName");
  description.token = attributes.required_text(description.version == Version::fmi2 ? "guid" : "instantiationToken");
  description.description = attributes.text("description");
  description.author = attributes.text("author");
  description.copyright = attributes.text("copyright");
  description.license = attributes.text("license");
  description.model_version = attributes.text("version");
  description.generation_tool = attributes.text("generationTool");
  description.generation_date = attributes.text("generationDateAndTime");
  description.naming_convention =
      attributes.has("variableNamingConvention") ? attributes.text("variableNamingConvention") : std::string("flat");
  if (const auto indicators = attributes.integer<std::uint32_t>("numberOfEventIndicators")) {
    description.structure.event_indicators = *indicators;
  }
}

void read_experiment(const XmlElement& root, Draft& draft) {
  const std::optional<XmlElement> element = root.child("DefaultExperiment");
  if (!element) return;
  const Attributes attributes(*element, draft.notes);
  DefaultExperiment& experiment = draft.description.experiment;
  experiment = {attributes.number("startTime"), attributes.number("stopTime"), attributes.number("tolerance"),
                attributes.number("stepSize")};
  if (experiment.stop && experiment.start.value_or(0.0) > *experiment.stop) {
    draft.notes.error(element->line(), "the default experiment stops before it starts");
  }
  if (experiment.step && !(*experiment.step > 0.0)) {
    draft.notes.error(element->line(), "stepSize of the default experiment is not positive");
    experiment.step.reset();
  }
  if (experiment.tolerance && !(*experiment.tolerance > 0.0)) {
    draft.notes.error(element->line(), "tolerance of the default experiment is not positive");
    experiment.tolerance.reset();
  }
}

void read_log_categories(const XmlElement& root, Draft& draft) {
  const std::optional<XmlElement> list = root.child("LogCategories");
  if (!list) return;
  for (const XmlElement& element : list->children("Category")) {
    const Attributes attributes(element, draft.notes);
    draft.description.log_categories.push_back({attributes.required_text("name"), attributes.text("description")});
  }
}

void read_common_capabilities(const Attributes& attributes, Version version, Interface& interface) {
  const bool two = version == Version::fmi2;
  interface.needs_execution_tool = attributes.flag("needsExecutionTool");
  interface.can_be_instantiated_only_once = attributes.flag("canBeInstantiatedOnlyOncePerProcess");
  interface.can_get_and_set_state = attributes.flag(two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
  interface.can_serialize_state = attributes.flag(two ? "canSerializeFMUstate" : "canSerializeFMUState");
  interface.provides_directional_derivatives =
      attributes.flag(two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
  interface.provides_adjoint_derivatives = attributes.flag("providesAdjointDerivatives");
  interface.provides_per_element_dependencies = attributes.flag("providesPerElementDependencies");
  interface.provides_evaluate_discrete_states = attributes.flag("providesEvaluateDiscreteStates");
  interface.can_not_use_memory_management = attributes.flag("canNotUseMemoryManagementFunctions");
  // FMI 2 says when it is not needed, FMI 3 when it is.
  interface.needs_completed_integrator_step =
      two ? !attributes.flag("completedIntegratorStepNotNeeded") : attributes.flag("needsCompletedIntegratorStep");
}

Interface read_interface(const XmlElement& element, Draft& draft) {
  const Attributes attributes(element, draft.notes);
  Interface interface;
  interface.line = element.line();
  interface.model_identifier = attributes.text("modelIdentifier");
  read_common_capabilities(attributes, draft.description.version, interface);
  interface.can_handle_variable_step = attributes.flag("canHandleVariableCommunicationStepSize");
  interface.can_interpolate_inputs = attributes.flag("canInterpolateInputs");
  interface.max_output_derivative_order = attributes.integer<std::uint32_t>("maxOutputDerivativeOrder").value_or(0);
  interface.runs_asynchronously = attributes.flag("canRunAsynchronuously");
  interface.has_event_mode = attributes.flag("hasEventMode");
  interface.provides_intermediate_update = attributes.flag("providesIntermediateUpdate");
  interface.might_return_early = attributes.flag("mightReturnEarlyFromDoStep");
  interface.can_return_early_after_intermediate_update = attributes.flag("canReturnEarlyAfterIntermediateUpdate");
  interface.fixed_internal_step = attributes.number("fixedInternalStepSize");
  if (interface.fixed_internal_step && !(*interface.fixed_internal_step > 0.0)) {
    draft.notes.error(element.line(), "fixedInternalStepSize is not positive");
    interface.fixed_internal_step.reset();
  }
  if (const auto sources = element.child("SourceFiles")) {
    for (const XmlElement& file : sources->children("File")) {
      interface.source_files.push_back(Attributes(file, draft.notes).required_text("name"));
    }
  }
  return interface;
}

// The identifier becomes a file name: nothing but an identifier may pass.
void require_identifier(const XmlElement& element, base::Problems& problems) {
  const std::string identifier(element.attribute("modelIdentifier").value_or(""));
  if (is_identifier(identifier)) return;
  const std::string what = identifier.empty()
                               ? "modelIdentifier is missing"
                               : fmt::format("modelIdentifier {} is no C identifier", in_quotes(identifier));
  problems.add(element.where(), what, "letters, digits and _ only, not beginning with a digit, at most 200");
}

void read_interfaces(const XmlElement& root, Draft& draft, base::Problems& problems) {
  const std::optional<XmlElement> co_simulation = root.child("CoSimulation");
  const std::optional<XmlElement> model_exchange = root.child("ModelExchange");
  const std::optional<XmlElement> scheduled = root.child("ScheduledExecution");
  for (const auto& element : {co_simulation, model_exchange, scheduled}) {
    if (element) require_identifier(*element, problems);
  }
  if (co_simulation) draft.description.co_simulation = read_interface(*co_simulation, draft);
  if (model_exchange) draft.description.model_exchange = read_interface(*model_exchange, draft);
  draft.description.offers_scheduled_execution = scheduled.has_value();
  if (co_simulation || model_exchange || scheduled) return;
  problems.add(root.where(), "the FMU offers no interface: neither <CoSimulation> nor <ModelExchange> is there");
}

}  // namespace

std::optional<ModelDescription> read_description(std::string bytes, const std::string& source_name,
                                                 base::Problems& problems) {
  const std::size_t before = problems.size();
  const std::optional<formats::XmlDocument> document = formats::read_xml(std::move(bytes), source_name, problems);
  if (!document) return std::nullopt;
  const XmlElement root = document->root();
  if (root.name() != "fmiModelDescription") {
    problems.add(root.where(),
                 fmt::format("the outermost element is {}, not <fmiModelDescription>", in_quotes(root.name())),
                 "this is no model description");
    return std::nullopt;
  }
  const std::optional<Version> version = read_version(root, problems);
  if (!version) return std::nullopt;
  Draft draft;
  draft.description.version = *version;
  read_general(root, draft);
  read_interfaces(root, draft, problems);
  read_experiment(root, draft);
  read_log_categories(root, draft);
  read_units(root, draft);
  read_types(root, draft);
  read_variables(root, draft);
  read_structure(root, draft);
  if (problems.size() > before) return std::nullopt;
  draft.description.found_while_reading = draft.notes.take();
  return std::move(draft.description);
}

}  // namespace seam::fmi
