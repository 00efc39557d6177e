#include "seam/engine/open/completion.hpp"

#include "seam/formats/number.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::engine {
namespace {

/// The text of a flag as a source, so that a problem can point into it.
std::shared_ptr<const base::Source> flag_source(const std::string& flag, const std::string& text) {
  return std::make_shared<base::Source>(base::Source{flag, {text}});
}

base::Location place(const std::shared_ptr<const base::Source>& source, std::size_t column, std::size_t length) {
  return {source, 1, static_cast<int>(column) + 1, static_cast<int>(length)};
}

formats::Node flag_node(const std::string& flag, const std::string& text) {
  formats::Node node;
  node.kind = formats::Node::Kind::scalar;
  node.text = text;
  node.where = place(flag_source(flag, text), 0, text.size());
  return node;
}

}  // namespace

system::MethodRequest parse_method(const std::string& flag, const std::string& text, base::Problems& problems) {
  if (text.starts_with("{")) {
    const auto node = formats::read_yaml(text, flag, problems);
    const auto read = node ? load::read_coupling(*node, problems) : std::nullopt;
    return read && read->coupling ? *read->coupling : system::MethodRequest{};
  }
  const auto source = flag_source(flag, text);
  system::MethodRequest request;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (begin == 0) {
      request.name = part;
      request.where = place(source, 0, part.size());
    } else if (equals == std::string::npos || equals == 0) {
      problems.add(place(source, begin, part.size()), "\"" + part + "\" is no parameter",
                   "write " + flag + " NAME,key=value");
    } else {
      system::Setting setting;
      setting.name = part.substr(0, equals);
      setting.where = place(source, begin, equals);
      setting.value.kind = system::Value::Kind::text;
      setting.value.text = part.substr(equals + 1);
      if (const auto read = formats::read_number(setting.value.text); read.reading == formats::Reading::number) {
        setting.value.kind = system::Value::Kind::number;
        setting.value.number = read.number;
      }
      setting.value.where = place(source, begin + equals + 1, part.size() - equals - 1);
      request.parameters.push_back(std::move(setting));
    }
    begin = end + 1;
  }
  return request;
}

namespace {

/// NAME[,key=value...], or as in a file; only after problems it is empty.
system::CouplingRequest parse_coupling(const std::string& text, base::Problems& problems) {
  if (text.starts_with("{")) {
    const auto node = formats::read_yaml(text, "--coupling", problems);
    return (node ? load::read_coupling(*node, problems) : std::nullopt).value_or(system::CouplingRequest{});
  }
  system::CouplingRequest request;
  request.where = place(flag_source("--coupling", text), 0, text.size());
  request.coupling = parse_method("--coupling", text, problems);
  return request;
}

/// auto[,target=…][,around=…], read as the file would be.
void apply_auto_step(const std::string& text, system::SystemDescription& description, base::Problems& problems) {
  std::string yaml = text;
  if (const std::size_t comma = text.find(','); comma != std::string::npos) {
    yaml = "{" + text.substr(0, comma) + ": {" + text.substr(comma + 1) + "}}";
    for (char& letter : yaml) letter = letter == '=' ? ':' : letter;
    for (std::size_t at = 0; (at = yaml.find_first_of(":,", at)) != std::string::npos; ++at) yaml.insert(at + 1, " ");
  }
  base::Problems said_by_step;
  if (const auto node = formats::read_yaml(yaml, "--step", problems))
    load::read_step(load::read_value(*node, said_by_step), "--step", description.plan, problems);
}

void apply_times(const Changes& changes, system::SystemDescription& description, base::Problems& problems) {
  const auto read = [&](const char* flag, const std::optional<std::string>& text) -> std::optional<load::TimeFlag> {
    if (!text) return std::nullopt;
    return load::read_time_flag(flag, *text, problems);
  };
  if (const auto start = read("--start", changes.start)) {
    description.experiment.start = start->seconds;
    description.experiment.start_where = start->where;
  }
  if (const auto stop = read("--stop", changes.stop)) {
    description.experiment.stop = stop->seconds;
    description.experiment.stop_where = stop->where;
  }
  if (changes.step && changes.step->starts_with(system::auto_word)) {
    apply_auto_step(*changes.step, description, problems);
  } else if (const auto step = read("--step", changes.step)) {
    description.plan.step = step->seconds;
    description.plan.step_where = step->where;
    description.plan.auto_step.reset();
  }
  if (const auto every = read("--every", changes.every)) {
    description.record.every = every->seconds;
    description.record.every_where = every->where;
  }
}

void apply_tolerance(const std::string& text, system::SystemDescription& description, base::Problems& problems) {
  const auto where = place(flag_source("--tolerance", text), 0, text.size());
  const formats::NumberRead read = formats::read_number(text);
  if (read.reading != formats::Reading::number) {
    problems.add(where, "\"" + text + "\" is no number", "write --tolerance 1e-6");
    return;
  }
  description.experiment.tolerance = read.number;
  description.experiment.tolerance_where = where;
}

void apply_threads(const std::string& text, system::SystemDescription& description, base::Problems& problems) {
  const auto where = place(flag_source("--threads", text), 0, text.size());
  description.plan.threads = system::parse_threads(text);
  description.plan.threads_where = where;
  if (!description.plan.threads) problems.add(where, "\"" + text + "\" is no number of threads", system::threads_mend);
}

}  // namespace

