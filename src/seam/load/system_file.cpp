#include "seam/load/system_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/kinds.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::Subsystem;

const Keys file_keys{
    {"seam", "name", "description", "subsystems", "connections", "experiment", "plan", "record", "units", "designs"}};
}  // namespace

void check_version(const Node& root, base::Problems& problems) {
  const Node* version = root.find("seam");
  if (!version) {
    problems.add(root.where, "the file does not say which version of the format it is in", "begin it with  seam: 1");
  } else if (version->kind != Node::Kind::scalar || version->text != "1") {
    const std::string text = version->kind == Node::Kind::scalar ? "\"" + version->text + "\""
                                                                 : std::string(formats::kind_name(version->kind));
    problems.add(version->where, fmt::format("format version {} is not known", text), "this program reads  seam: 1");
  }
}

namespace {

Keys subsystem_keys() {
  Keys keys{{}, {"udp", "probe", "variants"}};
  for (const Kind& kind : kinds()) keys.known.push_back(kind.key);
  keys.known.push_back("set");
  for (const Kind& kind : kinds()) keys.known.insert(keys.known.end(), kind.keys.begin(), kind.keys.end());
  return keys;
}

/// What the subsystem is: one of the kinds.
void read_kind(const Node& map, const Reach& reach, Subsystem& subsystem, base::Problems& problems) {
  std::vector<const Kind*> named;
  for (const Kind& kind : kinds()) {
    if (map.find(kind.key)) named.push_back(&kind);
  }
  if (named.empty()) {
    if (!map.find("udp"))
      problems.add(subsystem.where, fmt::format("\"{}\" does not say what it is", subsystem.name),
                   "give it a model: NAME, an fmu: FILE or a system: FILE");
    return;
  }
  const Kind& kind = *named.front();
  kind.read(map, reach, subsystem, problems);
  if (named.size() > 1) {
    problems.add(map.find(kind.key)->where,
                 fmt::format("\"{}\" is both {} and {}", subsystem.name, kind.one, named[1]->one),
                 "give it one of the two");
    return;
  }
  for (const Node::Entry& entry : map.entries) {
    for (const Kind& other : kinds()) {
      const bool is_its = std::ranges::find(other.keys, entry.key) != other.keys.end();
      if (is_its && &other != &kind)
        problems.add(entry.value->where, fmt::format("\"{}\" is for {}, and \"{}\" is {}", entry.key, other.many,
                                                     subsystem.name, kind.one));
    }
  }
}

}  // namespace

Subsystem read_subsystem(const Node::Entry& entry, const Reach& reach, base::Problems& problems) {
  Subsystem subsystem;
  subsystem.name = entry.key;
  subsystem.where = entry.key_where;
  const Node& map = *entry.value;
  if (!expect(map, Node::Kind::map, fmt::format("the subsystem \"{}\"", entry.key), problems)) return subsystem;
  check_keys(map, "a subsystem", subsystem_keys(), problems);
  read_kind(map, reach, subsystem, problems);
  if (const Node* set = map.find("set")) subsystem.set = read_settings(*set, "set", problems);
  return subsystem;
}

