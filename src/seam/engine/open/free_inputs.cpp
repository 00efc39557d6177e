// Tables and constants for inputs that nothing is connected to.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "seam/base/names.hpp"
#include "seam/engine/open/completion.hpp"
#include "seam/load/assemble.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/column_names.hpp"
#include "seam/system/resolve.hpp"

namespace seam::engine {
namespace {

namespace fs = std::filesystem;
using system::Subsystem;
using system::SystemDescription;

/// The port that a path names, or null.
const system::Port* find_input(const SystemDescription& description, const std::string& path) {
  const int index = system::find_subsystem(description, path);
  if (index < 0) return nullptr;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  const std::string port = path.substr(subsystem.name.size() + 1);
  const auto found = std::ranges::find(subsystem.inputs, port, &system::Port::name);
  return found == subsystem.inputs.end() ? nullptr : &*found;
}

system::Setting text_setting(const std::string& name, const std::string& text, const base::Location& where) {
  system::Setting setting;
  setting.name = name;
  setting.value.kind = system::Value::Kind::text;
  setting.value.text = text;
  setting.where = setting.value.where = where;
  return setting;
}

/// One that is linear between the rows, and one that keeps the value of the last row for inputs that are not
/// continuous.
std::vector<Subsystem> table_sources(const SystemDescription& description, base::Problems& problems) {
  const system::FreeInputs& inputs = description.experiment.inputs;
  Subsystem source;
  source.name = "input-file";
  source.origin = system::BuiltInModel{"csv", inputs.where};
  source.where = inputs.where;
  source.set.push_back(text_setting("file", inputs.file, source.where));
  source.set.push_back(text_setting("interpolate", "linear", source.where));
  SystemDescription alone;
  alone.folder = description.folder;
  alone.opened_folders = description.opened_folders;
  alone.subsystems.push_back(std::move(source));
  load::describe(alone, problems);
  std::vector<Subsystem> sources(2, alone.subsystems.front());
  sources[1].name = "input-file-held";
  sources[1].set.back() = text_setting("interpolate", "hold", inputs.where);
  return sources;
}

system::Connection straight(const std::string& to, const base::Location& where) {
  system::Connection connection;
  connection.to = {to, -1, -1, where};
  connection.where = where;
  return connection;
}

/// From a column of the table to the inputs of that name; empty if there are none.
std::vector<system::Connection> ways_of(const system::Port& column, const std::string& name,
                                        const SystemDescription& description, const base::Location& where) {
  if (find_input(description, name)) return {straight(name, where)};
  std::vector<system::Connection> ways = ways_from(name, description);
  for (system::Connection& way : ways) {
    // The unit that the column has is the one that counts; a chain of transformations begins with that of the
    // connector.
    if (!column.unit.empty() && way.units == system::UnitConversion::automatic) way.from_unit.clear();
    way.where = way.to.where = where;
  }
  const bool only_fmus = !description.where.source;
  if (!ways.empty() || !only_fmus) return ways;
  const std::string of_first = description.subsystems.front().name + "." + name;
  if (find_input(description, of_first)) ways.push_back(straight(of_first, where));
  return ways;
}

/// The columns of a table, and the inputs they feed.
class Feeding {
 public:
  Feeding(const SystemDescription& description, const Subsystem& table, base::Problems& problems)
      : description_(description), inputs_(description.experiment.inputs), problems_(problems), names_(all_inputs()) {
    for (const system::Connection& connection : description.connections) connected_.insert(connection.to.text);
    std::vector<std::string> columns;
    for (const system::Port& column : table.outputs) columns.push_back(column.name);
    for (const auto& [column, why] : table.left_out) columns.push_back(column);
    for (const std::string& pair : inputs_.map.unused(columns))
      problems_.add(inputs_.where, fmt::format("--map {}: the table has no such column", pair),
                    base::did_you_mean(pair.substr(0, pair.find('=')), columns));
  }

  /// Empty, and noted, if it feeds nothing.
  std::vector<system::Connection> ways(const system::Port& column) {
    const std::optional<std::string> told = inputs_.map.find(column.name);
    std::vector<system::Connection> ways = ways_of(column, told.value_or(column.name), description_, inputs_.where);
    if (ways.empty() && told) unknown(*told, fmt::format("--map: there is no input \"{}\"", *told));
    if (ways.empty() && !told) ways = by_another_name(column);
    const bool taken = std::ranges::any_of(ways, [&](const auto& way) { return connected_.contains(way.to.text); });
    if (taken)
      note(column.name, " (connected)",
           fmt::format("the column \"{}\" is for an input that is connected", column.name));
    if (ways.empty()) note(column.name, "", fmt::format("the column \"{}\" names no input", column.name));
    return taken ? std::vector<system::Connection>{} : ways;
  }

  /// A column that cannot be used, although an input has its name.
  void refuse(const std::string& column, const std::string& why) {
    if (!ways_of({.name = column, .unit = {}, .start = {}}, inputs_.map.find(column).value_or(column), description_,
                 inputs_.where)
             .empty())
      problems_.add(inputs_.where, fmt::format("the column \"{}\" cannot be used: {}", column, why));
  }

