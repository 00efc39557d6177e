#include "seam/fmi/description/read_description.hpp"

#include <fmt/format.h>

#include <unordered_map>

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
  const std::string again = "export the model again as FMI 2.0 or 3.0", runs = "seam runs FMI 1.0, 2.0 and 3.0";
  const std::optional<std::string_view> written = root.attribute("fmiVersion");
  if (!written) return refuse("fmiVersion is missing", "it must be 1.0, 2.0 or 3.0");
  const std::string_view text = formats::trimmed(*written);
  if (text.find('-') != std::string_view::npos) {
    return refuse(fmt::format("this is a preview of FMI ({}); seam runs the released versions", in_quotes(text)),
                  again);
  }
  if (text == "2.0" || text.substr(0, 4) == "2.0.") return Version::fmi2;
  if (text.substr(0, 2) == "3.") return Version::fmi3;
  if (text == "1.0" || text.substr(0, 4) == "1.0.") return Version::fmi1;
  return refuse(fmt::format("fmiVersion is {}; {}", in_quotes(text), runs), again);
}

void read_general(const XmlElement& root, Draft& draft) {
  const Attributes attributes(root, draft.notes);
  ModelDescription& description = draft.description;
  description.version_text = std::string(formats::trimmed(attributes.text("fmiVersion")));
  const std::string minor = description.version_text.substr(0, 3);
  if (minor != "1.0" && minor != "2.0" && minor != "3.0") {
    draft.notes.warning(root.line(), fmt::format("FMI {} is newer than seam; it is read as FMI 3.0", in_quotes(minor)));
  }
  description.model_name = attributes.required_text("modelName");
  description.token = attributes.required_text(description.version == Version::fmi3 ? "instantiationToken" : "guid");
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

/// A number that is not positive is noted and left out.
void require_positive(std::optional<double>& number, std::string_view what, int line, Draft& draft) {
  if (!number || *number > 0.0) return;
  draft.notes.error(line, fmt::format("{} is not positive", what));
  number.reset();
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
  require_positive(experiment.step, "stepSize of the default experiment", element->line(), draft);
  require_positive(experiment.tolerance, "tolerance of the default experiment", element->line(), draft);
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
  require_positive(interface.fixed_internal_step, "fixedInternalStepSize", element.line(), draft);
  if (const auto sources = element.child("SourceFiles")) {
    for (const XmlElement& file : sources->children("File")) {
      interface.source_files.push_back(Attributes(file, draft.notes).required_text("name"));
    }
  }
  return interface;
}

// The identifier becomes a file name: nothing that could lead elsewhere may pass. Some tools take the name of the file,
// with its hyphens, which names a library all the same.
void require_identifier(const XmlElement& element, Draft& draft, base::Problems& problems) {
  const std::string identifier(element.attribute("modelIdentifier").value_or(""));
  if (is_identifier(identifier)) return;
  const std::string what = identifier.empty()
                               ? "modelIdentifier is missing"
                               : fmt::format("modelIdentifier {} is no C identifier", in_quotes(identifier));
  if (can_name_a_library(identifier)) return draft.notes.error(element.line(), what);
  problems.add(element.where(), what, "letters, digits and _ only, not beginning with a digit, at most 200");
}

void read_interfaces(const XmlElement& root, Draft& draft, base::Problems& problems) {
  if (draft.description.version == Version::fmi1) {
    require_identifier(root, draft, problems);
    return read_interface1(root, draft, problems);
  }
  const std::optional<XmlElement> co_simulation = root.child("CoSimulation");
  const std::optional<XmlElement> model_exchange = root.child("ModelExchange");
  const std::optional<XmlElement> scheduled = root.child("ScheduledExecution");
  for (const auto& element : {co_simulation, model_exchange, scheduled}) {
    if (element) require_identifier(*element, draft, problems);
  }
  if (co_simulation) draft.description.co_simulation = read_interface(*co_simulation, draft);
  if (model_exchange) draft.description.model_exchange = read_interface(*model_exchange, draft);
  draft.description.offers_scheduled_execution = scheduled.has_value();
  if (co_simulation || model_exchange || scheduled) return;
  problems.add(root.where(), "the FMU offers no interface: neither <CoSimulation> nor <ModelExchange> is there");
}

class TerminalReader {
 public:
  TerminalReader(ModelDescription& description, Notes& notes) : notes_(notes) {
    for (Variable& variable : description.variables) {
      variables_.emplace(variable.name, &variable);
      for (const std::string& alias : variable.aliases) variables_.emplace(alias, &variable);
    }
  }

  /// Terminals may lie in terminals; what is inside is called outer.inner.
  void read(const XmlElement& parent, const std::string& outer) {
    for (const XmlElement& terminal : parent.children("Terminal")) {
      const std::string name = outer + std::string(terminal.attribute("name").value_or(""));
      for (const XmlElement& member : terminal.children("TerminalMemberVariable")) add(member, name);
      read(terminal, name + ".");
    }
  }

 private:
  void add(const XmlElement& member, const std::string& terminal) {
    const std::string name(member.attribute("variableName").value_or(""));
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
      notes_.error(0, fmt::format("the terminal {} names the variable {}, which does not exist", in_quotes(terminal),
                                  in_quotes(name)));
      return;
    }
    const std::string_view kind = member.attribute("variableKind").value_or("");
    found->second->terminal = {terminal, kind == "inflow"    ? TerminalPlace::Role::inflow
                                         : kind == "outflow" ? TerminalPlace::Role::outflow
                                                             : TerminalPlace::Role::signal};
  }

  Notes& notes_;
  std::unordered_map<std::string, Variable*> variables_;
};

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

void read_terminals(std::string text, ModelDescription& description, std::vector<DescriptionProblem>& found) {
  Notes notes;
  base::Problems problems;
  const auto document = formats::read_xml(std::move(text), terminals_name, problems);
  if (!document) {
    notes.error(0, fmt::format("{} cannot be read{}", terminals_name,
                               problems.empty() ? "" : ": " + problems.all().front().what));
  } else if (const auto terminals = document->root().child("Terminals")) {
    TerminalReader(description, notes).read(*terminals, "");
  }
  for (DescriptionProblem& problem : notes.take()) found.push_back(std::move(problem));
}

}  // namespace seam::fmi