namespace {

std::vector<Subsystem> read_subsystems(const Node& root, const Reach& reach, base::Problems& problems) {
  std::vector<Subsystem> subsystems;
  const Node* node = root.find("subsystems");
  if (!node || node->kind == Node::Kind::null) {
    problems.add(node ? node->where : root.where, "the file has no subsystems",
                 "write  subsystems:  and below it a line  NAME: {model: MODEL}  for each");
    return subsystems;
  }
  if (!expect(*node, Node::Kind::map, "subsystems", problems)) return subsystems;
  for (const Node::Entry& entry : node->entries) subsystems.push_back(read_subsystem(entry, reach, problems));
  return subsystems;
}

/// units: {NAME: {base: {s: -1, rad: 1}, factor: 0.1, offset: 0}}
std::vector<system::UnitDefinition> read_units(const Node& node, base::Problems& problems) {
  static const std::vector<std::string> symbols{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::vector<system::UnitDefinition> units;
  if (!expect(node, Node::Kind::map, "units", problems)) return units;
  for (const Node::Entry& entry : node.entries) {
    const Node& value = *entry.value;
    if (!expect(value, Node::Kind::map, fmt::format("the unit \"{}\"", entry.key), problems)) continue;
    check_keys(value, "a unit", {{"base", "factor", "offset"}}, problems);
    system::UnitDefinition definition{entry.key, {}};
    if (const Node* factor = value.find("factor")) {
      definition.unit.factor = read_finite(*factor, "factor", problems).value_or(1.0);
      if (definition.unit.factor == 0.0) problems.add(factor->where, "the factor of a unit cannot be 0");
    }
    if (const Node* offset = value.find("offset"))
      definition.unit.offset = read_finite(*offset, "offset", problems).value_or(0.0);
    const Node* base = value.find("base");
    if (base && expect(*base, Node::Kind::map, "base", problems)) {
      check_keys(*base, "the base of a unit", {symbols}, problems);
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Node* exponent = base->find(symbols[i]);
        if (!exponent) continue;
        const double number = read_finite(*exponent, symbols[i], problems).value_or(0.0);
        if (number != std::floor(number) || std::abs(number) > 99.0)
          problems.add(exponent->where, "an exponent is a whole number");
        else
          definition.unit.exponents[i] = static_cast<int>(number);
      }
    }
    units.push_back(std::move(definition));
  }
  return units;
}

std::string optional_text(const Node& root, std::string_view key, std::string otherwise, base::Problems& problems) {
  const Node* node = root.find(key);
  if (!node) return otherwise;
  return read_text(*node, key, problems).value_or(std::move(otherwise));
}

// A text that may be empty.
bool may_be_empty(const Node& node, std::string_view what, base::Problems& problems) {
  return node.kind == Node::Kind::null || expect(node, Node::Kind::scalar, what, problems);
}

}  // namespace

std::optional<system::SystemDescription> read_system_text(std::string text, const std::string& path,
                                                          base::Problems& problems, const FileOptions& options) {
  std::shared_ptr<const Node> root = formats::read_yaml(std::move(text), path, problems);
  if (!root) return std::nullopt;
  if (root->kind != Node::Kind::map) {
    problems.add(root->where, fmt::format("a system file is a map, and this is {}", formats::kind_name(root->kind)),
                 "begin it with  seam: 1");
    return std::nullopt;
  }
  check_version(*root, problems);
  check_keys(*root, "a system file", file_keys, problems);
  const std::vector<std::string> designs = design_names(*root);
  if (!options.design.empty()) root = with_design(root, options.design, problems);
  const std::filesystem::path file(path);
  system::SystemDescription description;
  description.where = root->where;
  description.designs = designs;
  description.name = optional_text(*root, "name", file.stem().string(), problems);
  const Node* remark = root->find("description");
  if (remark && may_be_empty(*remark, "description", problems)) description.description = remark->text;
  description.folder = file.has_parent_path() ? file.parent_path().string() : ".";
  description.opened_folders = options.opened_folders;
  description.subsystems =
      read_subsystems(*root, {description.folder, options.opened_folders, options.elsewhere}, problems);
  if (const Node* node = root->find("units")) description.units = read_units(*node, problems);
  if (const Node* node = root->find("connections")) read_connections(*node, description, problems);
  apply(merged(sections_of(*root), options.plan), description, problems);
  return description;
}

std::optional<system::SystemDescription> read_system_file(const std::string& path, base::Problems& problems,
                                                          const FileOptions& options) {
  try {
    return read_system_text(formats::read_text(path), path, problems, options);
  } catch (const base::Error& error) {
    problems.add(base::Location{}, error.what());
    return std::nullopt;
  }
}

}  // namespace seam::load
