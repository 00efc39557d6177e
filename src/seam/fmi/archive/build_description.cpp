#include "seam/fmi/archive/build_description.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/fmi/description/attributes.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/zip.hpp"
#include "seam/formats/zip_names.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;
using formats::ZipArchive;
using formats::ZipEntry;

const std::string sources = "sources/";
constexpr std::size_t largest_file = std::size_t{16} << 20;

bool is_source(std::string_view name) {
  return std::any_of(source_endings.begin(), source_endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_library_name(std::string_view name) {
  const auto safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '+' ||
           c == '.' || c == '-';
  };
  return !name.empty() && name.size() <= 100 && name.front() != '-' && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), safe);
}

/// Reads names and definitions; what is not safe becomes a problem.
class Reader {
 public:
  Reader(const ZipArchive& archive, base::Problems& problems) : archive_(archive), problems_(problems) {}

  /// A file below sources/ that is in the archive.
  void take_file(std::string_view written, const base::Location& where, std::vector<std::string>& files) {
    const auto name = safe(written, where);
    if (!name) return;
    const ZipEntry* entry = archive_.find(sources + *name);
    if (!entry || entry->kind != ZipEntry::Kind::file) {
      problems_.add(where, fmt::format("the source file {} is not in the FMU", in_quotes(sources + *name)));
    } else if (std::find(files.begin(), files.end(), *name) == files.end()) {
      files.push_back(*name);
    }
  }
  SourceSet read_set(const XmlElement& element) {
    SourceSet set;
    set.language = text(element, "language");
    set.compiler = text(element, "compiler");
    set.options = text(element, "compilerOptions");
    for (const XmlElement& file : element.children("SourceFile"))
      take_file(text(file, "name"), file.where(), set.files);
    for (const XmlElement& folder : element.children("IncludeDirectory")) {
      if (const auto name = safe(text(folder, "name"), folder.where())) set.include_folders.push_back(*name);
    }
    for (const XmlElement& definition : element.children("PreprocessorDefinition")) read_definition(definition, set);
    return set;
  }
  BuildConfiguration read_configuration(const XmlElement& element) {
    BuildConfiguration configuration;
    for (const XmlElement& set : element.children("SourceFileSet")) configuration.sets.push_back(read_set(set));
    for (const XmlElement& library : element.children("Library")) {
      const std::string name = text(library, "name");
      const bool external = formats::read_boolean(text(library, "external")).value_or(false);
      if (is_library_name(name))
        configuration.libraries.push_back(
            {name, external ? NeededLibrary::Place::system : NeededLibrary::Place::sources});
      else
        problems_.add(library.where(), fmt::format("{} cannot be the name of a library", in_quotes(name)));
    }
    const auto has_files = [](const SourceSet& set) { return !set.files.empty(); };
    if (std::none_of(configuration.sets.begin(), configuration.sets.end(), has_files))
      problems_.add(element.where(), "the build configuration names no source file");
    return configuration;
  }

  static std::string text(const XmlElement& element, const char* name) {
    return std::string(element.attribute(name).value_or(""));
  }

 private:
  std::optional<std::string> safe(std::string_view written, const base::Location& where) {
    constexpr std::size_t most_parts = 32;
    std::string reason;
    auto name = formats::safe_entry_name(written, most_parts, reason);
    if (!name) problems_.add(where, fmt::format("{} {}", in_quotes(written), reason), "names are relative to sources/");
    return name;
  }
  /// Optional ones are left out: the sources do without them.
  void read_definition(const XmlElement& element, SourceSet& set) {
    const std::string name = text(element, "name");
    if (!is_identifier(name)) {
      problems_.add(element.where(), fmt::format("{} is no name of a macro", in_quotes(name)));
      return;
    }
    if (formats::read_boolean(text(element, "optional")).value_or(false)) return;
    const auto value = element.attribute("value");
    set.definitions.push_back({name, value ? std::optional<std::string>(*value) : std::nullopt});
  }

  const ZipArchive& archive_;
  base::Problems& problems_;
};

