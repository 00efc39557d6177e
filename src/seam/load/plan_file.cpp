#include "seam/load/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/reach.hpp"
#include "seam/load/system_file.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using Section = std::shared_ptr<const Node>;

const Keys file_keys{{"seam", "plan", "experiment", "record", "bonds"}, {"designs"}};
const Keys experiment_keys{{"start", "stop", "tolerance", "events", "inputs"}};
const Keys record_keys{{"file", "every", "variables", "coupling", "micro"}};

/// inputs: FILE, or inputs: {PATH: value}
system::FreeInputs read_inputs(const Node& node, base::Problems& problems) {
  system::FreeInputs inputs;
  inputs.where = node.where;
  if (node.kind != Node::Kind::map) {
    inputs.file = read_text(node, "inputs", problems).value_or("");
    return inputs;
  }
  inputs.values = read_targets(node, problems);
  return inputs;
}

void read_experiment(const Node& node, system::Experiment& experiment, base::Problems& problems) {
  if (!expect(node, Node::Kind::map, "experiment", problems)) return;
  check_keys(node, "experiment", experiment_keys, problems);
  if (const Node* start = node.find("start")) {
    experiment.start = read_time(*start, "start", problems).value_or(0.0);
    experiment.start_where = start->where;
  }
  if (const Node* stop = node.find("stop")) {
    experiment.stop = read_time(*stop, "stop", problems);
    experiment.stop_where = stop->where;
  }
  if (const Node* tolerance = node.find("tolerance")) {
    experiment.tolerance = read_finite(*tolerance, "tolerance", problems);
    experiment.tolerance_where = tolerance->where;
  }
  if (const Node* events = node.find("events")) experiment.events = read_events(*events, problems);
  if (const Node* inputs = node.find("inputs")) experiment.inputs = read_inputs(*inputs, problems);
}

/// coupling: [defect, energy, correction, feedthrough]
void read_coupling_record(const Node& node, system::RecordRequest& record, base::Problems& problems) {
  record.coupling_where = node.where;
  if (!expect(node, Node::Kind::sequence, "record.coupling", problems)) return;
  for (const auto& item : node.items) {
    const auto word = read_word(*item, "an entry of record.coupling", coupling_records, problems);
    if (!word) continue;
    const auto what = static_cast<system::CouplingRecord>(*word);
    if (record.wants(what)) {
      problems.add(item->where, fmt::format("\"{}\" stands twice", item->text));
    } else {
      record.coupling.push_back(what);
    }
  }
}

/// A list of patterns and where each stands.
void read_patterns(const Node& node, const char* what, std::vector<std::string>& patterns,
                   std::vector<base::Location>& places, base::Problems& problems) {
  if (!expect(node, Node::Kind::sequence, what, problems)) return;
  for (const auto& item : node.items) {
    const auto text = read_text(*item, "a variable", problems);
    if (!text) continue;
    patterns.push_back(*text);
    places.push_back(item->where);
  }
}

system::RecordRequest read_record(const Node& node, base::Problems& problems) {
  system::RecordRequest record;
  record.where = node.where;
  if (!expect(node, Node::Kind::map, "record", problems)) return record;
  check_keys(node, "record", record_keys, problems);
  if (const Node* file = node.find("file")) {
    record.file = read_text(*file, "file", problems);
    record.file_where = file->where;
    if (record.file && !stays_below(*record.file))
      problems.add(file->where, fmt::format("the result file \"{}\" leads out of the current folder", *record.file),
                   "write a path that leads down from there, or remove it and give -o FILE, which may lead anywhere");
  }
  if (const Node* every = node.find("every")) {
    record.every = read_time(*every, "every", problems);
    record.every_where = every->where;
  }
  if (const Node* coupling = node.find("coupling")) read_coupling_record(*coupling, record, problems);
  if (const Node* variables = node.find("variables"))
    read_patterns(*variables, "variables", record.variables, record.variables_where, problems);
  if (const Node* micro = node.find("micro"))
    read_patterns(*micro, "record.micro", record.micro, record.micro_where, problems);
  return record;
}

Section section(const Node& root, std::string_view key) {
  const auto found = std::ranges::find(root.entries, key, &Node::Entry::key);
  return found == root.entries.end() ? nullptr : found->value;
}

Section merged(const Section& under, const Section& over) {
  if (!under || !over || under->kind != Node::Kind::map || over->kind != Node::Kind::map) return over ? over : under;
  auto both = std::make_shared<Node>(*over);
  for (const Node::Entry& entry : under->entries) {
    if (!over->find(entry.key)) both->entries.push_back(entry);
  }
  return both;
}

}  // namespace

PlanSections sections_of(const Node& root) {
  return {section(root, "plan"), section(root, "experiment"), section(root, "record"), section(root, "bonds")};
}

PlanSections read_plan_text(std::string text, const std::string& source_name, base::Problems& problems) {
  const std::shared_ptr<const Node> root = formats::read_yaml(std::move(text), source_name, problems);
  if (!root || !expect(*root, Node::Kind::map, "a plan file", problems)) return {};
  check_version(*root, problems);
  check_keys(*root, "a plan file", file_keys, problems);
  return sections_of(*root);
}

PlanSections read_plan_file(const std::string& path, base::Problems& problems) {
  try {
    return read_plan_text(formats::read_text(path), path, problems);
  } catch (const base::Error& error) {
    problems.add(base::Location{}, error.what());
    return {};
  }
}

PlanSections merged(const PlanSections& under, const PlanSections& over) {
  return {merged(under.plan, over.plan), merged(under.experiment, over.experiment), merged(under.record, over.record),
          merged(under.bonds, over.bonds)};
}

void apply(const PlanSections& sections, system::SystemDescription& description, base::Problems& problems) {
  if (sections.experiment) read_experiment(*sections.experiment, description.experiment, problems);
  if (sections.plan) description.plan = read_plan(*sections.plan, problems);
  if (sections.record) description.record = read_record(*sections.record, problems);
  if (sections.bonds) read_bonds(*sections.bonds, description, problems);
}

}  // namespace seam::load
