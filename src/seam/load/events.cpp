#include "seam/load/events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/load/fmu_settings.hpp"
#include "seam/load/model_catalog.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/system/resolve.hpp"

namespace seam::load {
namespace {

using fmi::Causality;
using fmi::Variability;
using fmi::Variable;
using system::Event;
using system::EventKind;
using system::EventTarget;
using system::Feed;
using system::PortType;
using system::Subsystem;
using system::Value;

int find_port(const std::vector<system::Port>& ports, const std::string& name) {
  const auto found = std::ranges::find(ports, name, &system::Port::name);
  return found == ports.end() ? -1 : static_cast<int>(found - ports.begin());
}

bool is_tunable(const Variable& v) {
  return v.causality == Causality::parameter && v.variability == Variability::tunable && v.type != fmi::Type::clock;
}

/// Why a variable of an FMU that is no input stays as it is while running.
std::string why_fixed(const Variable& v) {
  switch (v.causality) {
    case Causality::parameter:
      return "it is a parameter that is not tunable";
    case Causality::structural_parameter:
      return "it decides how large arrays are";
    case Causality::independent:
      return "it is the time";
    default:
      return v.variability == Variability::constant ? "it is a constant" : "the FMU computes it";
  }
}

class Resolver {
 public:
  Resolver(const system::SystemDescription& description, base::Problems& problems)
      : description_(description), problems_(problems) {}

  void resolve(const Event& event, EventTarget& target) {
    if (!find_subsystem(target)) return;
    const Subsystem& subsystem = description_.subsystems[static_cast<std::size_t>(target.subsystem)];
    const std::string name = target.path.substr(subsystem.name.size() + 1);
    const int input = find_port(subsystem.inputs, name);
    // A model that could not be made has no ports, and that has been said already.
    if (subsystem.inputs.empty() && subsystem.outputs.empty() && !problems_.empty()) return;
    if (input >= 0) {
      resolve_input(event, subsystem, input, target);
    } else if (find_port(subsystem.outputs, name) >= 0) {
      refuse_output(target);
    } else if (!subsystem.fmu()) {
      refuse_own(subsystem, name, target);
    } else {
      resolve_parameter(event, subsystem, name, target);
    }
  }

 private:
  bool find_subsystem(EventTarget& target) {
    target.subsystem = system::find_subsystem(description_, target.path);
    if (target.subsystem >= 0) return true;
    std::vector<std::string> names;
    for (const Subsystem& subsystem : description_.subsystems) names.push_back(subsystem.name);
    const std::string first = target.path.substr(0, target.path.find('.'));
    if (std::ranges::find(names, target.path) != names.end()) {
      problems_.add(target.where, fmt::format("\"{}\" does not say which variable", target.path),
                    "write subsystem.variable");
    } else {
      problems_.add(target.where, fmt::format("there is no subsystem \"{}\"", first), base::did_you_mean(first, names));
    }
    return false;
  }

  void refuse_output(const EventTarget& target) {
    std::string sinks;
    for (const system::Connection& c : description_.connections) {
      if (c.from.text == target.path) sinks += (sinks.empty() ? "override what it feeds: " : ", ") + c.to.text;
    }
    problems_.add(target.where, fmt::format("\"{}\" is an output: events change inputs and parameters", target.path),
                  sinks);
  }

  void refuse_own(const Subsystem& subsystem, const std::string& name, const EventTarget& target) {
    const auto& catalog = model_catalog();
    const auto model = std::ranges::find_if(
        catalog, [&](const ModelEntry& m) { return subsystem.model() && m.name == subsystem.model()->name; });
    const std::string first = name.substr(0, name.find('.'));
    const bool parameter = model != catalog.end() &&
                           std::ranges::any_of(model->parameters, [&](const auto& p) { return p.name == first; });
    if (parameter) {
      problems_.add(
          target.where,
          fmt::format("\"{}\" cannot change while running: it is a parameter of a built-in model", target.path),
          "events change the inputs of built-in models, and inputs and tunable parameters of FMUs");
      return;
    }
    std::vector<std::string> names;
    for (const system::Port& port : subsystem.inputs) names.push_back(port.name);
    problems_.add(
        target.where, fmt::format("\"{}\" has no input \"{}\"", subsystem.name, name),
        names.empty() ? fmt::format("\"{}\" has no inputs", subsystem.name) : base::did_you_mean(name, names));
  }

