#include "seam/engine/open/opener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "seam/engine/open/completion.hpp"
#include "seam/load/overrides.hpp"
#include "seam/load/reach.hpp"
#include "seam/load/system_file.hpp"
#include "seam/osp/read_system.hpp"
#include "seam/ssp/read_system.hpp"

namespace seam::engine {
namespace {

namespace fs = std::filesystem;
using system::Connection;
using system::PortAlias;
using system::Subsystem;
using system::SystemDescription;

constexpr std::size_t deepest = 32;           ///< systems in systems
constexpr std::size_t most_systems = 10'000;  ///< in one: two in each of 32 would be 2^32

/// The systems around the one that is read, from the outside.
struct Around {
  std::vector<fs::path> places;
  std::vector<std::string> names;  ///< as they are written
  std::size_t& read;               ///< in all so far

  /// Why the system must not be read; empty if it may.
  std::string refuses(const fs::path& place, const std::string& name) const {
    const auto known = std::ranges::find(places, place);
    if (known != places.end()) {
      const auto first = names.begin() + (known - places.begin());
      return fmt::format("\"{}\" contains itself: {} -> {}", name, fmt::join(first, names.end(), " -> "), name);
    }
    if (places.size() > deepest) return fmt::format("more than {} systems inside each other", deepest);
    return read > most_systems ? fmt::format("more than {} systems in one", most_systems) : "";
  }
  Around with(const fs::path& place, const std::string& name) const {
    Around inner = *this;
    inner.places.push_back(place);
    inner.names.push_back(name);
    ++read;
    return inner;
  }
};

std::optional<SystemDescription> read(const std::string& path, const std::vector<std::string>& opened,
                                      base::Problems& problems) {
  if (ssp::names_a_package(path)) {
    ssp::ReadOptions options;
    options.embedded_plan = ssp::ReadOptions::EmbeddedPlan::ignored;
    options.opened_folders = opened;
    return ssp::read_system(path, options, problems);
  }
  if (osp::names_a_structure(path)) return osp::read_system(path, {}, {{}, opened}, problems);
  return load::read_system_file(path, problems, {{}, {}, opened});
}

/// A path of the inner file as the outer one would write it.
std::string moved_path(const std::string& text, const SystemDescription& inner, SystemDescription& outer) {
  const fs::path place = (fs::path(inner.folder) / text).lexically_normal();
  const fs::path below = place.lexically_relative(fs::path(outer.folder).lexically_normal());
  if (!below.empty() && *below.begin() != "..") return below.string();
  outer.opened_folders.push_back(inner.folder);  // a package lies elsewhere once it is unpacked
  return fs::absolute(place).string();
}

/// One system in the place of one subsystem.
class Insertion {
 public:
  Insertion(const Subsystem& whole, SystemDescription inner, SystemDescription& outer, base::Problems& problems)
      : whole_(whole), file_(*whole.system()), inner_(std::move(inner)), outer_(outer), problems_(problems) {}

  /// What stands in the place of the subsystem.
  std::vector<Subsystem> parts() {
    for (Subsystem& part : inner_.subsystems) {
      for (system::Setting& setting : part.set) {
        const bool table = !part.fmu() && setting.name == "file" && setting.value.kind == system::Value::Kind::text;
        if (table) check_package(setting);
        if (table) setting.value.text = moved_path(setting.value.text, inner_, outer_);
      }
    }
    take_settings();  // whose paths are those of the outer file
    // FMUs of a package have no place beside the outer file: several packages may use the same names
    const fs::path front =
        ssp::names_a_package(file_.path) ? fs::path(whole_.name) : fs::path(file_.path).parent_path();
    for (Subsystem& part : inner_.subsystems) {
      part.name = renamed(part.name);
      if (system::FmuFile* fmu = part.fmu()) fmu->written = (front / fmu->written).string();
    }
    return std::move(inner_.subsystems);
  }

  /// The rest of it, behind what the outer system has.
  void take_connections() {
    const int before = static_cast<int>(outer_.connections.size());
    for (Connection& connection : inner_.connections) {
      rename(connection);
      outer_.connections.push_back(std::move(connection));
    }
    for (system::Bond& bond : inner_.bonds) {
      bond.name = whole_.name + "-" + bond.name;  // it has no dots
      if (bond.effort >= 0) bond.effort += before;
      if (bond.flow >= 0) bond.flow += before;
      if (bond.positive) bond.positive = {renamed(bond.positive->first), renamed(bond.positive->second)};
      outer_.bonds.push_back(std::move(bond));
    }
    for (PortAlias& alias : inner_.aliases) {
      alias.name = renamed(alias.name);
      for (std::string& port : alias.ports) port = renamed(port);
      for (Connection& way : alias.ways) rename(way);
      outer_.aliases.push_back(std::move(alias));
    }
  }

