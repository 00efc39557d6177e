// events: {at, set}, {from, to, override}, {from, to, ramp}; in a system file or in a scenario file of their own.
#include <fmt/format.h>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::Event;
using system::EventKind;

const Keys event_keys{{"at", "from", "to", "set", "override", "ramp"}};
const Keys scenario_keys{{"seam", "events"}};
constexpr const char* examples =
    "write  {at: 2 s, set: {a.u: 1}},  {from: 2 s, to: 3 s, override: {a.u: 1}}  or  "
    "{from: 2 s, to: 3 s, ramp: {a.u: [0, 1]}}";

struct KindWord {
  EventKind kind;
  const char* word;
};
constexpr KindWord kinds[] = {{EventKind::set, "set"}, {EventKind::replace, "override"}, {EventKind::ramp, "ramp"}};

/// What an event does; none, with a problem, unless it does exactly one thing.
const KindWord* kind_of(const Node& node, base::Problems& problems) {
  const KindWord* found = nullptr;
  for (const KindWord& kind : kinds) {
    const Node* const action = node.find(kind.word);
    if (!action) continue;
    if (found) {
      problems.add(action->where,
                   fmt::format("an event does one thing, and this one does {} and {}", found->word, kind.word),
                   "make two events of it");
      return nullptr;
    }
    found = &kind;
  }
  if (!found) problems.add(node.where, "this event does nothing", examples);
  return found;
}

double read_event_time(const Node& node, const char* key, const char* word, base::Problems& problems) {
  const Node* const time = node.find(key);
  if (!time) {
    problems.add(node.where, fmt::format("this {} does not say {}", word, key), examples);
    return 0.0;
  }
  return read_time(*time, key, problems).value_or(0.0);
}

void read_times(const Node& node, const KindWord& kind, Event& event, base::Problems& problems) {
  const bool lasts = kind.kind != EventKind::set;
  for (const char* key : {"at", "from", "to"}) {
    const Node* const time = node.find(key);
    if (!time || (std::string_view(key) != "at") == lasts) continue;
    problems.add(time->where,
                 lasts ? fmt::format("a {} lasts from one time to another: it has no at", kind.word)
                       : fmt::format("a set happens at one time and stays: it has no {}", key),
                 examples);
  }
  const std::size_t before = problems.size();
  event.from = read_event_time(node, lasts ? "from" : "at", kind.word, problems);
  event.to = lasts ? read_event_time(node, "to", kind.word, problems) : event.from;
  if (problems.size() > before || !lasts || event.to > event.from) return;
  problems.add(node.find("to")->where, fmt::format("to ({} s) must be later than from ({} s)", event.to, event.from));
}

void read_action(const Node& map, const char* word, Event& event, base::Problems& problems) {
  if (!expect(map, Node::Kind::map, word, problems)) return;
  if (map.entries.empty()) problems.add(map.where, fmt::format("{} names no variable", word), examples);
  event.targets = read_targets(map, problems);
}

}  // namespace

std::vector<system::EventTarget> read_targets(const Node& map, base::Problems& problems) {
  std::vector<system::EventTarget> targets;
  for (const Node::Entry& entry : map.entries) {
    system::EventTarget target;
    target.path = entry.key;
    target.value = read_value(*entry.value, problems);
    target.where = entry.key_where;
    targets.push_back(std::move(target));
  }
  return targets;
}

std::vector<Event> read_events(const Node& node, base::Problems& problems) {
  std::vector<Event> events;
  if (!expect(node, Node::Kind::sequence, "events", problems)) return events;
  for (const auto& item : node.items) {
    if (!expect(*item, Node::Kind::map, "an event", problems)) continue;
    check_keys(*item, "an event", event_keys, problems);
    const KindWord* const kind = kind_of(*item, problems);
    if (!kind) continue;
    Event event;
    event.kind = kind->kind;
    event.where = item->where;
    read_times(*item, *kind, event, problems);
    read_action(*item->find(kind->word), kind->word, event, problems);
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<Event> read_scenario_file(const std::string& path, base::Problems& problems) {
  std::string text;
  try {
    text = formats::read_text(path);
  } catch (const base::Error& error) {
    problems.add(base::Location{}, error.what());
    return {};
  }
  const std::shared_ptr<const Node> root = formats::read_yaml(std::move(text), path, problems);
  if (!root || !expect(*root, Node::Kind::map, "a scenario file", problems)) return {};
  check_version(*root, problems);
  check_keys(*root, "a scenario file", scenario_keys, problems);
  const Node* const events = root->find("events");
  if (!events) problems.add(root->where, "the scenario has no events", examples);
  return events ? read_events(*events, problems) : std::vector<Event>();
}

}  // namespace seam::load