  /// What was not used: a notice, or a problem if nothing was.
  void finish(bool any_used, std::vector<std::string>& notices) {
    if (unused_.empty()) return;
    if (!any_used && problems_.empty()) unknown(first_, why_first_);
    constexpr std::size_t shown = 8;
    const std::size_t all = unused_.size();
    if (all > shown) unused_.resize(shown);
    notices.push_back(fmt::format("{} column{} of {} feed{} no input: {}{}", all, all == 1 ? "" : "s", inputs_.file,
                                  all == 1 ? "s" : "", fmt::join(unused_, ", "), all > shown ? ", …" : ""));
  }

 private:
  std::vector<std::string> all_inputs() {
    for (const Subsystem& subsystem : description_.subsystems) {
      for (const system::Port& port : subsystem.inputs) known_.push_back(subsystem.name + "." + port.name);
    }
    for (const system::PortAlias& alias : description_.aliases) {
      for (const system::Connection& way : alias.ways) known_.push_back(way.from.text);
    }
    return known_;
  }

  /// a.u as u, model.root.a.u or a::u, where only one can be meant.
  std::vector<system::Connection> by_another_name(const system::Port& column) {
    std::vector<std::string> meant;
    for (const std::size_t i : names_.find(column.name)) meant.push_back(known_[i]);
    std::ranges::sort(meant);
    meant.erase(std::unique(meant.begin(), meant.end()), meant.end());
    if (meant.size() > 1)
      problems_.add(inputs_.where, fmt::format("the column \"{}\" may be {}", column.name, fmt::join(meant, " or ")),
                    fmt::format("say which: --map {}={}", column.name, meant.front()));
    if (meant.size() != 1) return {};
    return ways_of(column, meant.front(), description_, inputs_.where);
  }

  void note(const std::string& column, const char* remark, std::string why) {
    if (unused_.empty()) {
      first_ = column;
      why_first_ = std::move(why);
    }
    unused_.push_back(column + remark);
  }
  void unknown(const std::string& name, std::string what) {
    problems_.add(inputs_.where, std::move(what), base::did_you_mean(name, known_));
  }

  const SystemDescription& description_;
  const system::FreeInputs& inputs_;
  base::Problems& problems_;
  std::vector<std::string> known_;
  system::VariableNames names_;
  std::set<std::string> connected_;
  std::vector<std::string> unused_;
  std::string first_, why_first_;
};

}  // namespace

void take_input_file(const std::string& file, SystemDescription& description) {
  system::FreeInputs& inputs = description.experiment.inputs;
  inputs.where = {std::make_shared<base::Source>(base::Source{"--input-file", {file}}), 1, 1,
                  static_cast<int>(file.size())};
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  const fs::path below = path.lexically_normal().lexically_relative(
      fs::absolute(description.folder.empty() ? "." : description.folder, error).lexically_normal());
  const bool inside = !below.empty() && load::stays_below(below.string());
  inputs.file = inside ? below.string() : path.string();
  description.opened_folders.push_back(path.parent_path().string());  // the user named it, so it may be read
}

void set_free_inputs(SystemDescription& description) {
  system::FreeInputs& inputs = description.experiment.inputs;
  if (inputs.values.empty()) return;
  system::Event event;
  event.kind = system::EventKind::set;
  event.from = event.to = description.experiment.start;
  event.targets = std::move(inputs.values);
  event.where = inputs.where;
  inputs.values.clear();
  auto& events = description.experiment.events;
  events.insert(events.begin(), std::move(event));  // other events at the start come later, and win
}

void feed_free_inputs(SystemDescription& description, base::Problems& problems) {
  system::FreeInputs& inputs = description.experiment.inputs;
  if (inputs.file.empty() || description.subsystems.empty()) return;
  const std::vector<Subsystem> sources = table_sources(description, problems);
  std::vector<system::Connection> connections[2];
  Feeding feeding(description, sources.front(), problems);
  for (const auto& [column, why] : sources.front().left_out) feeding.refuse(column, why);
  for (const system::Port& column : sources.front().outputs) {
    for (system::Connection& way : feeding.ways(column)) {
      const system::Port* const input = find_input(description, way.to.text);
      const std::size_t held = input && input->variability != system::Variability::continuous ? 1 : 0;
      way.from = {sources[held].name + "." + column.name, -1, -1, inputs.where};
      connections[held].push_back(std::move(way));
    }
  }
  feeding.finish(!connections[0].empty() || !connections[1].empty(), description.notices);
  for (std::size_t i = 0; i < 2; ++i) {
    if (connections[i].empty()) continue;
    description.subsystems.push_back(sources[i]);
    description.connections.insert(description.connections.end(), connections[i].begin(), connections[i].end());
  }
  inputs = {};
}

}  // namespace seam::engine