  Feed feed_of(const EventTarget& target, int input, std::string& source) const {
    for (const system::Connection& c : description_.connections) {
      if (c.to.subsystem != target.subsystem || c.to.port != input || c.from.port < 0) continue;
      source = c.from.text;
      return description_.subsystems[static_cast<std::size_t>(c.from.subsystem)].is_signal ? Feed::known_signal
                                                                                           : Feed::connection;
    }
    return Feed::none;
  }

  void resolve_input(const Event& event, const Subsystem& subsystem, int input, EventTarget& target) {
    const system::Port& port = subsystem.inputs[static_cast<std::size_t>(input)];
    std::string source;
    target.feed = feed_of(target, input, source);
    target.type = port.type;
    target.before = port.start;
    if (port.type == PortType::clock) {
      problems_.add(target.where, fmt::format("\"{}\" is a clock: events change values", target.path));
      return;
    }
    if (event.kind == EventKind::set && target.feed != Feed::none) {
      problems_.add(target.where, fmt::format("\"{}\" cannot be set: {} feeds it", target.path, source),
                    "override replaces what arrives:  {from: 2 s, to: 3 s, override: {…}}");
      return;
    }
    if (event.kind == EventKind::replace && target.feed == Feed::none) {
      problems_.add(target.where, fmt::format("nothing feeds \"{}\", so there is nothing to override", target.path),
                    "write  {at: 2 s, set: {…}}");
      return;
    }
    if (read(event, owner_of(subsystem, input), target)) target.input = input;
  }

  /// The variable of an FMU behind a port; an input of a model of our own is a real number with a unit.
  Variable owner_of(const Subsystem& subsystem, int input) {
    const system::Port& port = subsystem.inputs[static_cast<std::size_t>(input)];
    Variable own;
    own.unit = port.unit;
    if (const auto fmu = fmu_of(subsystem)) {
      base::Problems said_before;
      const auto settings = read_fmu_settings(subsystem, fmu->description, said_before);
      const fmi::Ports ports = fmi::ports_of(fmu->description, structure_of(settings));
      own = *ports.input_owners[static_cast<std::size_t>(input)];
    }
    own.name = subsystem.name + "." + port.name;
    return own;
  }

  void resolve_parameter(const Event& event, const Subsystem& subsystem, const std::string& name, EventTarget& target) {
    const auto fmu = fmu_of(subsystem);
    if (!fmu) return;
    const Variable* const variable = fmu->description.find(name);
    if (!variable) return refuse_unknown(subsystem, fmu->description, name, target);
    if (!is_tunable(*variable)) {
      problems_.add(target.where,
                    fmt::format("\"{}\" cannot change while running: {}", target.path, why_fixed(*variable)));
    } else if (!variable->dimensions.empty()) {
      problems_.add(target.where, fmt::format("\"{}\" is an array, and events change single values", target.path));
    } else if (event.kind == EventKind::replace) {
      problems_.add(target.where, fmt::format("\"{}\" is a parameter: nothing arrives there to override", target.path),
                    "write  {at: 2 s, set: {…}}");
    } else {
      target.type = fmi::port_type(variable->type);
      target.before = value_before(subsystem, *variable);
      Variable named = *variable;
      named.name = target.path;
      if (read(event, named, target)) target.parameter = variable->name;
    }
  }