/// The identifiers of the libraries that the description promises, each once.
std::vector<std::string> identifiers_of(const ModelDescription& description) {
  std::vector<std::string> identifiers;
  for (const auto& interface : {description.co_simulation, description.model_exchange}) {
    if (!interface) continue;
    const std::string& name = interface->model_identifier;
    if (std::find(identifiers.begin(), identifiers.end(), name) == identifiers.end()) identifiers.push_back(name);
  }
  return identifiers;
}

/// The configuration made for this machine, else the one for all.
const XmlElement* choose(const std::vector<XmlElement>& all, const std::string& identifier) {
  const XmlElement* for_all = nullptr;
  for (const XmlElement& element : all) {
    if (Reader::text(element, "modelIdentifier") != identifier) continue;
    const std::string platform = Reader::text(element, "platform");
    if (platform == this_machine().fmi3) return &element;
    if (platform.empty() && !for_all) for_all = &element;
  }
  return for_all;
}

void read_configurations(const XmlElement& root, const std::vector<std::string>& identifiers, Reader& reader,
                         BuildDescription& build, base::Problems& problems) {
  if (root.name() != "fmiBuildDescription") {
    problems.add(root.where(),
                 fmt::format("the outermost element is {}, not <fmiBuildDescription>", in_quotes(root.name())));
    return;
  }
  const std::vector<XmlElement> all = root.children("BuildConfiguration");
  for (const std::string& identifier : identifiers) {
    const XmlElement* chosen = choose(all, identifier);
    // Exporters get the name wrong; with one of each there is no doubt what is meant.
    if (!chosen && all.size() == 1 && identifiers.size() == 1 && Reader::text(all[0], "platform").empty()) {
      chosen = all.data();
      build.notices.push_back(fmt::format("the build configuration is for {}; it is taken for {}",
                                          in_quotes(Reader::text(all[0], "modelIdentifier")), identifier));
    }
    if (chosen) {
      build.configurations.push_back(reader.read_configuration(*chosen));
      build.configurations.back().model_identifier = identifier;
      continue;
    }
    problems.add(root.where(), fmt::format("there is no build configuration for the model identifier {} on {}",
                                           in_quotes(identifier), this_machine().fmi3));
  }
}

/// Whether a line of the text includes the file of that name.
bool includes(const std::string& text, const std::string& name) {
  const std::string quoted = "\"" + name + "\"";
  for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + 1)) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", line);
    if (text[first] == '#' && text.find("include", first) < at) return true;
  }
  return false;
}

/// For want of a list: all.c, which by custom includes the others, or every source file directly in sources/ that none
/// of them includes.
std::vector<std::string> guessed_files(const ZipArchive& archive) {
  if (archive.find(sources + "all.c")) return {"all.c"};
  std::vector<std::string> files, texts;
  for (const ZipEntry& entry : archive.entries()) {
    if (entry.kind != ZipEntry::Kind::file || !entry.name.starts_with(sources)) continue;
    const std::string name = entry.name.substr(sources.size());
    if (name.find('/') != std::string::npos || !is_source(name)) continue;
    files.push_back(name);
    texts.push_back(archive.read(entry, largest_file));
  }
  std::erase_if(files, [&](const std::string& name) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return includes(text, name); });
  });
  return files;
}

std::vector<std::string> listed_files(const ModelDescription& description, const std::string& identifier,
                                      const base::Location& where, Reader& reader) {
  std::vector<std::string> files;
  for (const auto& interface : {description.co_simulation, description.model_exchange}) {
    if (!interface || interface->model_identifier != identifier) continue;
    for (const std::string& file : interface->source_files) reader.take_file(file, where, files);
  }
  return files;
}

void read_listed(const Fmu& fmu, const ZipArchive& archive, Reader& reader, BuildDescription& build,
                 base::Problems& problems) {
  const auto source = std::make_shared<base::Source>(base::Source{fmu.path + "/modelDescription.xml", {}});
  for (const std::string& identifier : identifiers_of(fmu.description)) {
    const std::size_t before = problems.size();
    SourceSet set;
    set.files = listed_files(fmu.description, identifier, {source, 0, 0, 1}, reader);
    if (set.files.empty() && problems.size() == before) {
      set.files = guessed_files(archive);
      build.notices.push_back(fmt::format("the FMU does not say which of its sources make {}; taken: {}", identifier,
                                          formats::printable(fmt::format("{}", fmt::join(set.files, ", ")))));
    }
    if (set.files.empty() && problems.size() == before)
      problems.add({source, 0, 0, 1}, "there is no C or C++ file in sources/");
    build.configurations.push_back({identifier, {std::move(set)}, {}});
  }
}

