#include "seam/engine/run/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "seam/base/names.hpp"

namespace seam::engine {
namespace {

using assembly::Observable;
using stepping::Direction;
using Group = Observable::Group;

/// Not so another name of a port.
bool is_port(const Observable& v) { return (v.group == Group::output || v.group == Group::input) && !v.is_alias; }

/// Binaries are recorded only if they are named.
bool is_bulky(const system::Port& port) { return port.type == system::PortType::binary; }

/// SUBSYSTEM.locals and its like: the word behind the last dot, and what it stands for.
struct GroupWord {
  const char* word;
  bool (*has)(const Observable& variable);
};
constexpr std::array group_words{
    GroupWord{"locals", [](const Observable& v) { return v.group == Group::local; }},
    GroupWord{"parameters", [](const Observable& v) { return v.group == Group::parameter; }},
    GroupWord{"states", [](const Observable& v) { return v.is_state; }},
    GroupWord{"derivatives", [](const Observable& v) { return v.is_derivative; }},
};

const GroupWord* group_word(const std::string& pattern) {
  const auto found = std::ranges::find_if(
      group_words, [&](const GroupWord& group) { return pattern.ends_with(std::string(".") + group.word); });
  return found == group_words.end() ? nullptr : &*found;
}

/// `**` stands for all variables, `*` for ports.
bool is_for_all(const std::string& pattern) { return pattern.find("**") != std::string::npos; }

/// By its name, by a pattern of names, or as an element of the array that is named.
bool is_named(const std::string& pattern, const std::string& name) {
  return base::matches(pattern, name) || base::is_element_of(name, pattern);
}

/// The names of a member's variables against one pattern.
class NamesOfMember {
 public:
  NamesOfMember(const std::string& pattern, const std::string& member)
      : pattern_(pattern), name_(member + "."), own_(name_.size()), has_stars_(base::is_pattern(pattern)) {
    if (pattern.starts_with(name_)) rest_ = pattern.substr(own_);
  }

  /// The pattern behind the member's name; empty where it does not begin with that.
  const std::string& rest() const { return rest_; }
  bool has(const std::string& variable) {
    if (!has_stars_) return !rest_.empty() && variable[0] == rest_[0] && is_named(rest_, variable);
    if (!rest_.empty()) return is_named(rest_, variable);
    name_.resize(own_);
    return is_named(pattern_, name_ += variable);
  }

 private:
  const std::string& pattern_;
  std::string name_;
  std::size_t own_;
  bool has_stars_;
  std::string rest_;
};

/// Whether the pattern stands for all outputs, or all inputs, of a subsystem.
bool is_side(const std::string& pattern, Direction direction, const std::string& subsystem) {
  if (!pattern.ends_with(direction == Direction::output ? ".outputs" : ".inputs")) return false;
  return base::matches(pattern.substr(0, pattern.rfind('.')), subsystem);
}

/// Whether a pattern can choose anything of a member: what is literal at its begin agrees with the name.
bool may_concern(const std::string& pattern, const std::string& member) {
  const std::string_view literal = std::string_view(pattern).substr(0, pattern.find('*'));
  const std::size_t common = std::min(literal.size(), member.size());
  if (literal.substr(0, common) != std::string_view(member).substr(0, common)) return false;
  return literal.size() <= member.size() || literal[member.size()] == '.';
}

/// Matches patterns with the variables of an assembly, member by member.
class Selector {
 public:
  explicit Selector(const assembly::Assembly& assembly) : assembly_(assembly), variables_(assembly.members.size()) {
    for (std::size_t m = 0; m < assembly.members.size(); ++m) {
      selections_.emplace_back();
      selections_.back().member = static_cast<int>(m);
    }
  }

  /// Whether it chooses anything.
  bool choose(const std::string& pattern) {
    std::vector<std::size_t> concerned;
    for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
      if (may_concern(pattern, assembly_.members[m].name)) concerned.push_back(m);
    }
    bool any = false;
    for (const std::size_t m : concerned) any = choose_ports(pattern, m) || any;
    const bool missed = !base::is_pattern(pattern) && !any;
    if (!missed && !is_for_all(pattern) && !group_word(pattern)) return any;
    for (const std::size_t m : concerned) any = choose_variables(pattern, m) || any;
    return any;
  }
  /// Why a pattern chooses nothing, and what would.
  void complain(const std::string& pattern, const base::Location& where, base::Problems& problems);

