#include "seam/load/system_file.hpp"

#include <algorithm>
#include <set>

#include "seam/base/names.hpp"
#include "seam/load/kinds.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using Shared = std::shared_ptr<const Node>;

/// Whether the key says what a subsystem is.
bool is_kind(const std::string& key) {
  return key == "udp" || std::ranges::any_of(kinds(), [&](const Kind& kind) { return kind.key == key; });
}

/// What follows the arrow, "b.{x, y}" as b.x and b.y.
std::vector<std::string> sinks_of_text(std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return {};
  const std::string_view sink = trimmed(text.substr(arrow + 2));
  const std::size_t open = sink.find('{'), close = sink.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {std::string(sink)};
  std::vector<std::string> sinks;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(sink.find(',', at), close);
    sinks.push_back(std::string(sink.substr(0, open)).append(trimmed(sink.substr(at, end - at))));
    at = end + 1;
  }
  return sinks;
}

/// The sinks of one entry of `connections`; of a bond its name, which no sink can have.
std::vector<std::string> names_of(const Node& connection) {
  if (connection.kind == Node::Kind::scalar) return sinks_of_text(connection.text);
  const Node* to = connection.find("to");
  if (to && to->kind == Node::Kind::scalar) return {std::string(trimmed(to->text))};
  const Node* bond = connection.find("bond");
  return bond && bond->kind == Node::Kind::scalar ? std::vector{"bond " + bond->text} : std::vector<std::string>{};
}

bool removes(const Node& connection) {
  const Node* from = connection.find("from");
  return from && from->kind == Node::Kind::null;
}

/// Connections of the file that the design does not replace, then those of the design.
Shared merged_connections(const Node& file, const Node& design, base::Problems& problems) {
  std::set<std::string> replaced;
  for (const Shared& connection : design.items) {
    for (std::string& name : names_of(*connection)) replaced.insert(std::move(name));
  }
  const auto merged = std::make_shared<Node>(file);
  merged->kind = Node::Kind::sequence;
  merged->items.clear();
  for (const Shared& connection : file.items) {
    const std::vector<std::string> names = names_of(*connection);
    const auto count = std::ranges::count_if(names, [&](const auto& name) { return replaced.count(name); });
    if (count == 0) {
      merged->items.push_back(connection);
    } else if (static_cast<std::size_t>(count) < names.size()) {
      problems.add(connection->where, "a design replaces some of these connections and keeps the others",
                   "give those that it replaces a line of their own");
    }
  }
  for (const Shared& connection : design.items) {
    if (!removes(*connection)) merged->items.push_back(connection);
  }
  return merged;
}

Shared merged(const Shared& file, const Shared& design, base::Problems& problems);

void merge_entry(Node& file, const Node::Entry& change, base::Problems& problems) {
  const auto found = std::ranges::find(file.entries, change.key, &Node::Entry::key);
  if (change.value->kind == Node::Kind::null) {
    if (found != file.entries.end()) file.entries.erase(found);
  } else if (found == file.entries.end()) {
    file.entries.push_back(change);
  } else if (change.key == "connections" && change.value->kind == Node::Kind::sequence &&
             found->value->kind == Node::Kind::sequence) {
    found->value = merged_connections(*found->value, *change.value, problems);
  } else {
    *found = {change.key, change.key_where, merged(found->value, change.value, problems)};
  }
}

Shared merged(const Shared& file, const Shared& design, base::Problems& problems) {
  if (file->kind != Node::Kind::map || design->kind != Node::Kind::map) return design;
  const auto result = std::make_shared<Node>(*file);
  const bool another_kind =
      std::ranges::any_of(design->entries, [](const Node::Entry& entry) { return is_kind(entry.key); });
  if (another_kind) std::erase_if(result->entries, [](const Node::Entry& entry) { return is_kind(entry.key); });
  for (const Node::Entry& change : design->entries) merge_entry(*result, change, problems);
  return result;
}

}  // namespace

std::vector<std::string> design_names(const Node& root) {
  std::vector<std::string> names;
  const Node* designs = root.find("designs");
  if (!designs || designs->kind != Node::Kind::map) return names;
  for (const Node::Entry& entry : designs->entries) names.push_back(entry.key);
  return names;
}

std::shared_ptr<const Node> with_design(const std::shared_ptr<const Node>& root, const std::string& name,
                                        base::Problems& problems) {
  const Node* designs = root->find("designs");
  const auto found = designs ? std::ranges::find(designs->entries, name, &Node::Entry::key)
                             : std::vector<Node::Entry>::const_iterator{};
  if (!designs || found == designs->entries.end()) {
    problems.add({}, "there is no design \"" + name + "\"",
                 designs ? base::did_you_mean(name, design_names(*root)) : "the file has no designs");
    return root;
  }
  if (!expect(*found->value, Node::Kind::map, "the design \"" + name + "\"", problems)) return root;
  check_keys(*found->value, "a design", {{"description", "subsystems", "connections", "experiment", "plan", "record"}},
             problems);
  return merged(root, found->value, problems);
}

}  // namespace seam::load
