#include "seam/osp/groups.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/xml_values.hpp"
#include "seam/formats/zip.hpp"

namespace seam::osp {
namespace {

namespace fs = std::filesystem;
using formats::XmlElement;

constexpr const char* ending = "OspModelDescription.xml";

/// The bytes of a file and how messages call it.
struct Found {
  std::string bytes, shown;
};

std::optional<Found> find_beside(const GroupPlaces& places) {
  const fs::path fmu(places.fmu);
  for (const fs::path& folder : {fmu.parent_path(), fs::path(places.folder)}) {
    for (const std::string& name : {places.model_name, fmu.stem().string()}) {
      // the name of a model is a stranger's text, and no way out of the folder
      if (name.empty() || name.find_first_of("/\\") != std::string::npos) continue;
      const fs::path file = folder / fmt::format("{}_{}", name, ending);
      std::error_code error;
      if (fs::is_regular_file(file, error)) return Found{formats::read_text(file.string()), file.string()};
    }
  }
  return std::nullopt;
}

std::optional<Found> find_inside(const GroupPlaces& places) {
  base::Problems said_before;  // the FMU was opened already
  const auto archive = formats::open_zip(places.fmu, said_before);
  if (!archive) return std::nullopt;
  for (const formats::ZipEntry& entry : archive->entries()) {
    if (std::string_view(entry.name).ends_with(ending))
      return Found{archive->read(entry, formats::largest_text_file), places.fmu + "/" + entry.name};
  }
  return std::nullopt;
}

VariableGroup read_group(const XmlElement& element, base::Problems& problems) {
  VariableGroup group;
  group.kind = local_name(element);
  group.name = required(element, "name", problems);
  for (const XmlElement& each : element.children()) {
    if (local_name(each) == "Variable") {
      group.variables.push_back(required(each, "ref", problems));
    } else {
      group.groups.push_back(read_group(each, problems));
    }
  }
  return group;
}

}  // namespace

std::optional<std::vector<VariableGroup>> read_groups(const GroupPlaces& places, const base::Location& where,
                                                      base::Problems& problems) try {
  auto found = find_beside(places);
  if (!found) found = find_inside(places);
  if (!found) {
    problems.add(where, fmt::format("nothing says which variables the groups of \"{}\" have", places.fmu),
                 fmt::format("put \"{}_{}\" beside the FMU or beside this file, or connect the variables one by one",
                             places.model_name, ending));
    return std::nullopt;
  }
  const auto document = formats::read_xml(std::move(found->bytes), found->shown, problems);
  if (!document) return std::nullopt;
  const auto list = child(document->root(), "VariableGroups");
  if (local_name(document->root()) != "OspModelDescription" || !list) {
    problems.add(document->root().where(), "this file has no variable groups",
                 "its root is <OspModelDescription> with one <VariableGroups>");
    return std::nullopt;
  }
  std::vector<VariableGroup> groups;
  for (const XmlElement& element : list->children()) groups.push_back(read_group(element, problems));
  return groups;
} catch (const base::Error& error) {
  problems.add(where, error.what());
  return std::nullopt;
}

const VariableGroup* find_group(const std::vector<VariableGroup>& groups, const std::string& name) {
  for (const VariableGroup& group : groups) {
    if (group.name == name) return &group;
  }
  for (const VariableGroup& group : groups) {
    if (const VariableGroup* found = find_group(group.groups, name)) return found;
  }
  return nullptr;
}

std::vector<std::string> group_names(const std::vector<VariableGroup>& groups) {
  std::vector<std::string> names;
  for (const VariableGroup& group : groups) {
    names.push_back(group.name);
    const auto inner = group_names(group.groups);
    names.insert(names.end(), inner.begin(), inner.end());
  }
  return names;
}

}  // namespace seam::osp