  void add_port(std::size_t member, Direction direction, int port) {
    Selection& selection = selections_[member];
    (direction == Direction::output ? selection.outputs : selection.inputs).push_back(port);
  }
  void add_variable(std::size_t member, int number) {
    selections_[member].variables.push_back({number, variables(member)[static_cast<std::size_t>(number)].port});
  }
  /// All that the subsystem lists; none where it lists nothing.
  const std::vector<Observable>& variables(std::size_t member) {
    if (!variables_[member]) {
      const assembly::Subsystem* const subsystem = assembly_.members[member].subsystem.get();
      const bool lists = subsystem && subsystem->facets().observables;
      variables_[member] = lists ? subsystem->facets().observables->variables() : std::vector<Observable>{};
    }
    return *variables_[member];
  }

  /// Each variable once, in the order of its member.
  std::vector<Selection> selections() {
    const auto tidy = [](std::vector<int>& numbers) {
      if (!std::ranges::is_sorted(numbers)) std::ranges::sort(numbers);
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    };
    for (Selection& selection : selections_) {
      tidy(selection.outputs);
      tidy(selection.inputs);
      auto& variables = selection.variables;
      std::ranges::sort(variables, {}, &coupling::RecordRequest::Variable::number);
      const auto is_same = [](const auto& a, const auto& b) { return a.number == b.number; };
      variables.erase(std::unique(variables.begin(), variables.end(), is_same), variables.end());
    }
    return std::move(selections_);
  }

 private:
  std::string name_of(std::size_t member, const std::string& variable) const {
    return assembly_.members[member].name + "." + variable;
  }

  /// The ports of one side that a pattern chooses.
  std::vector<int> chosen_of(const std::string& pattern, std::size_t m, Direction direction, NamesOfMember& names) {
    const assembly::Member& member = assembly_.members[m];
    const auto& ports = direction == Direction::output ? member.outputs : member.inputs;
    const bool whole_side = is_side(pattern, direction, member.name);
    std::vector<int> chosen;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if ((whole_side && !is_bulky(ports[p])) || names.has(ports[p].name)) chosen.push_back(static_cast<int>(p));
    }
    return chosen;
  }

  bool choose_ports(const std::string& pattern, std::size_t m) {
    const assembly::Member& member = assembly_.members[m];
    NamesOfMember names(pattern, member.name);
    bool any = false;
    for (const Direction direction : {Direction::output, Direction::input}) {
      const bool output = direction == Direction::output;
      std::vector<int>& own = output ? selections_[m].outputs : selections_[m].inputs;
      const auto add = [&](const std::vector<int>& chosen) {
        own.insert(own.end(), chosen.begin(), chosen.end());
        any = any || !chosen.empty();
      };
      if (names.rest().empty()) {
        add(chosen_of(pattern, m, direction, names));
        continue;
      }
      // members of one file share their ports
      const auto [known, added] =
          chosen_.try_emplace({direction, &(output ? member.outputs : member.inputs).all(), names.rest()});
      if (added) known->second = chosen_of(pattern, m, direction, names);
      add(known->second);
    }
    return any;
  }

  bool choose_variables(const std::string& pattern, std::size_t m) {
    const GroupWord* const group = group_word(pattern);
    const bool of_group = group && base::matches(pattern.substr(0, pattern.rfind('.')), assembly_.members[m].name);
    const auto& all = variables(m);
    NamesOfMember names(pattern, assembly_.members[m].name);
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Observable& v = all[i];
      if (v.why_not || !(names.has(v.port.name) || (of_group && group->has(v) && !is_bulky(v.port)))) continue;
      any = true;
      if (!is_port(v)) {
        add_variable(m, static_cast<int>(i));
      } else if (of_group) {  // a name would have chosen it before
        choose_ports(name_of(m, v.port.name), m);
      }
    }
    return any;
  }

  const assembly::Assembly& assembly_;
  std::vector<std::optional<std::vector<Observable>>> variables_;
  std::vector<Selection> selections_;
  std::map<std::tuple<Direction, const std::vector<system::Port>*, std::string>, std::vector<int>> chosen_;
};