  void take_units_and_notices() {
    for (system::UnitDefinition& own : inner_.units) {
      const auto known = std::ranges::find(outer_.units, own.name, &system::UnitDefinition::name);
      if (known == outer_.units.end()) {
        outer_.units.push_back(std::move(own));
      } else if (!system::same_meaning(known->unit, own.unit)) {
        problems_.add(file_.where, fmt::format("the unit \"{}\" means something else in \"{}\"", own.name, file_.path),
                      "give one of them another name");
      }
    }
    outer_.opened_folders.insert(outer_.opened_folders.end(), inner_.opened_folders.begin(),
                                 inner_.opened_folders.end());
    outer_.inside.insert(outer_.inside.end(), inner_.inside.begin(), inner_.inside.end());
    for (std::string& notice : inner_.notices) outer_.notices.push_back(fmt::format("{}: {}", whole_.name, notice));
    const bool says_more = inner_.plan.step || inner_.plan.coupling || !inner_.plan.connections.empty() ||
                           !inner_.plan.subsystems.empty() || inner_.plan.corrector || inner_.plan.schedule ||
                           !inner_.experiment.events.empty() || !inner_.experiment.inputs.values.empty() ||
                           !inner_.experiment.inputs.file.empty() || !inner_.record.variables.empty();
    if (says_more)
      outer_.notices.push_back(fmt::format("{}: experiment, plan and record of \"{}\" are not used in another system",
                                           whole_.name, file_.path));
  }

 private:
  std::string renamed(const std::string& name) const { return whole_.name + "." + name; }
  void rename(Connection& connection) const {
    connection.from.text = renamed(connection.from.text);
    connection.to.text = renamed(connection.to.text);
  }

  /// A package must not read a table of ours, not even one beside the outer file.
  void check_package(const system::Setting& setting) const {
    const std::string& file = setting.value.text;
    if (!ssp::names_a_package(file_.path) || load::stays_below(file)) return;
    if (load::lies_in((fs::path(inner_.folder) / file).string(), inner_.opened_folders)) return;
    problems_.add(setting.where, fmt::format("\"{}\" is not a file inside the package \"{}\"", file, file_.path));
  }

  /// `set` of the whole: PART.VARIABLE.
  void take_settings() {
    for (const system::Setting& setting : whole_.set) {
      Subsystem* found = nullptr;
      for (Subsystem& part : inner_.subsystems) {
        const bool fits = setting.name.rfind(part.name + ".", 0) == 0;
        if (fits && (!found || part.name.size() > found->name.size())) found = &part;
      }
      if (!found) {
        std::vector<std::string> names;
        for (const Subsystem& part : inner_.subsystems) names.push_back(part.name);
        problems_.add(setting.where,
                      fmt::format("\"{}\" is no variable of a part of \"{}\"", setting.name, whole_.name),
                      fmt::format("write PART.VARIABLE; parts are {}", fmt::join(names, ", ")));
        continue;
      }
      system::Setting own = setting;
      own.name.erase(0, found->name.size() + 1);
      give(*found, own);
    }
  }
  /// Maps merge, key by key.
  void give(Subsystem& part, const system::Setting& setting) {
    if (setting.value.kind != system::Value::Kind::map || part.fmu())
      return load::apply_setting(part, setting, problems_);
    for (const auto& [key, value] : setting.value.entries) give(part, {setting.name + "." + key, value, setting.where});
  }