bool lists_files(const ModelDescription& description) {
  const auto lists = [](const std::optional<Interface>& i) { return i && !i->source_files.empty(); };
  return lists(description.co_simulation) || lists(description.model_exchange);
}

}  // namespace

std::optional<BuildDescription> read_build_description(const Fmu& fmu, base::Problems& problems) {
  const std::size_t before = problems.size();
  const base::Location where{std::make_shared<base::Source>(base::Source{fmu.path, {}}), 0, 0, 1};
  if (!fmu.ships_sources) {
    problems.add(where, "the FMU ships no sources", "ask its supplier for a binary of this platform");
    return std::nullopt;
  }
  if (fmu.description.version == Version::fmi1)
    problems.add(where, "sources of FMI 1.0 are not compiled here", "ask its supplier for a binary of this platform");
  const std::vector<std::string> identifiers = identifiers_of(fmu.description);
  if (identifiers.empty()) problems.add(where, "the FMU offers neither co-simulation nor model exchange");
  const std::optional<ZipArchive> archive = formats::open_zip(fmu.path, problems);
  if (problems.size() > before) return std::nullopt;
  Reader reader(*archive, problems);
  BuildDescription build;
  const ZipEntry* entry = archive->find(sources + "buildDescription.xml");
  const bool has_description = entry && entry->kind == ZipEntry::Kind::file;
  if (has_description && !(fmu.description.version == Version::fmi2 && lists_files(fmu.description))) {
    const auto document =
        formats::read_xml(archive->read(*entry, largest_file), fmu.path + "/" + entry->name, problems);
    if (document) read_configurations(document->root(), identifiers, reader, build, problems);
  } else {
    read_listed(fmu, *archive, reader, build, problems);
  }
  if (problems.size() > before) return std::nullopt;
  return build;
}

std::vector<std::string> required_functions(const ModelDescription& description, const std::string& model_identifier) {
  const bool two = description.version == Version::fmi2;
  std::vector<std::string> names;
  const auto add = [&](bool wanted, const std::vector<std::string>& functions) {
    for (std::size_t i = 0; wanted && i < functions.size(); ++i)
      names.push_back((two ? "fmi2" : "fmi3") + functions[i]);
  };
  const auto add_common = [&](const Interface& able) {
    const std::string state = two ? "FMUstate" : "FMUState";
    add(true, {"GetVersion", "FreeInstance", "EnterInitializationMode", "ExitInitializationMode", "Terminate"});
    add(able.provides_directional_derivatives, {"GetDirectionalDerivative"});
    add(able.can_get_and_set_state, {"Get" + state, "Set" + state, "Free" + state});
    add(able.can_serialize_state,
        {"Serialized" + state + "Size", "Serialize" + state, (two ? "DeSerialize" : "Deserialize") + state});
    add(two, {"Instantiate", "SetupExperiment"});
  };
  if (const auto& able = description.co_simulation; able && able->model_identifier == model_identifier) {
    add_common(*able);
    add(true, {"DoStep"});
    add(!two, {"InstantiateCoSimulation"});
    add(!two && able->provides_adjoint_derivatives, {"GetAdjointDerivative"});
    add(!two && able->has_event_mode, {"EnterEventMode", "EnterStepMode", "UpdateDiscreteStates"});
    add(two && able->can_interpolate_inputs, {"SetRealInputDerivatives"});
    add(able->max_output_derivative_order > 0, {two ? "GetRealOutputDerivatives" : "GetOutputDerivatives"});
  }
  if (const auto& able = description.model_exchange; able && able->model_identifier == model_identifier) {
    add_common(*able);
    add(true, {"EnterEventMode", "EnterContinuousTimeMode", "SetTime"});
    add(able->needs_completed_integrator_step, {"CompletedIntegratorStep"});
    add(two, {"NewDiscreteStates"});
    add(!two, {"InstantiateModelExchange", "UpdateDiscreteStates", "GetNumberOfContinuousStates",
               "GetNumberOfEventIndicators"});
  }
  return names;
}

}  // namespace seam::fmi
