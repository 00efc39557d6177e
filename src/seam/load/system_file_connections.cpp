// connections: "a.y -> b.u", "a.{x, y} -> b.{x, y}", the long form {from, to, gain, offset, unit}, and bonds of two.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::Connection;
using system::PortPath;
using Units = std::vector<system::UnitDefinition>;

const Keys long_form_keys{{"from", "to", "gain", "offset", "unit", "map"}};
constexpr std::string_view arrow = "->";
constexpr const char* bond_example =
    "write  {bond: name, effort: a.force -> b.force, flow: b.velocity -> a.velocity, positive: a -> b}";

// A part of a scalar: its text, and where it begins in the scalar.
struct Part {
  std::string_view text;
  std::size_t offset = 0;
};

Part trimmed_part(Part part) {
  const std::string_view inner = trimmed(part.text);
  if (inner.empty()) return {inner, part.offset};
  return {inner, part.offset + static_cast<std::size_t>(inner.data() - part.text.data())};
}

std::optional<std::pair<Part, Part>> split_at_arrow(const Node& node, std::string_view example,
                                                    base::Problems& problems) {
  const std::string_view text = node.text;
  const std::size_t at = text.find(arrow);
  if (at == std::string_view::npos || text.find(arrow, at + arrow.size()) != std::string_view::npos) {
    problems.add(node.where, fmt::format("\"{}\" must have one arrow", text.substr(0, 80)),
                 fmt::format("write  {}", example));
    return std::nullopt;
  }
  const Part left = trimmed_part({text.substr(0, at), 0});
  const Part right = trimmed_part({text.substr(at + arrow.size()), at + arrow.size()});
  if (!left.text.empty() && !right.text.empty()) return std::pair{left, right};
  problems.add(node.where, fmt::format("\"{}\" has nothing on one side of its arrow", text.substr(0, 80)),
               fmt::format("write  {}", example));
  return std::nullopt;
}

// "a.{x, y}" as a.x and a.y; a path without braces as itself. Empty after a problem.
std::vector<PortPath> expand(const Node& node, const Part& side, base::Problems& problems) {
  const std::size_t open = side.text.find('{');
  const base::Location where = within(node, side.offset, side.text.size());
  if (open == std::string_view::npos) return {{std::string(side.text), -1, -1, where}};
  const std::size_t close = side.text.find('}', open);
  if (close == std::string_view::npos || side.text.find('{', open + 1) != std::string_view::npos) {
    problems.add(where, "a brace is not closed, or there is more than one pair", "write  subsystem.{port, port}");
    return {};
  }
  const std::string_view before = side.text.substr(0, open), after = side.text.substr(close + 1);
  std::vector<PortPath> paths;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(side.text.find(',', at), close);
    const Part item = trimmed_part({side.text.substr(at, end - at), side.offset + at});
    const base::Location item_where = within(node, item.offset, item.text.size());
    if (item.text.empty()) {
      problems.add(item_where, "a name is missing between the braces");
      return {};
    }
    paths.push_back({fmt::format("{}{}{}", before, item.text, after), -1, -1, item_where});
    at = end + 1;
  }
  return paths;
}

void add_short_form(const Node& node, std::vector<Connection>& connections, base::Problems& problems) {
  const auto sides = split_at_arrow(node, "subsystem.output -> subsystem.input", problems);
  if (!sides) return;
  const std::vector<PortPath> from = expand(node, sides->first, problems);
  const std::vector<PortPath> to = expand(node, sides->second, problems);
  if (from.empty() || to.empty()) return;
  if (from.size() != to.size()) {
    problems.add(node.where, fmt::format("{} on the left of the arrow, {} on the right", from.size(), to.size()),
                 "name as many sources as sinks");
    return;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    Connection connection;
    connection.from = from[i];
    connection.to = to[i];
    connection.where = node.where;
    connections.push_back(std::move(connection));
  }
}

std::optional<PortPath> read_path(const Node& node, std::string_view key, base::Problems& problems) {
  const Node* path = node.find(key);
  if (!path) {
    problems.add(node.where, fmt::format("the connection does not say \"{}\"", key),
                 "write  {from: subsystem.output, to: subsystem.input}");
    return std::nullopt;
  }
  const std::optional<std::string> text = read_text(*path, key, problems);
  if (!text) return std::nullopt;
  return PortPath{*text, -1, -1, path->where};
}

/// A whole number, or a Boolean as 0 and 1.
std::optional<std::int64_t> read_whole(const std::string& text) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// map: {1: 3, 2: 0}
std::vector<system::MapEntry> read_map(const Node& node, base::Problems& problems) {
  std::vector<system::MapEntry> map;
  if (!expect(node, Node::Kind::map, "map", problems)) return map;
  for (const Node::Entry& entry : node.entries) {
    if (!expect(*entry.value, Node::Kind::scalar, "what a number becomes", problems)) continue;
    const auto from = read_whole(entry.key), to = read_whole(entry.value->text);
    if (from && to) {
      map.push_back({*from, *to});
      continue;
    }
    problems.add(from ? entry.value->where : entry.key_where, "a map translates whole numbers, or true and false",
                 "write  map: {1: 3, 2: 0}");
  }
  return map;
}

std::string read_unit(const Node& node, const Part& part, const Units& units, base::Problems& problems) {
  const bool defined = std::ranges::any_of(units, [&](const auto& definition) { return definition.name == part.text; });
  if (!defined && !system::parse_unit(part.text)) {
    problems.add(within(node, part.offset, part.text.size()), fmt::format("\"{}\" is not a known unit", part.text),
                 "units are written as N.m, m/s2, J/(kg.K), degC");
  }
  return std::string(part.text);
}