  const Subsystem& whole_;
  const system::SystemFile& file_;
  SystemDescription inner_;
  SystemDescription& outer_;
  base::Problems& problems_;
};

/// A whole array cannot be named: it is not known yet how many elements the other end has.
void refuse_array(const Connection& connection, const SystemDescription& description, base::Problems& problems) {
  for (const PortAlias& alias : description.aliases) {
    if (alias.name != connection.to.text || alias.ways.empty()) continue;
    problems.add(connection.to.where, fmt::format("\"{}\" is an array", alias.name),
                 fmt::format("connect its elements, such as \"{}\"", alias.ways.front().from.text));
  }
}

/// Connections to a connector of a system lead to the ports behind it.
void follow_connectors(SystemDescription& description, base::Problems& problems) {
  std::vector<Connection> connections;
  std::vector<int> first(description.connections.size());
  std::vector<std::string> fed;
  for (std::size_t i = 0; i < description.connections.size(); ++i) {
    const Connection& connection = description.connections[i];
    first[i] = static_cast<int>(connections.size());
    const std::vector<Connection> ways = ways_from(connection.to.text, description);
    if (ways.empty()) {
      refuse_array(connection, description, problems);
      connections.push_back(connection);
    }
    for (const Connection& way : ways) {
      if (!is_plain(way))
        problems.add(connection.to.where,
                     fmt::format("\"{}\" is converted on its way to \"{}\"", connection.to.text, way.to.text),
                     fmt::format("connect \"{}\" itself", way.to.text));
      connections.push_back(connection);
      connections.back().to.text = way.to.text;
      fed.push_back(way.from.text);
    }
  }
  for (PortAlias& alias : description.aliases) {
    std::erase_if(alias.ways,
                  [&](const Connection& way) { return std::ranges::find(fed, way.from.text) != fed.end(); });
  }
  for (system::Bond& bond : description.bonds) {
    if (bond.effort >= 0) bond.effort = first[static_cast<std::size_t>(bond.effort)];
    if (bond.flow >= 0) bond.flow = first[static_cast<std::size_t>(bond.flow)];
  }
  description.connections = std::move(connections);
}

void put_in_place(SystemDescription& outer, const Around& around, base::Problems& problems) {
  std::vector<Subsystem> all, wholes = std::exchange(outer.subsystems, {});
  for (Subsystem& whole : wholes) {
    const system::SystemFile* const named = whole.system();
    if (!named) {
      all.push_back(std::move(whole));
      continue;
    }
    if (named->path.empty()) continue;  // what is wrong with it was said
    const fs::path file = fs::path(outer.folder) / named->path;
    std::error_code error;
    const fs::path place = fs::weakly_canonical(file, error);
    if (std::string why = around.refuses(place, named->path); !why.empty()) {
      problems.add(named->where, std::move(why));
      continue;
    }
    auto inner = read(file.string(), outer.opened_folders, problems);
    if (!inner) {
      problems.add(named->where, fmt::format("the system \"{}\" cannot be read", named->path));
      continue;
    }
    put_in_place(*inner, around.with(place, named->path), problems);
    Insertion insertion(whole, std::move(*inner), outer, problems);
    for (Subsystem& part : insertion.parts()) all.push_back(std::move(part));
    insertion.take_connections();
    insertion.take_units_and_notices();
    outer.inside.push_back(file.string());
  }
  outer.subsystems = std::move(all);
}

}  // namespace

Opener::Opener(std::string path) : path_(std::move(path)) {}

void Opener::read(const std::string& design) {
  if (design_ == design) return;
  read_problems_ = {};
  Changes files;
  files.design = design;
  description_ = read_description(path_, files, read_problems_);
  design_ = design;
}

void Opener::set(const ValueChanges& changes) {
  read(changes.design);
  problems_ = read_problems_;
  if (!description_) return;
  described_ = *description_;
  change_settings(changes.set, described_, problems_);
  apply(changes.coupling, described_);
  record_variables(changes.variables, described_);
  describe({}, described_, problems_, &cache_);
}

System Opener::open(const CouplingChanges& coupling) {
  if (!design_) set({});
  if (!description_) throw base::ProblemsFound(problems_);
  base::Problems problems = problems_;
  system::SystemDescription description = std::move(spare_.description);
  description = described_;
  apply(coupling, description);
  return planned(std::move(description), {}, problems);
}

void put_systems_in_place(const std::string& path, SystemDescription& description, base::Problems& problems) {
  const bool any =
      std::ranges::any_of(description.subsystems, [](const Subsystem& one) { return one.system() != nullptr; });
  if (!any) return;
  std::error_code error;
  std::size_t read = 0;
  put_in_place(description, Around{{fs::weakly_canonical(path, error)}, {fs::path(path).filename().string()}, read},
               problems);
  follow_connectors(description, problems);
}

}  // namespace seam::engine
