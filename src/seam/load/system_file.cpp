#include "seam/load/system_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/load/design.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

using formats::Node;
using system::Subsystem;

const Keys file_keys{
    {"seam", "name", "description", "subsystems", "connections", "experiment", "plan", "record", "units", "designs"}};
const Keys subsystem_keys{{"model", "fmu", "system", "set", "solver", "solver_step", "input_signal", "interface",
                           "retries", "private", "copies", "serial", "via", "event_mode"},
                          {"udp", "probe", "variants"}};

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

void read_fmu(const Node& node, const Reach& reach, Subsystem& subsystem, base::Problems& problems) {
  const Node& path = *node.find("fmu");
  subsystem.fmu_where = path.where;
  const std::string text = read_text(path, "fmu", problems).value_or("");
  if (!text.empty() && !is_in_reach(text, reach)) {
    problems.add(path.where, fmt::format("the path \"{}\" leads out of the folder of the system file", text),
                 fmt::format("put the FMU beside the system file or into a folder below it; {}", how_to_reach));
  }
  subsystem.fmu_written = text;
  if (!text.empty()) subsystem.fmu = (std::filesystem::path(reach.folder) / text).string();
  if (const Node* word = node.find("interface")) {
    const auto chosen = read_word(*word, "interface", {"auto", "cs", "me"}, problems);
    subsystem.interface = static_cast<system::FmuInterface>(chosen.value_or(0));
    subsystem.interface_where = word->where;
  }
  if (const Node* retries = node.find("retries")) {
    const auto count = read_finite(*retries, "retries", problems);
    if (count && (*count < 0 || *count > 20 || *count != std::floor(*count))) {
      problems.add(retries->where, "retries is a whole number from 0 to 20");
    } else {
      subsystem.retries = static_cast<int>(count.value_or(0));
    }
    subsystem.retries_where = retries->where;
  }
  if (const Node* copy = node.find("private"))
    subsystem.private_files = read_word(*copy, "private", {"false", "true"}, problems) == 1;
  if (const Node* copies = node.find("copies"))
    subsystem.copies_allowed = read_word(*copies, "copies", {"refuse", "allow"}, problems) == 1;
  if (const Node* via = node.find("via")) {
    subsystem.via = read_via(*via, problems).value_or(system::Via::automatic);
    subsystem.via_where = via->where;
  }
  if (const Node* mode = node.find("event_mode")) {
    const auto word = read_word(*mode, "event_mode", {"auto", "always", "never"}, problems);
    subsystem.event_mode = static_cast<system::EventMode>(word.value_or(0));
    subsystem.event_mode_where = mode->where;
  }
  if (const Node* serial = node.find("serial"))
    subsystem.serial = read_word(*serial, "serial", {"false", "true"}, problems) == 1;
  for (const char* key : {"solver", "solver_step", "input_signal"}) {
    if (const Node* own = node.find(key)) {
      problems.add(own->where,
                   fmt::format("\"{}\" is for models of seam's own; \"{}\" is an FMU, which has its own solver", key,
                               subsystem.name));
    }
  }
}

/// Another file with a system; whoever knows all formats puts it in this place.
void read_inside(const Node& node, const Reach& reach, Subsystem& subsystem, base::Problems& problems) {
  const Node& path = *node.find("system");
  subsystem.inside_where = path.where;
  subsystem.inside = read_text(path, "system", problems).value_or("");
  if (!subsystem.inside.empty() && !is_in_reach(subsystem.inside, reach)) {
    problems.add(path.where,
                 fmt::format("the path \"{}\" leads out of the folder of the system file", subsystem.inside),
                 fmt::format("put it beside the system file or into a folder below it; {}", how_to_reach));
    subsystem.inside.clear();
  }
  for (const Node::Entry& entry : node.entries) {
    const bool known =
        std::find(subsystem_keys.known.begin(), subsystem_keys.known.end(), entry.key) != subsystem_keys.known.end();
    if (!known || entry.key == "system" || entry.key == "set") continue;
    problems.add(entry.key_where, fmt::format("\"{}\" is for a single subsystem, and \"{}\" is a whole system",
                                              entry.key, subsystem.name));
  }
}

/// What the subsystem is: a built-in model, an FMU or a system.
void read_kind(const Node& node, const Reach& reach, Subsystem& subsystem, base::Problems& problems) {
  if (node.find("system")) return read_inside(node, reach, subsystem, problems);
  const Node* model = node.find("model");
  if (node.find("fmu")) read_fmu(node, reach, subsystem, problems);
  if (model && node.find("fmu")) {
    problems.add(model->where, fmt::format("\"{}\" is both a model and an FMU", subsystem.name),
                 "give it one of the two");
  } else if (model) {
    subsystem.model_where = model->where;
    subsystem.model = read_text(*model, "model", problems).value_or("");
    for (const char* key : {"interface", "retries", "private", "copies", "serial", "via", "event_mode"}) {
      if (const Node* own = node.find(key))
        problems.add(own->where,
                     fmt::format("\"{}\" is for FMUs, and \"{}\" is a built-in model", key, subsystem.name));
    }
  } else if (!node.find("fmu") && !node.find("udp")) {
    problems.add(subsystem.where, fmt::format("\"{}\" does not say what it is", subsystem.name),
                 "give it a model: NAME, an fmu: FILE or a system: FILE");
  }
}

}  // namespace

Subsystem read_subsystem(const Node::Entry& entry, const Reach& reach, base::Problems& problems) {
  Subsystem subsystem;
  subsystem.name = entry.key;
  subsystem.where = entry.key_where;
  subsystem.model_where = entry.key_where;
  const Node& node = *entry.value;
  if (!expect(node, Node::Kind::map, fmt::format("the subsystem \"{}\"", entry.key), problems)) return subsystem;
  check_keys(node, "a subsystem", subsystem_keys, problems);
  read_kind(node, reach, subsystem, problems);
  if (const Node* set = node.find("set")) subsystem.set = read_settings(*set, "set", problems);
  if (const Node* solver = node.find("solver")) {
    subsystem.solver = read_text(*solver, "solver", problems);
    subsystem.solver_where = solver->where;
  }
  if (const Node* step = node.find("solver_step")) {
    subsystem.solver_step = read_time(*step, "solver_step", problems);
    subsystem.solver_step_where = step->where;
  }
  if (const Node* signal = node.find("input_signal")) {
    const auto word = read_word(*signal, "input_signal", {"signal", "stepped"}, problems);
    if (word == 1) subsystem.input_signal = system::InputSignal::stepped;
    subsystem.input_signal_where = signal->where;
  }
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
  description.subsystems = read_subsystems(*root, {description.folder, options.opened_folders}, problems);
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