/// unit: degC -> K, or unit: as-is.
void read_units(const Node& unit, Connection& connection, const Units& units, base::Problems& problems) {
  if (!expect(unit, Node::Kind::scalar, "unit", problems)) return;
  connection.unit_where = unit.where;
  if (unit.text == "as-is") {
    connection.units = system::UnitConversion::suppressed;
  } else if (const auto sides = split_at_arrow(unit, "unit: degC -> K, or unit: as-is", problems)) {
    connection.from_unit = read_unit(unit, sides->first, units, problems);
    connection.to_unit = read_unit(unit, sides->second, units, problems);
  }
}

void add_long_form(const Node& node, const Units& units, std::vector<Connection>& connections,
                   base::Problems& problems) {
  check_keys(node, "a connection", long_form_keys, problems);
  const std::optional<PortPath> from = read_path(node, "from", problems), to = read_path(node, "to", problems);
  Connection connection;
  connection.where = from ? from->where : node.where;
  if (const Node* gain = node.find("gain")) connection.gain = read_finite(*gain, "gain", problems).value_or(1.0);
  if (const Node* offset = node.find("offset"))
    connection.offset = read_finite(*offset, "offset", problems).value_or(0.0);
  if (const Node* unit = node.find("unit")) read_units(*unit, connection, units, problems);
  if (const Node* map = node.find("map")) connection.map = read_map(*map, problems);
  if (!from || !to) return;
  connection.from = *from;
  connection.to = *to;
  connections.push_back(std::move(connection));
}

/// The effort or the flow of a bond, in either form; none after a problem.
std::optional<Connection> read_half(const Node& bond, std::string_view key, const Units& units,
                                    base::Problems& problems) {
  const Node* half = bond.find(key);
  std::vector<Connection> found;
  if (!half) {
    problems.add(bond.where, fmt::format("the bond does not say \"{}\"", key), bond_example);
  } else if (half->kind == Node::Kind::map) {
    add_long_form(*half, units, found, problems);
  } else if (expect(*half, Node::Kind::scalar, key, problems)) {
    add_short_form(*half, found, problems);
    if (found.size() > 1) problems.add(half->where, fmt::format("the {} of a bond is one connection", key));
  }
  if (found.size() != 1) return std::nullopt;
  return std::move(found.front());
}

/// A bond without its two connections: name and sign.
system::Bond read_bond(const Node& node, base::Problems& problems) {
  check_keys(node, "a bond", {{"bond", "effort", "flow", "positive"}}, problems);
  system::Bond bond;
  const Node* name = node.find("bond");
  bond.where = name ? name->where : node.where;
  if (!name) {
    problems.add(node.where, "the bond has no name", bond_example);
  } else {
    bond.name = read_text(*name, "bond", problems).value_or("");
  }
  if (const Node* positive = node.find("positive");
      positive && expect(*positive, Node::Kind::scalar, "positive", problems)) {
    bond.positive_where = positive->where;
    if (const auto sides = split_at_arrow(*positive, "positive: giver -> receiver", problems))
      bond.positive.emplace(sides->first.text, sides->second.text);
  }
  return bond;
}

void add_bond(const Node& node, system::SystemDescription& description, base::Problems& problems) {
  system::Bond bond = read_bond(node, problems);
  auto effort = read_half(node, "effort", description.units, problems);
  auto flow = read_half(node, "flow", description.units, problems);
  if (!effort || !flow) return;
  bond.effort = static_cast<int>(description.connections.size());
  bond.flow = bond.effort + 1;
  description.connections.push_back(std::move(*effort));
  description.connections.push_back(std::move(*flow));
  description.bonds.push_back(std::move(bond));
}

}  // namespace

void read_connections(const Node& node, system::SystemDescription& description, base::Problems& problems) {
  if (!expect(node, Node::Kind::sequence, "connections", problems)) return;
  for (const auto& item : node.items) {
    if (item->kind != Node::Kind::map) {
      if (expect(*item, Node::Kind::scalar, "a connection", problems))
        add_short_form(*item, description.connections, problems);
    } else if (item->find("line")) {
      problems.add(item->where, "\"line\" is not yet supported");
    } else if (item->find("bond")) {
      add_bond(*item, description, problems);
    } else {
      add_long_form(*item, description.units, description.connections, problems);
    }
  }
}

void read_bonds(const Node& node, system::SystemDescription& description, base::Problems& problems) {
  if (!expect(node, Node::Kind::sequence, "bonds", problems)) return;
  for (const auto& item : node.items) {
    if (!expect(*item, Node::Kind::map, "a bond", problems)) continue;
    system::Bond bond = read_bond(*item, problems);
    for (const char* key : {"effort", "flow"}) {
      const Node* half = item->find(key);
      if (half && half->kind == Node::Kind::map)  // it cannot alter what is there
        check_keys(*half, "a connection that a plan file names", {{"from", "to"}}, problems);
    }
    const auto effort = read_half(*item, "effort", {}, problems), flow = read_half(*item, "flow", {}, problems);
    if (!effort || !flow) continue;
    bond.effort_ends = {effort->from, effort->to};
    bond.flow_ends = {flow->from, flow->to};
    description.bonds.push_back(std::move(bond));
  }
}

}  // namespace seam::load
