#include "seam/ssp/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "seam/formats/xml_values.hpp"

namespace seam::ssp {
namespace {

constexpr int deepest = 32;
constexpr std::size_t most_elements = 20'000;

enum class Content { fmu, package, description, embedded };

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

Content content_of(const Element& component, const load::Reference& reference) {
  if (reference.path.empty()) return Content::embedded;
  if (component.type == "application/x-ssp-package" || (component.type.empty() && ends_with(reference.path, ".ssp")))
    return Content::package;
  if (component.type == "application/x-ssp-definition" || (component.type.empty() && ends_with(reference.path, ".ssd")))
    return Content::description;
  return Content::fmu;
}

const Element* find_id(const Element& element, const std::string& id) {
  if (element.id == id && element.form == Element::Form::system) return &element;
  for (const Element& inner : element.elements) {
    if (const Element* found = find_id(inner, id)) return found;
  }
  return nullptr;
}

class Expander {
 public:
  explicit Expander(base::Problems& problems) : problems_(problems) {}

  void keep(const Description& description) {
    originals_[description.file.get()] = std::make_shared<const Element>(description.system);
  }

  bool gave_up() const { return said_; }

  void expand(Element& element, int depth) {
    if (++elements_ > most_elements || depth > deepest) {
      if (!said_) {
        problems_.add(
            element.where,
            fmt::format("the system is nested more than {} deep, or has more than {} elements", deepest, most_elements),
            "does a package contain itself?");
      }
      said_ = true;
      return;
    }
    if (element.form == Element::Form::component) replace(element);
    for (Dictionary& dictionary : element.dictionaries) read_dictionary(dictionary, *element.file);
    for (Element& inner : element.elements) {
      if (!said_) expand(inner, depth + 1);
    }
  }

 private:
  void replace(Element& component) {
    if (!component.source) return;
    base::Problems said_later;  // of an FMU, when it is opened
    const auto reference = component.file->refer(*component.source, component.where, said_later);
    if (!reference) return;
    std::optional<Element> system;
    switch (content_of(component, *reference)) {
      case Content::fmu:
        return;
      case Content::package:
        system = from_package(component, *reference);
        break;
      case Content::description:
        system = from_description(component, *reference);
        break;
      case Content::embedded:
        system = from_same_file(component, *reference);
        break;
    }
    if (system) take_over(component, std::move(*system));
  }

  /// What the component says of its connectors counts where the system says nothing.
  void take_over(Element& component, Element system) {
    system.name = component.name;
    for (Connector& connector : system.connectors) {
      const Connector* outside = component.find(connector.name);
      if (outside && connector.unit.empty()) connector.unit = outside->unit;
    }
    for (Binding& binding : component.bindings) {
      binding.component = system.file;
      system.bindings.push_back(std::move(binding));
    }
    component = std::move(system);
  }

  std::optional<Element> from_package(const Element& component, const load::Reference& reference) {
    const File& file = *component.file;
    const std::string name = file.beside(reference.path);
    if (!file.package->has(name)) {
      problems_.add(component.where, fmt::format("there is no package \"{}\"", file.package->shown(name)));
      return std::nullopt;
    }
    const auto package =
        open_package(file.package->path(name).string(), file.package->shown(name), file.package->opened(), problems_);
    if (!package) return std::nullopt;
    const std::string which = reference.fragment.empty() ? "SystemStructure.ssd" : reference.fragment;
    return read(std::make_shared<Package>(*package), which, component);
  }

  std::optional<Element> from_description(const Element& component, const load::Reference& reference) {
    const File& file = *component.file;
    return read(file.package, file.beside(reference.path), component);
  }

  std::optional<Element> read(const std::shared_ptr<const Package>& package, const std::string& name,
                              const Element& component) {
    auto description = read_ssd(package, name, component.where, problems_);
    if (!description) return std::nullopt;
    keep(*description);
    files_.push_back(description->file);
    return std::move(description->system);
  }

  std::optional<Element> from_same_file(const Element& component, const load::Reference& reference) {
    const auto original = originals_.find(component.file.get());
    const Element* found = original == originals_.end() || reference.fragment.empty()
                               ? nullptr
                               : find_id(*original->second, reference.fragment);
    if (found) return *found;
    if (reference.fragment.empty()) {
      problems_.add(component.where, fmt::format("the source of \"{}\" is empty", component.name));
      return std::nullopt;
    }
    problems_.add(component.where,
                  fmt::format("there is no system with the id \"{}\" in this file", reference.fragment));
    return std::nullopt;
  }

  void read_dictionary(Dictionary& dictionary, const File& file) {
    if (!dictionary.origin.source) return;
    const auto reference = file.refer(*dictionary.origin.source, dictionary.origin.where, problems_);
    if (!reference) return;
    const std::string name = file.beside(reference->path);
    auto bytes = file.package->read(name, dictionary.origin.where, problems_);
    const auto document =
        bytes ? formats::read_xml(std::move(*bytes), file.package->shown(name), problems_) : std::nullopt;
    if (!document) return;
    for (const formats::XmlElement& entry : children(document->root(), "DictionaryEntry")) {
      Connector connector;
      connector.name = required(entry, "name", problems_);
      connector.where = entry.where();
      for (const formats::XmlElement& part : entry.children()) {
        if (part.attribute("unit")) connector.unit = text(part, "unit");
      }
      dictionary.entries.push_back(std::move(connector));
    }
  }

  base::Problems& problems_;
  std::map<const File*, std::shared_ptr<const Element>> originals_;
  std::vector<std::shared_ptr<const File>> files_;  // keeps the keys above alive
  std::size_t elements_ = 0;
  bool said_ = false;
};

}  // namespace

bool is_system(const Element& component, const load::Reference& source) {
  return content_of(component, source) != Content::fmu;
}

Expansion expand(Description& description, base::Problems& problems) {
  Expander expander(problems);
  expander.keep(description);
  expander.expand(description.system, 0);
  return expander.gave_up() ? Expansion::too_large : Expansion::whole;
}

}  // namespace seam::ssp
