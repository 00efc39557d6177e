#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "seam/base/names.hpp"
#include "seam/formats/xml_values.hpp"
#include "seam/ssp/ssd.hpp"

namespace seam::ssp {
namespace {

using formats::XmlElement;

const std::vector<std::string>& kind_words() {
  static const std::vector<std::string> words{
      "input",    "output", "parameter", "calculatedParameter", "structuralParameter",
      "constant", "local",  "inout",     "unspecified"};
  return words;
}

/// SSP 1.0 and 2.0; others may mean something else by the same words.
void check_version(const XmlElement& root, base::Problems& problems) {
  const std::string version = text(root, "version");
  if (version == "1.0" || version == "2.0") return;
  problems.add(root.where(), fmt::format("version \"{}\" of the SSP standard is not known", version),
               "1.0 and 2.0 are read");
}

class Reader {
 public:
  Reader(std::shared_ptr<const File> file, base::Problems& problems) : file_(std::move(file)), problems_(problems) {}

  Element read_element(const XmlElement& xml, Element::Form form) {
    Element element;
    element.form = form;
    element.name = required(xml, "name", problems_);
    element.id = text(xml, "id");
    element.file = file_;
    element.where = xml.where();
    if (const auto connectors = child(xml, "Connectors"))
      element.connectors = read_connectors(*connectors, "Connector");
    if (const auto bindings = child(xml, "ParameterBindings")) {
      for (const XmlElement& binding : children(*bindings, "ParameterBinding"))
        element.bindings.push_back(read_binding(binding));
    }
    if (form == Element::Form::system) read_system(xml, element);
    if (form == Element::Form::component) {
      element.type = text(xml, "type");
      element.implementation = text(xml, "implementation");
      if (xml.attribute("source")) element.source = text(xml, "source");
      if (element.source && element.source->empty()) {
        problems_.mended(xml.where(), "source=\"\" as none");
        element.source.reset();
      }
    }
    if (form == Element::Form::dictionary_reference) element.dictionary = required(xml, "dictionary", problems_);
    return element;
  }

 private:
  std::vector<Connector> read_connectors(const XmlElement& list, std::string_view each) {
    std::vector<Connector> connectors;
    std::set<std::string> names;
    for (const XmlElement& xml : children(list, each)) {
      connectors.push_back(read_connector(xml));
      if (!names.insert(connectors.back().name).second)
        problems_.add(xml.where(), fmt::format("there are two connectors \"{}\"", connectors.back().name));
    }
    return connectors;
  }

  Connector read_connector(const XmlElement& xml) {
    Connector connector;
    connector.name = required(xml, "name", problems_);
    connector.where = xml.where();
    if (local_name(xml) == "Connector") {
      const auto& words = kind_words();
      const std::string kind = required(xml, "kind", problems_);
      const auto found = std::ranges::find(words, kind);
      if (found == words.end() && !kind.empty())
        problems_.add(xml.where(), fmt::format("\"{}\" is no kind of connector", kind),
                      base::did_you_mean(kind, words));
      if (found != words.end()) connector.kind = static_cast<Kind>(found - words.begin());
    }
    for (const XmlElement& part : xml.children()) {
      if (part.attribute("unit")) connector.unit = text(part, "unit");
      if (local_name(part) == "Enumeration") connector.enumeration = text(part, "name");
      if (local_name(part) != "Dimension") continue;
      const auto size = formats::read_integer(text(part, "size"));
      connector.dimensions.push_back(size && *size >= 0 ? std::optional(static_cast<std::uint64_t>(*size))
                                                        : std::nullopt);
    }
    return connector;
  }

  Origin read_origin(const XmlElement& xml) {
    Origin origin;
    origin.where = xml.where();
    if (const std::string source = text(xml, "source"); !source.empty()) origin.source = source;
    if (text(xml, "sourceBase") == "component") origin.base = Origin::Base::component;
    return origin;
  }

