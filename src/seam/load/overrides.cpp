#include "seam/load/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "seam/base/names.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"
#include "seam/system/resolve.hpp"

namespace seam::load {
namespace {

using system::Setting;
using system::Value;
using MapEntry = std::pair<std::string, Value>;

using SourceOf = std::shared_ptr<const base::Source>;

base::Location in(const SourceOf& source, std::size_t offset, std::size_t length) {
  return {source, 1, static_cast<int>(offset) + 1, static_cast<int>(std::max<std::size_t>(length, 1))};
}

/// All of it was written in that source.
void move_to(const SourceOf& source, Value& value) {
  value.where.source = source;
  for (Value& item : value.items) move_to(source, item);
  for (auto& [key, entry] : value.entries) move_to(source, entry);
}

// The value is parsed behind blanks as long as the path, so its columns are those of the argument; only the source
// differs.
std::optional<Value> parse_value(const std::string& argument, std::size_t equals, const SourceOf& source,
                                 base::Problems& problems) {
  const std::string_view text = std::string_view(argument).substr(equals + 1);
  const std::string_view bare = trimmed(text);
  if (bare.empty() || bare.front() == '#') {
    problems.add(in(source, equals, 1), "there is no value after the equals sign",
                 "write path=value; an empty text is written \"\", and a text that begins with # is quoted");
    return std::nullopt;
  }
  base::Problems found;
  const auto node = formats::read_yaml(std::string(equals + 1, ' ').append(text), override_source, found);
  std::optional<Value> value;
  if (node) value = read_value(*node, found);
  if (value) move_to(source, *value);
  for (base::Problem problem : found.all()) {
    problem.where.source = source;
    problems.add(std::move(problem));
  }
  return value;
}

const std::string& name_of(const Setting& setting) { return setting.name; }
const std::string& name_of(const MapEntry& entry) { return entry.first; }
Value& value_of(Setting& setting) { return setting.value; }
Value& value_of(MapEntry& entry) { return entry.second; }
void append(std::vector<Setting>& settings, std::string name, Value value, const base::Location& where) {
  settings.push_back({std::move(name), std::move(value), where});
}
void append(std::vector<MapEntry>& entries, std::string name, Value value, const base::Location&) {
  entries.emplace_back(std::move(name), std::move(value));
}

// What is to be written where: the rest of the path that is still to be found, and its place in the argument.
struct Assignment {
  std::string path;
  Value value;
  base::Location where;
};

template <typename Entry>
void assign(std::vector<Entry>& entries, Assignment assignment, base::Problems& problems) {
  const auto find = [&](const std::string& name) {
    return std::ranges::find_if(entries, [&](const Entry& entry) { return name_of(entry) == name; });
  };
  if (const auto whole = find(assignment.path); whole != entries.end()) {
    value_of(*whole) = std::move(assignment.value);
    return;
  }
  const std::size_t dot = assignment.path.find('.');
  if (dot == std::string::npos) {
    append(entries, assignment.path, std::move(assignment.value), assignment.where);
    return;
  }
  const std::string first = assignment.path.substr(0, dot);
  if (find(first) == entries.end()) {
    Value map;
    map.kind = Value::Kind::map;
    map.where = assignment.where;
    append(entries, first, std::move(map), assignment.where);
  }
  Value& inner = value_of(*find(first));
  if (inner.kind != Value::Kind::map) {
    problems.add(assignment.where,
                 fmt::format("\"{}\" is not a map, so it has no entry \"{}\"", first, assignment.path.substr(dot + 1)));
    return;
  }
  assignment.path.erase(0, dot + 1);
  assign(inner.entries, std::move(assignment), problems);
}

bool has_empty_part(const std::string& path) {
  return path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos;
}

// Times that are no settings of a subsystem; false if the path names none of them.
bool assign_time(system::SystemDescription& description, const std::string& path, const Value& value,
                 base::Problems& problems) {
  if (path == "experiment.start") {
    description.experiment.start = read_time(value, path, problems).value_or(description.experiment.start);
    description.experiment.start_where = value.where;
  } else if (path == "experiment.stop") {
    description.experiment.stop = read_time(value, path, problems);
    description.experiment.stop_where = value.where;
  } else if (path == "experiment.tolerance") {
    description.experiment.tolerance = read_finite(value, path, problems);
    description.experiment.tolerance_where = value.where;
  } else if (path == "record.every") {
    description.record.every = read_time(value, path, problems);
    description.record.every_where = value.where;
  } else if (path == "plan.step") {
    read_step(value, path, description.plan, problems);
  } else {
    return false;
  }
  return true;
}

void unknown_path(const system::SystemDescription& description, const std::string& path, const base::Location& where,
                  base::Problems& problems) {
  const std::string first = path.substr(0, path.find('.'));
  if (first == "experiment" || first == "plan" || first == "record") {
    const std::vector<std::string> times{"experiment.start", "experiment.stop", "experiment.tolerance", "plan.step",
                                         "record.every"};
    problems.add(where, fmt::format("\"{}\" cannot be set", path), base::did_you_mean(path, times));
    return;
  }
  std::vector<std::string> names;
  for (const system::Subsystem& subsystem : description.subsystems) names.push_back(subsystem.name);
  if (std::ranges::find(names, path) != names.end()) {
    problems.add(where, fmt::format("\"{}\" does not say which parameter", path),
                 fmt::format("write {}.parameter=value", path));
    return;
  }
  problems.add(where, fmt::format("there is no subsystem \"{}\"", first), base::did_you_mean(first, names));
}

}  // namespace

void apply_setting(system::Subsystem& subsystem, const Setting& setting, base::Problems& problems) {
  if (!subsystem.fmu()) return assign(subsystem.set, Assignment{setting.name, setting.value, setting.where}, problems);
  std::erase_if(subsystem.set, [&](const Setting& one) { return one.name == setting.name; });
  subsystem.set.push_back(setting);
}

std::optional<Setting> read_override(const std::string& argument, base::Problems& problems) {
  const auto source = std::make_shared<const base::Source>(base::Source{override_source, {argument}});
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) {
    problems.add(in(source, 0, argument.size()), "there is no equals sign", "write path=value");
    return std::nullopt;
  }
  const std::string path(trimmed(std::string_view(argument).substr(0, equals)));
  const base::Location where = in(source, argument.find_first_not_of(" \t"), path.size());
  if (has_empty_part(path)) {
    problems.add(where, fmt::format("\"{}\" is not a path", path), "write subsystem.parameter=value");
    return std::nullopt;
  }
  auto value = parse_value(argument, equals, source, problems);
  if (!value) return std::nullopt;
  return Setting{path, std::move(*value), where};
}

void apply_override(system::SystemDescription& description, const Setting& change, base::Problems& problems) {
  const std::string& path = change.name;
  const int index = system::find_subsystem(description, path);
  if (index >= 0) {
    system::Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
    apply_setting(subsystem, {path.substr(subsystem.name.size() + 1), change.value, change.where}, problems);
  } else if (!assign_time(description, path, change.value, problems)) {
    unknown_path(description, path, change.where, problems);
  }
}

}  // namespace seam::load
