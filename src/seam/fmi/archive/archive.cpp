#include "seam/fmi/archive/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "seam/base/error.hpp"
#include "seam/fmi/archive/platform.hpp"
#include "seam/fmi/description/check_description.hpp"
#include "seam/fmi/description/notes.hpp"
#include "seam/fmi/description/read_description.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/sha256.hpp"
#include "seam/formats/zip.hpp"

namespace seam::fmi {
namespace {

using formats::ZipArchive;
using formats::ZipEntry;

constexpr std::size_t largest_description = std::size_t{256} << 20;
const std::string description_name = "modelDescription.xml";

// Where a description is that cannot be used: in a folder below, or in other letters; empty if nowhere.
std::string misplaced_description(const ZipArchive& archive) {
  const auto folded = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
  };
  const std::string wanted = folded(description_name);
  for (const ZipEntry& entry : archive.entries()) {
    const std::string name = folded(entry.name.substr(entry.name.rfind('/') + 1));
    if (entry.kind == ZipEntry::Kind::file && name == wanted) return entry.name;
  }
  return {};
}

const ZipEntry* find_description(const ZipArchive& archive, const base::Location& where, base::Problems& problems) {
  const ZipEntry* entry = archive.find(description_name);
  if (entry && entry->kind == ZipEntry::Kind::file) return entry;
  const std::string elsewhere = misplaced_description(archive);
  if (entry) {
    problems.add(where, "modelDescription.xml is a folder, not a file");
  } else if (elsewhere.empty()) {
    problems.add(where, "there is no modelDescription.xml in the archive", "is this an FMU?");
  } else {
    problems.add(
        where, fmt::format("the description is at \"{}\", not at modelDescription.xml", formats::printable(elsewhere)),
        "pack the content of the folder, not the folder itself");
  }
  return nullptr;
}

std::vector<std::string> folders_below(const ZipArchive& archive, const std::string& folder) {
  std::set<std::string> names;
  for (const ZipEntry& entry : archive.entries()) {
    if (!entry.name.starts_with(folder)) continue;
    const std::size_t end = entry.name.find('/', folder.size());
    if (end != std::string::npos) names.insert(entry.name.substr(folder.size(), end - folder.size()));
  }
  return {names.begin(), names.end()};
}

/// Libraries of this machine that are not called after the interface whose code they are.
void check_library_names(const ZipArchive& archive, Fmu& fmu) {
  const Machine machine = this_machine();
  const std::string folder = fmt::format("binaries/{}/", machine.folder(fmu.description.version));
  const auto is_library = [&](const ZipEntry& entry) {
    return entry.kind == ZipEntry::Kind::file && entry.name.starts_with(folder) && entry.name.ends_with(".so");
  };
  const auto& entries = archive.entries();
  const auto first = std::find_if(entries.begin(), entries.end(), is_library);
  if (first == entries.end()) return;
  for (const auto& interface : {fmu.description.co_simulation, fmu.description.model_exchange}) {
    if (!interface || archive.find(folder + interface->model_identifier + ".so")) continue;
    fmu.found_in_archive.push_back(
        {DescriptionProblem::Grade::error,
         fmt::format("{} holds {}, not {}.so, which the modelIdentifier asks for", folder,
                     in_quotes(first->name.substr(folder.size())), interface->model_identifier),
         interface->line});
    return;
  }
}

void look_over(const ZipArchive& archive, Fmu& fmu) {
  const std::vector<ZipEntry>& entries = archive.entries();
  fmu.platforms = folders_below(archive, "binaries/");
  fmu.ships_sources = std::any_of(entries.begin(), entries.end(), [](const ZipEntry& entry) {
    return entry.kind == ZipEntry::Kind::file && entry.name.starts_with("sources/");
  });
  using Grade = DescriptionProblem::Grade;
  if (std::any_of(entries.begin(), entries.end(), [](const ZipEntry& entry) { return entry.backslashes; })) {
    fmu.found_in_archive.push_back(
        {Grade::error, "the archive writes \\ between the parts of its names; it must be /", 0});
  }
  check_library_names(archive, fmu);
  if (fmu.platforms.empty() && !fmu.ships_sources) {
    fmu.found_in_archive.push_back({Grade::error, "there are neither binaries nor sources", 0});
  }
}

}  // namespace

std::optional<Fmu> open_fmu(const std::string& path, base::Problems& problems) {
  const base::Location where{std::make_shared<base::Source>(base::Source{path, {}}), 0, 0, 1};
  try {
    const std::optional<ZipArchive> archive = formats::open_zip(path, problems);
    if (!archive) return std::nullopt;
    const ZipEntry* entry = find_description(*archive, where, problems);
    if (!entry) return std::nullopt;
    std::optional<ModelDescription> description =
        read_description(archive->read(*entry, largest_description), path + "/" + description_name, problems);
    if (!description) return std::nullopt;
    Fmu fmu;
    fmu.path = path;
    fmu.description = std::move(*description);
    fmu.hash = formats::sha256_of_file(path);
    for (const Variable& variable : fmu.description.variables)
      fmu.types[static_cast<std::size_t>(variable.type)] = true;
    look_over(*archive, fmu);
    const ZipEntry* terminals = archive->find(terminals_name);
    if (terminals && terminals->kind == ZipEntry::Kind::file)
      read_terminals(archive->read(*terminals, largest_description), fmu.description, fmu.found_in_archive);
    return fmu;
  } catch (const base::Error& error) {
    problems.add(where, error.what());
    return std::nullopt;
  }
}

std::vector<DescriptionProblem> description_problems(const Fmu& fmu) {
  std::vector<DescriptionProblem> found = fmu.found_in_archive;
  const auto append = [&found](const std::vector<DescriptionProblem>& more) {
    found.insert(found.end(), more.begin(), more.end());
  };
  append(fmu.description.found_while_reading);
  Notes notes;
  check_names(fmu.description, notes);
  check_variables(fmu.description, notes);
  check_structure(fmu.description, notes);
  append(notes.take());
  std::stable_sort(found.begin(), found.end(),
                   [](const DescriptionProblem& a, const DescriptionProblem& b) { return a.line < b.line; });
  return found;
}

}  // namespace seam::fmi
