#include <fmt/format.h>

#include "seam/fmi/description/description_reader.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

/// Where one list of unknowns stands: FMI 2 has <Outputs><Unknown index>, FMI 3 <Output valueReference>.
struct ListPlace {
  const char* list2;
  const char* element3;
};

std::vector<XmlElement> elements_of(const XmlElement& structure, const ListPlace& place, Version version) {
  if (version == Version::fmi3) return structure.children(place.element3);
  const std::optional<XmlElement> list = place.list2 ? structure.child(place.list2) : std::nullopt;
  return list ? list->children("Unknown") : std::vector<XmlElement>{};
}

// A dependency that cannot be found is not "no dependency": the whole list is then read as missing, which means all
// knowns.
void read_dependencies(const Attributes& attributes, Draft& draft, const VariableNames& names, Unknown& unknown) {
  const auto written = attributes.references("dependencies");
  if (!written) return;
  if (!draft.budget.take(Budget::dependency * written->size())) {
    return draft.notes.error(unknown.line, "there are too many dependencies; these are left out");
  }
  std::vector<std::size_t> dependencies;
  for (const std::uint32_t reference : *written) {
    const std::optional<std::size_t> known = names.find(reference);
    if (!known) {
      return draft.notes.error(
          unknown.line, fmt::format("dependencies names {}, but there is no such variable", names.shown(reference)));
    }
    dependencies.push_back(*known);
  }
  const std::string kinds_text = attributes.text("dependenciesKind");  // keeps what the items look at
  const std::vector<std::string_view> kinds = formats::list_items(kinds_text);
  if (kinds.size() == dependencies.size()) {
    unknown.dependency_kinds.assign(kinds.begin(), kinds.end());
  } else if (!kinds.empty()) {
    draft.notes.error(unknown.line, fmt::format("dependenciesKind has {} items, dependencies has {}", kinds.size(),
                                                dependencies.size()));
  }
  unknown.dependencies = std::move(dependencies);
}

std::vector<Unknown> read_unknowns(const std::vector<XmlElement>& elements, Draft& draft, const VariableNames& names) {
  std::vector<Unknown> unknowns;
  const char* const key = draft.description.version == Version::fmi2 ? "index" : "valueReference";
  for (const XmlElement& element : elements) {
    const Attributes attributes(element, draft.notes);
    const std::optional<std::uint32_t> written = attributes.integer<std::uint32_t>(key);
    if (!written) {
      if (!attributes.has(key))
        draft.notes.error(element.line(), fmt::format("<{}> needs the attribute {}", element.name(), key));
      continue;
    }
    const std::optional<std::size_t> variable = names.find(*written);
    if (!variable) {
      draft.notes.error(element.line(), fmt::format("the model structure names {}, but there is no such variable",
                                                    names.shown(*written)));
      continue;
    }
    Unknown unknown;
    unknown.variable = *variable;
    unknown.line = element.line();
    if (attributes.has("dependenciesKind") && !attributes.has("dependencies")) {
      draft.notes.error(unknown.line, "dependenciesKind is there without dependencies");
    }
    read_dependencies(attributes, draft, names, unknown);
    unknowns.push_back(std::move(unknown));
  }
  return unknowns;
}

}  // namespace

std::optional<std::size_t> VariableNames::find(std::uint32_t written) const {
  if (draft_.description.version == Version::fmi2) {
    return written >= 1 && written <= draft_.positions.size() ? draft_.positions[written - 1] : std::nullopt;
  }
  return by_reference_.find(written);
}

std::string VariableNames::shown(std::uint32_t written) const {
  return fmt::format("{} {}", draft_.description.version == Version::fmi2 ? "index" : "value reference", written);
}

void read_structure(const XmlElement& root, Draft& draft) {
  if (draft.description.version == Version::fmi1) return read_structure1(root, draft);
  const std::optional<XmlElement> element = root.child("ModelStructure");
  if (!element) return draft.notes.error(root.line(), "<ModelStructure> is missing");
  const Version version = draft.description.version;
  const VariableNames names(draft);
  const auto read = [&](const ListPlace& place) {
    return read_unknowns(elements_of(*element, place, version), draft, names);
  };
  ModelStructure& structure = draft.description.structure;
  structure.outputs = read({"Outputs", "Output"});
  structure.derivatives = read({"Derivatives", "ContinuousStateDerivative"});
  structure.clocked_states = read({nullptr, "ClockedState"});
  structure.initial_unknowns = read({"InitialUnknowns", "InitialUnknown"});
  if (version == Version::fmi2) return;
  const VariableIndex index(draft.description);
  for (const Unknown& indicator : read({nullptr, "EventIndicator"})) {
    structure.event_indicators += index.start_elements(draft.description.variables[indicator.variable]).value_or(1);
  }
}

}  // namespace seam::fmi