  void check_type(const XmlElement& xml, std::string_view known) {
    const std::string type = text(xml, "type");
    if (type.empty() || type == known) return;
    problems_.add(xml.where(), fmt::format("<{}> is of type \"{}\", which is not read", local_name(xml), type),
                  fmt::format("{} is", known));
  }

  Binding read_binding(const XmlElement& xml) {
    Binding binding;
    binding.where = xml.where();
    binding.file = file_;
    binding.prefix = text(xml, "prefix");
    binding.values_origin = read_origin(xml);
    check_type(xml, "application/x-ssp-parameter-set");
    const auto values = child(xml, "ParameterValues");
    const auto set = values ? child(*values, "ParameterSet") : std::nullopt;
    if (set) binding.values = read_parameter_set(*set, problems_);
    if (!set && !binding.values_origin.source)
      problems_.add(xml.where(), "the parameter binding has neither a source nor values");
    if (const auto mapping = child(xml, "ParameterMapping")) {
      binding.mapped = Binding::Mapped::yes;
      binding.mapping_origin = read_origin(*mapping);
      check_type(*mapping, "application/x-ssp-parameter-mapping");
      if (const auto inner = child(*mapping, "ParameterMapping"))
        binding.mapping = read_parameter_mapping(*inner, problems_);
      if (!binding.mapping && !binding.mapping_origin.source)
        problems_.add(mapping->where(), "the parameter mapping has neither a source nor entries");
    }
    return binding;
  }

  void read_system(const XmlElement& xml, Element& system) {
    if (const auto elements = child(xml, "Elements")) {
      for (const XmlElement& each : elements->children()) {
        const std::string_view name = local_name(each);
        if (name == "System") system.elements.push_back(read_element(each, Element::Form::system));
        if (name == "Component") system.elements.push_back(read_element(each, Element::Form::component));
        if (name == "SignalDictionaryReference")
          system.elements.push_back(read_element(each, Element::Form::dictionary_reference));
      }
    }
    std::set<std::string> names;
    for (const Element& element : system.elements) {
      if (!names.insert(element.name).second)
        problems_.add(element.where, fmt::format("there are two elements \"{}\" in this system", element.name));
    }
    if (const auto links = child(xml, "Connections")) {
      for (const XmlElement& link : children(*links, "Connection")) system.links.push_back(read_link(link));
    }
    if (const auto dictionaries = child(xml, "SignalDictionaries")) {
      for (const XmlElement& each : children(*dictionaries, "SignalDictionary")) {
        Dictionary dictionary{required(each, "name", problems_), {}, read_origin(each)};
        check_type(each, "application/x-ssp-signal-dictionary");
        if (const auto inner = child(each, "SignalDictionary"))
          dictionary.entries = read_connectors(*inner, "DictionaryEntry");
        system.dictionaries.push_back(std::move(dictionary));
      }
    }
  }

  End read_end(const XmlElement& xml, const char* element, const char* connector, const char* places) {
    End end;
    if (xml.attribute(element)) end.element = text(xml, element);
    if (end.element && end.element->empty()) {  // OMSimulator writes this for the system itself
      problems_.mended(xml.where(), fmt::format("{}=\"\" as none", element));
      end.element.reset();
    }
    end.connector = required(xml, connector, problems_);
    end.indices = indices(xml, places, problems_);
    return end;
  }

  Link read_link(const XmlElement& xml) {
    Link link;
    link.where = xml.where();
    link.start = read_end(xml, "startElement", "startConnector", "startIndices");
    link.end = read_end(xml, "endElement", "endConnector", "endIndices");
    if (flag(xml, "suppressUnitConversion", problems_)) link.units = system::UnitConversion::suppressed;
    link.transformation = read_transformation(xml, problems_);
    return link;
  }

