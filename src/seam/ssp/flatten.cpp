#include "seam/ssp/flatten.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "seam/formats/yaml.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"
#include "seam/ssp/expand.hpp"
#include "seam/system/validate.hpp"

namespace seam::ssp {
namespace {

class Flattener {
 public:
  Flattener(const EmbeddedSubsystems& embedded, std::shared_ptr<const Package> root, Flat& flat,
            base::Problems& problems)
      : embedded_(embedded), root_(std::move(root)), flat_(flat), problems_(problems) {}

  void visit(const Element& element, const std::string& path) {
    flat_.paths[&element] = path;
    if (element.form == Element::Form::component) add(element, path);
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const Element& inner : element.elements) {
      const std::string name = prefix + system::legal_path(inner.name);
      if (inner.form == Element::Form::component && system::legal_path(inner.name) != inner.name)
        flat_.description.notices.push_back(fmt::format("the component \"{}\" is called {} here", inner.name, name));
      visit(inner, name);
    }
  }

 private:
  void add(const Element& component, const std::string& path) {
    system::Subsystem subsystem;
    subsystem.name = unique(path);
    subsystem.where = component.where;
    flat_.paths[&component] = subsystem.name;
    std::shared_ptr<const fmi::Fmu> fmu;
    const auto own = embedded_.find(subsystem.name);
    if (own != embedded_.end()) {
      subsystem = own->second;
      if (subsystem.fmu() && !component.source) return without_source(component, subsystem.name);
    }
    if (component.source && is_table(component)) {
      if (!read_table(component, subsystem)) return;
    } else if (component.source) {
      if (!read_source(component, subsystem)) return;
      fmu = load::open_fmu_once(subsystem.fmu()->path, component.where, problems_);
    } else if (own == embedded_.end()) {
      return without_source(component, subsystem.name);
    }
    flat_.leaves[&component] = {static_cast<int>(flat_.description.subsystems.size()), std::move(fmu)};
    flat_.description.subsystems.push_back(std::move(subsystem));
  }

  void without_source(const Element& component, const std::string& name) {
    flat_.description.notices.push_back(
        fmt::format("the component \"{}\" has no source and is left out{}", name,
                    component.type.empty() ? std::string() : fmt::format(" (its type is {})", component.type)));
  }

  /// As OMSimulator writes it.
  static bool is_table(const Element& component) {
    return component.type == "text/csv" || component.type == "application/table";
  }

  /// A table whose columns are outputs. One of the description itself keeps its name; others lie elsewhere.
  bool read_table(const Element& component, system::Subsystem& subsystem) {
    const auto reference = component.file->refer(*component.source, component.where, problems_);
    if (!reference) return false;
    const File& file = *component.file;
    const std::string name = file.beside(reference->path);
    if (!file.package->has(name)) {
      problems_.add(component.where, fmt::format("there is no file \"{}\"", file.package->shown(name)));
      return false;
    }
    const bool own = file.package == root_ && name.front() != '/';
    const std::string path = std::filesystem::absolute(file.package->path(name)).string();
    if (!own) flat_.description.opened_folders.push_back(path);
    subsystem.origin = system::BuiltInModel{"csv", component.where};
    system::Setting setting;
    setting.name = "file";
    setting.value.kind = system::Value::Kind::text;
    setting.value.text = own ? name : path;
    setting.where = setting.value.where = component.where;
    subsystem.set.push_back(std::move(setting));
    return true;
  }

  bool read_source(const Element& component, system::Subsystem& subsystem) {
    const auto reference = component.file->refer(*component.source, component.where, problems_);
    if (!reference) return false;
    if (is_system(component, *reference)) return false;  // one that could not be read, and that was said
    if (!component.type.empty() && component.type != "application/x-fmu-sharedlibrary") {
      problems_.add(component.where,
                    fmt::format("\"{}\" is of type \"{}\", which cannot be run", subsystem.name, component.type),
                    "FMUs, SSPs, SSDs and tables (text/csv) can");
      return false;
    }
    const File& file = *component.file;
    const std::string name = file.beside(reference->path);
    if (!file.package->has(name)) {
      problems_.add(component.where, fmt::format("there is no file \"{}\"", file.package->shown(name)));
      return false;
    }
    if (!subsystem.fmu()) subsystem.origin = system::FmuFile{.path = {}, .where = component.where};
    subsystem.fmu()->path = file.package->path(name).string();
    subsystem.fmu()->written = name;
    return choose_interface(component, subsystem.name, *subsystem.fmu());
  }

  bool choose_interface(const Element& component, const std::string& owner, system::FmuFile& fmu) {
    const std::string& wanted = component.implementation;
    fmu.interface_where = component.where;
    if (wanted == "CoSimulation") {
      fmu.interface = system::FmuInterface::co_simulation;
    } else if (wanted == "ModelExchange") {
      fmu.interface = system::FmuInterface::model_exchange;
    } else if (!wanted.empty() && wanted != "any") {
      problems_.add(component.where,
                    fmt::format("\"{}\" wants the implementation {}, which cannot be run", owner, wanted),
                    "CoSimulation and ModelExchange can");
      return false;
    }
    return true;
  }

  /// Names that differ only in characters that we do not know get a number.
  std::string unique(const std::string& path) {
    std::string name = path;
    for (int number = 2; !names_.insert(name).second; ++number) name = fmt::format("{}_{}", path, number);
    return name;
  }

  const EmbeddedSubsystems& embedded_;
  std::shared_ptr<const Package> root_;
  Flat& flat_;
  base::Problems& problems_;
  std::set<std::string> names_;
};

}  // namespace

Flat flatten(const Description& description, const EmbeddedSubsystems& embedded, base::Problems& problems) {
  Flat flat;
  Flattener(embedded, description.file->package, flat, problems).visit(description.system, "");
  return flat;
}

load::PlanSections read_embedded_plan(const Package& package, base::Problems& problems) {
  if (package.form() != Package::Form::archive || !package.has(plan_name)) return {};
  auto text = package.read(plan_name, {}, problems);
  return text ? load::read_plan_text(std::move(*text), package.shown(plan_name), problems) : load::PlanSections{};
}

EmbeddedSubsystems read_embedded_subsystems(const Package& package, const std::string& folder,
                                            base::Problems& problems) {
  EmbeddedSubsystems found;
  if (package.form() != Package::Form::archive || !package.has(subsystems_name)) return found;
  auto text = package.read(subsystems_name, {}, problems);
  const auto root = text ? formats::read_yaml(std::move(*text), package.shown(subsystems_name), problems) : nullptr;
  if (!root || !load::expect(*root, formats::Node::Kind::map, "the file", problems)) return found;
  load::check_version(*root, problems);
  load::check_keys(*root, "this file", {{"seam", "subsystems"}}, problems);
  const formats::Node* list = root->find("subsystems");
  if (!list || !load::expect(*list, formats::Node::Kind::map, "subsystems", problems)) return found;
  for (const formats::Node::Entry& entry : list->entries)
    found[entry.key] = load::read_subsystem(entry, {folder, {}}, problems);
  return found;
}

}  // namespace seam::ssp