CouplingChanges read_coupling_changes(const Changes& changes, base::Problems& problems) {
  CouplingChanges read;
  if (changes.coupling) read.coupling = parse_coupling(*changes.coupling, problems);
  if (changes.corrector) read.corrector = parse_method("--corrector", *changes.corrector, problems);
  if (changes.schedule) {
    const formats::Node word = flag_node("--schedule", *changes.schedule);
    read.schedule = load::read_schedule(word, problems);
    read.schedule_where = word.where;
  }
  if (changes.feedthrough) {
    const formats::Node word = flag_node("--feedthrough", *changes.feedthrough);
    read.feedthrough = load::read_feedthrough(word, problems);
    read.feedthrough_where = word.where;
  }
  return read;
}

void apply(const CouplingChanges& changes, system::SystemDescription& description) {
  system::PlanRequest& plan = description.plan;
  if (changes.coupling) {
    plan.coupling = changes.coupling;
    plan.connections.clear();  // it is about all connections
  }
  if (changes.corrector) plan.corrector = changes.corrector;
  if (changes.schedule) {
    plan.schedule = changes.schedule;
    plan.schedule_where = changes.schedule_where;
  }
  if (changes.feedthrough) {
    plan.feedthrough = changes.feedthrough;
    plan.feedthrough_where = changes.feedthrough_where;
    for (system::SubsystemPlanRequest& request : plan.subsystems) request.feedthrough.reset();
  }
}

void record_variables(const std::vector<std::string>& patterns, system::SystemDescription& description) {
  if (patterns.empty()) return;
  description.record.variables = patterns;
  description.record.variables_where.clear();
  for (const std::string& pattern : patterns)
    description.record.variables_where.push_back(place(flag_source("--variables", pattern), 0, pattern.size()));
}

void apply(const Changes& changes, system::SystemDescription& description, base::Problems& problems) {
  apply_times(changes, description, problems);
  if (!changes.input_file.empty()) take_input_file(changes.input_file, description);
  description.experiment.inputs.map = system::NameMap::read(changes.map, "--map", problems);
  if (!changes.map.empty() && description.experiment.inputs.file.empty())
    problems.add({}, "--map is for a table of inputs, and there is none", "give one with --input-file");
  if (!changes.scenario.empty()) {
    auto events = load::read_scenario_file(changes.scenario, problems);
    auto& all = description.experiment.events;
    all.insert(all.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
  }
  if (changes.tolerance) apply_tolerance(*changes.tolerance, description, problems);
  apply(read_coupling_changes(changes, problems), description);
  if (changes.threads) apply_threads(*changes.threads, description, problems);
  record_variables(changes.variables, description);
}

}  // namespace seam::engine
