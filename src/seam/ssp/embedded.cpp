#include "seam/ssp/embedded.hpp"

#include "seam/formats/yaml.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::ssp {

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