  void refuse_unknown(const Subsystem& subsystem, const fmi::ModelDescription& description, const std::string& name,
                      const EventTarget& target) {
    std::vector<std::string> names;
    for (const system::Port& port : subsystem.inputs) names.push_back(port.name);
    for (const Variable& v : description.variables) {
      if (is_tunable(v)) names.push_back(v.name);
    }
    problems_.add(target.where,
                  fmt::format("\"{}\" has no input and no tunable parameter \"{}\"", subsystem.name, name),
                  base::did_you_mean(name, names));
  }

  static std::optional<double> value_before(const Subsystem& subsystem, const Variable& variable) {
    if (fmi::store_of(variable.type) != fmi::Store::reals) return std::nullopt;
    base::Problems said_before;
    for (const system::Setting& setting : subsystem.set) {
      if (setting.name != variable.name) continue;
      const fmi::Values set = read_fmu_element(variable, setting.value, said_before);
      return set.reals.empty() ? std::nullopt : std::optional(set.reals.front());
    }
    std::string reason;
    const auto start = fmi::parse_values(variable.type, variable.start, reason);
    return start && !start->reals.empty() ? std::optional(start->reals.front()) : std::nullopt;
  }

  /// The value or, of a ramp, both ends.
  bool read(const Event& event, const Variable& variable, EventTarget& target) {
    const std::size_t before = problems_.size();
    const Value& value = target.value;
    if (event.kind != EventKind::ramp) {
      if (value.kind == Value::Kind::list || value.kind == Value::Kind::map) {
        problems_.add(value.where, fmt::format("\"{}\" takes one value", target.path));
        return false;
      }
      const fmi::Values read = read_fmu_element(variable, value, problems_);
      if (problems_.size() > before) return false;
      if (!read.reals.empty()) target.number = read.reals.front();
      if (!read.integers.empty()) target.discrete_value.integer = read.integers.front();
      if (!read.texts.empty()) target.discrete_value.text = read.texts.front();
      return true;
    }
    return read_ramp(event, variable, target);
  }

  /// Whether an event before this one says what the variable is.
  bool is_changed_before(const Event& event, const EventTarget& target) const {
    for (const Event& other : description_.experiment.events) {
      const auto is_it = [&](const EventTarget& t) { return t.path == target.path; };
      if (other.from < event.from && std::ranges::any_of(other.targets, is_it)) return true;
    }
    return false;
  }

  bool read_ramp(const Event& event, const Variable& variable, EventTarget& target) {
    const std::size_t before = problems_.size();
    const Value& value = target.value;
    const bool pair = value.kind == Value::Kind::list && value.items.size() == 2;
    const bool known = target.feed == Feed::none && (target.before || is_changed_before(event, target));
    if (target.type != PortType::real || variable.variability == Variability::discrete) {
      problems_.add(target.where,
                    fmt::format("\"{}\" cannot move along a ramp: it is {}", target.path,
                                target.type == PortType::real ? "discrete" : "no real number"),
                    "set it");
    } else if (!pair && (value.kind == Value::Kind::list || value.kind == Value::Kind::map)) {
      problems_.add(value.where, fmt::format("the ramp of \"{}\" has a begin and an end", target.path),
                    "write [begin, end], or the end alone");
    } else if (!pair && !known) {
      problems_.add(value.where,
                    fmt::format("what \"{}\" is when the ramp begins is not known ahead of time", target.path),
                    "write [begin, end]");
    }
    if (problems_.size() > before) return false;
    const fmi::Values last = read_fmu_element(variable, pair ? value.items[1] : value, problems_);
    const fmi::Values first = pair ? read_fmu_element(variable, value.items[0], problems_) : fmi::Values{};
    if (problems_.size() > before) return false;
    target.number = last.reals.front();
    if (pair) target.first = first.reals.front();
    return true;
  }

  const system::SystemDescription& description_;
  base::Problems& problems_;
};

}  // namespace

void resolve_events(system::SystemDescription& description, base::Problems& problems) {
  Resolver resolver(description, problems);
  for (Event& event : description.experiment.events) {
    for (EventTarget& target : event.targets) {
      if (target.input < 0 && target.parameter.empty()) resolver.resolve(event, target);
    }
  }
}

}  // namespace seam::load