void Selector::complain(const std::string& pattern, const base::Location& where, base::Problems& problems) {
  std::vector<std::string> names;
  std::size_t others = 0;
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    for (const auto* ports : {&assembly_.members[m].outputs, &assembly_.members[m].inputs}) {
      for (const system::Port& port : *ports) names.push_back(name_of(m, port.name));
    }
    for (const Observable& v : variables(m)) {
      if (is_port(v)) continue;
      names.push_back(name_of(m, v.port.name));
      if (v.why_not && (names.back() == pattern || base::is_element_of(names.back(), pattern))) {
        problems.add(where, fmt::format("\"{}\" cannot be recorded: it {}", pattern, v.why_not));
        return;
      }
      if (base::matches(pattern, names.back())) ++others;
    }
  }
  std::string hint = base::did_you_mean(pattern, names);
  if (others > 0)
    hint = fmt::format("{} variables that are no ports match it: write ** instead of * to record them", others);
  problems.add(where, "no variable matches \"" + pattern + "\"", hint);
}

/// Ports that a connection ends at, or an event of the experiment changes.
using PortSet = std::set<std::pair<int, int>>;  // subsystem and port
struct UsedPorts {
  PortSet outputs, inputs, changed;
};

UsedPorts used_ports(const system::SystemDescription& description) {
  UsedPorts used;
  for (const system::Connection& connection : description.connections) {
    used.outputs.emplace(connection.from.subsystem, connection.from.port);
    used.inputs.emplace(connection.to.subsystem, connection.to.port);
  }
  for (const system::Event& event : description.experiment.events) {
    for (const system::EventTarget& target : event.targets) {
      if (target.input >= 0) used.changed.emplace(target.subsystem, target.input);
    }
  }
  return used;
}

void select_by_default(const system::SystemDescription& description, const assembly::Assembly& assembly,
                       Selector& selector) {
  const UsedPorts used = used_ports(description);
  std::vector<std::tuple<std::size_t, Direction, int>> wired, all, changed;
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    for (const Direction direction : {Direction::output, Direction::input}) {
      const bool output = direction == Direction::output;
      const auto& ports = output ? assembly.members[m].outputs : assembly.members[m].inputs;
      for (std::size_t p = 0; p < ports.size(); ++p) {
        const std::pair place{static_cast<int>(m), static_cast<int>(p)};
        all.emplace_back(m, direction, place.second);
        if ((output ? used.outputs : used.inputs).contains(place) && !is_bulky(ports[p])) wired.push_back(all.back());
        if (!output && used.changed.contains(place)) changed.push_back(all.back());
      }
    }
    if (!assembly.members[m].outputs.empty() || !has_few_locals(selector.variables(m))) continue;
    for (std::size_t i = 0; i < selector.variables(m).size(); ++i) {
      const Observable& v = selector.variables(m)[i];
      if (v.group == Group::local && !v.why_not) selector.add_variable(m, static_cast<int>(i));
    }
  }
  if (!wired.empty()) all = std::move(wired);
  all.insert(all.end(), changed.begin(), changed.end());
  for (const auto& [member, direction, port] : all) selector.add_port(member, direction, port);
}

}  // namespace

bool has_few_locals(const std::vector<Observable>& variables) {
  constexpr auto most = 1000;
  return std::ranges::count(variables, Group::local, &Observable::group) <= most;
}

std::vector<std::string> selection_notices(const system::SystemDescription& description,
                                           const assembly::Assembly& assembly) {
  std::vector<std::string> notices;
  const bool asked = std::ranges::any_of(description.record.variables_where,
                                         [](const base::Location& where) { return where.source != nullptr; });
  if (asked) return notices;
  Selector selector(assembly);
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const assembly::Member& member = assembly.members[m];
    if (member.outputs.empty() && !has_few_locals(selector.variables(m)))
      notices.push_back(fmt::format(
          "{} has no outputs, and too many local variables to record them all unasked: choose some with --variables, "
          "or all with --variables \"{}.locals\"",
          member.name, member.name));
  }
  return notices;
}

std::vector<Selection> select(const system::SystemDescription& description, const assembly::Assembly& assembly,
                              base::Problems& problems) {
  Selector selector(assembly);
  const system::RecordRequest& record = description.record;
  if (record.variables.empty()) select_by_default(description, assembly, selector);
  for (std::size_t i = 0; i < record.variables.size(); ++i) {
    if (selector.choose(record.variables[i])) continue;
    const bool has_place = i < record.variables_where.size();
    selector.complain(record.variables[i], has_place ? record.variables_where[i] : base::Location{}, problems);
  }
  return selector.selections();
}

bool chosen_by(const std::string& pattern, const std::string& port, Direction direction, const std::string& subsystem) {
  return is_named(pattern, port) || is_side(pattern, direction, subsystem);
}

}  // namespace seam::engine
