#include "seam/engine/open/convert.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "seam/base/error.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/reach.hpp"
#include "seam/load/resolved_file.hpp"
#include "seam/ssp/read_system.hpp"
#include "seam/ssp/write_system.hpp"

namespace seam::engine {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what, const std::string& mend) {
  base::Problems problems;
  problems.add({}, what, mend);
  throw base::ProblemsFound(problems);
}

/// A file that goes along with a system file.
struct Companion {
  std::string written, from;
};

/// Files that lie elsewhere come along under their own names.
void bring_files_home(system::SystemDescription& description) {
  std::map<std::string, std::string> taken;
  for (system::Subsystem& subsystem : description.subsystems) {
    system::FmuFile* const fmu = subsystem.fmu();
    if (!fmu || load::stays_below(fmu->written)) continue;
    const std::string name = fs::path(fmu->written).filename().string();
    const bool free = taken.emplace(name, fmu->path).first->second == fmu->path;
    fmu->written = free ? name : subsystem.name + "/" + name;
  }
}

/// FMUs and tables under the names the system file says. Two of one name (from packages in packages) get one each.
std::vector<Companion> companions(system::SystemDescription& description) {
  std::vector<Companion> files;
  std::map<std::string, std::string> taken;
  for (system::Subsystem& subsystem : description.subsystems) {
    if (system::FmuFile* fmu = subsystem.fmu()) {
      const auto known = taken.find(fmu->written);
      if (known != taken.end() && known->second != fmu->path) fmu->written = subsystem.name + "/" + fmu->written;
      if (taken.emplace(fmu->written, fmu->path).second) files.push_back({fmu->written, fmu->path});
      continue;
    }
    for (system::Setting& setting : subsystem.set) {
      if (setting.name != "file" || setting.value.kind != system::Value::Kind::text) continue;
      const std::string from = (fs::path(description.folder) / setting.value.text).string();
      if (!load::stays_below(setting.value.text))
        setting.value.text = subsystem.name + "/" + fs::path(from).filename().string();
      if (taken.emplace(setting.value.text, from).second) files.push_back({setting.value.text, from});
    }
  }
  return files;
}

/// Files that are there and are the same stay; others are in the way.
void copy(const std::vector<Companion>& files, const fs::path& folder) {
  std::error_code error;
  for (const Companion& file : files) {
    const fs::path target = folder / file.written;
    if (!fs::exists(target, error)) continue;
    if (fs::equivalent(target, file.from, error) ||
        formats::sha256_of_file(target.string()) == formats::sha256_of_file(file.from))
      continue;
    refuse(fmt::format("\"{}\" is there already, and is another file", target.string()), "choose another folder");
  }
  for (const Companion& file : files) {
    const fs::path target = folder / file.written;
    if (fs::exists(target, error)) continue;
    fs::create_directories(target.parent_path(), error);
    if (!fs::copy_file(file.from, target, error))
      throw base::Error(base::Failure::file, fmt::format("cannot write \"{}\": {}", target.string(), error.message()));
    fs::permissions(target, fs::perms::owner_write, fs::perm_options::add, error);
  }
}

}  // namespace

Converted convert(const ConvertRequest& request, const Changes& changes) {
  const fs::path to(request.to);
  const std::string end = to.extension().string();
  const bool package = end == ".ssp", text = end == ".yaml" || end == ".yml" || end == ".json";
  if (!package && !text)
    refuse(fmt::format("\"{}\" names no format that can be written", request.to), "name it .ssp, .yaml or .json");
  std::error_code error;
  if (fs::exists(to, error) && request.existing == ConvertRequest::Existing::kept)
    refuse(fmt::format("\"{}\" is there already", request.to), "--force replaces it");
  if (fs::exists(to, error) && fs::equivalent(to, request.from, error))
    refuse(fmt::format("\"{}\" would replace what it is made from", request.to), "choose another name");
  Changes meant = changes;
  meant.autos = Changes::Autos::left;  // what is auto here is auto there
  System system = open(request.from, meant);
  bring_files_home(system.description);
  Converted converted;
  converted.file = request.to;
  if (package) {
    base::Problems problems;
    converted.ours_alone = ssp::write_package(system.description, request.to, request.tool, problems).ours_alone;
    base::require_none(problems);
    return converted;
  }
  const std::vector<Companion> files = companions(system.description);
  copy(files, to.has_parent_path() ? to.parent_path() : fs::path("."));
  for (const Companion& file : files) converted.files.push_back(file.written);
  formats::write_text(request.to, end == ".json" ? formats::to_json(load::resolved_value(system.description, nullptr))
                                                 : load::resolved_text(system.description, nullptr));
  return converted;
}

}  // namespace seam::engine