  std::shared_ptr<const File> file_;
  base::Problems& problems_;
};

/// The annotations of one tool; nothing else of other tools' annotations is read than what follows.
std::vector<XmlElement> annotations_of(const XmlElement& owner, std::string_view tool) {
  const auto list = child(owner, "Annotations");
  std::vector<XmlElement> found = list ? children(*list, "Annotation") : std::vector<XmlElement>{};
  std::erase_if(found, [&](const XmlElement& annotation) { return text(annotation, "type") != tool; });
  return found;
}

/// OMSimulator keeps the step of its master in an annotation of the system.
std::optional<SuggestedStep> omsimulator_step(const XmlElement& system, base::Problems& problems) {
  for (const XmlElement& annotation : annotations_of(system, "org.openmodelica")) {
    const auto inner = child(annotation, "Annotations");
    const auto simulation = child(inner ? *inner : annotation, "SimulationInformation");
    const auto master = simulation ? child(*simulation, "FixedStepMaster") : std::nullopt;
    const auto step = master ? number(*master, "stepSize", problems) : std::nullopt;
    if (step && *step > 0.0) return SuggestedStep{*step, "OMSimulator"};
  }
  return std::nullopt;
}

/// The Open Simulation Platform keeps its algorithm and the base step in an annotation of the experiment.
std::optional<SuggestedStep> osp_step(const XmlElement& experiment, base::Problems& problems) {
  for (const XmlElement& annotation : annotations_of(experiment, "com.opensimulationplatform")) {
    const auto algorithm = child(annotation, "Algorithm");
    if (!algorithm) continue;
    for (const XmlElement& each : algorithm->children()) {
      if (local_name(each) != "FixedStepAlgorithm") {
        problems.add(each.where(), fmt::format("the algorithm <{}> is not known here", local_name(each)),
                     "<osp:FixedStepAlgorithm baseStepSize=\"…\"/> is; steps are constant");
        continue;
      }
      const auto step = number(each, "baseStepSize", problems);
      if (step && *step > 0.0) return SuggestedStep{*step, "the Open Simulation Platform"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string File::beside(const std::string& source) const {
  const std::size_t slash = name.rfind('/');
  const bool elsewhere = !source.empty() && source.front() == '/';
  return slash == std::string::npos || elsewhere ? source : name.substr(0, slash + 1) + source;
}

std::optional<load::Reference> File::refer(const std::string& written, const base::Location& where,
                                           base::Problems& problems) const {
  const bool folder = package->form() == Package::Form::folder;  // what lies above a package has no meaning
  return load::read_reference(
      written, {folder ? package->path(name).parent_path().string() : "", package->opened(), package->elsewhere()},
      where, problems);
}

const Connector* Element::find(const std::string& connector) const {
  const auto found = std::ranges::find(connectors, connector, &Connector::name);
  return found == connectors.end() ? nullptr : &*found;
}

std::optional<Description> read_ssd(const std::shared_ptr<const Package>& package, const std::string& name,
                                    const base::Location& where, base::Problems& problems) {
  auto bytes = package->read(name, where, problems);
  if (!bytes) return std::nullopt;
  const auto document = formats::read_xml(std::move(*bytes), package->shown(name), problems);
  if (!document) return std::nullopt;
  const XmlElement root = document->root();
  const auto system = child(root, "System");
  if (local_name(root) != "SystemStructureDescription" || !system) {
    problems.add(root.where(), "this is no system structure description",
                 "its root is <SystemStructureDescription> with one <System>");
    return std::nullopt;
  }
  check_version(root, problems);
  auto file = std::make_shared<File>();
  file->package = package;
  file->name = name;
  file->definitions = read_definitions(root, problems);
  Description description;
  description.version = text(root, "version");
  description.name = text(root, "name");
  description.description = text(root, "description");
  description.generation_tool = text(root, "generationTool");
  description.where = root.where();
  description.file = file;
  description.system = Reader(file, problems).read_element(*system, Element::Form::system);
  if (const auto step = omsimulator_step(*system, problems)) description.suggested_step = step;
  if (const auto experiment = child(root, "DefaultExperiment")) {
    description.start = number(*experiment, "startTime", problems);
    description.stop = number(*experiment, "stopTime", problems);
    if (const auto step = osp_step(*experiment, problems)) description.suggested_step = step;
  }
  return description;
}

}  // namespace seam::ssp
