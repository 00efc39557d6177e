#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "seam/base/names.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/xml_values.hpp"
#include "seam/osp/structure.hpp"

namespace seam::osp {
namespace {

using formats::XmlElement;
using system::Value;

/// A problem for every element that is not one of these.
void check_children(const XmlElement& element, const std::vector<std::string>& known, base::Problems& problems) {
  for (const XmlElement& each : element.children()) {
    const std::string name(local_name(each));
    if (std::ranges::find(known, name) == known.end())
      problems.add(each.where(), fmt::format("<{}> is not known here", formats::printable(name, 60)),
                   base::did_you_mean(name, known));
  }
}

std::optional<double> read_time(const XmlElement& root, const char* name, base::Location& where,
                                base::Problems& problems) {
  const auto element = child(root, name);
  if (!element) return std::nullopt;
  where = element->where();
  const auto time = formats::read_double(element->content());
  if (time && *time - *time == 0.0) return time;
  problems.add(where, fmt::format("<{}> must be a time in seconds, and it is \"{}\"", name,
                                  formats::printable(element->content(), 60)));
  return std::nullopt;
}

void check_algorithm(const XmlElement& root, Structure& structure, base::Problems& problems) {
  const auto element = child(root, "Algorithm");
  std::string word(element ? element->content() : "");
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (word == "ecco") {
    problems.add(element->where(),
                 "the algorithm ecco chooses its step by the energy of power bonds; steps are constant here",
                 "write <Algorithm>fixedStep</Algorithm>: then BaseStepSize counts");
  } else if (!word.empty() && word != "fixedstep") {
    problems.add(element->where(), fmt::format("the algorithm \"{}\" is not known", formats::printable(word, 60)),
                 "fixedStep is");
  } else if (child(root, "EccoConfiguration")) {
    structure.notices.push_back("the EccoConfiguration is for the algorithm ecco and is not used");
  }
}

Value read_value(const XmlElement& element, base::Problems& problems) {
  Value value;
  value.where = element.where();
  value.text = required(element, "value", problems);
  const std::string_view type = local_name(element);
  if (type == "Boolean") {
    const auto truth = formats::read_boolean(value.text);
    if (!truth) problems.add(value.where, fmt::format("\"{}\" is neither true nor false", value.text));
    value.kind = Value::Kind::boolean;
    value.boolean = truth.value_or(false);
    value.text = value.boolean ? "true" : "false";
  } else if (type == "String") {
    value.kind = Value::Kind::text;
  } else {
    const auto number = formats::read_double(value.text);
    const bool fits = type == "Real" ? number.has_value() : formats::read_integer(value.text).has_value();
    if (!fits && !value.text.empty())
      problems.add(value.where, fmt::format("\"{}\" is no {}", formats::printable(value.text, 60),
                                            type == "Real" ? "number" : "whole number"));
    value.number = number.value_or(0.0);
  }
  return value;
}

std::vector<system::Setting> read_initial_values(const XmlElement& list, base::Problems& problems) {
  static const std::vector<std::string> types{"Real", "Integer", "Boolean", "String", "Enumeration"};
  std::vector<system::Setting> settings;
  check_children(list, {"InitialValue"}, problems);
  for (const XmlElement& element : children(list, "InitialValue")) {
    check_children(element, types, problems);
    system::Setting setting;
    setting.name = required(element, "variable", problems);
    setting.where = element.where();
    const auto values = element.children();
    if (values.size() != 1) {
      problems.add(element.where(), fmt::format("\"{}\" must have one value", setting.name),
                   "for example <Real value=\"1\"/>");
      continue;
    }
    setting.value = read_value(values.front(), problems);
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<Simulator> read_simulators(const XmlElement& list, base::Problems& problems) {
  std::vector<Simulator> simulators;
  check_children(list, {"Simulator"}, problems);
  for (const XmlElement& element : children(list, "Simulator")) {
    check_children(element, {"InitialValues"}, problems);
    Simulator simulator;
    simulator.name = required(element, "name", problems);
    simulator.source = required(element, "source", problems);
    simulator.step = number(element, "stepSize", problems);
    simulator.where = element.where();
    if (simulator.step && !(*simulator.step >= 0.0)) {
      problems.add(element.where(), "stepSize must be a time greater than zero");
      simulator.step.reset();
    } else if (simulator.step == 0.0) {
      simulator.step.reset();  // what is written where there is none
    }
    if (const auto values = child(element, "InitialValues"))
      simulator.initial_values = read_initial_values(*values, problems);
    simulators.push_back(std::move(simulator));
  }
  return simulators;
}

/// A count that is written; 1 after a problem.
int read_count(const XmlElement& element, const char* name, base::Problems& problems) {
  constexpr int most = 10'000;
  const auto count = formats::read_integer(required(element, name, problems));
  if (count && *count >= 1 && *count <= most) return static_cast<int>(*count);
  if (element.attribute(name))
    problems.add(element.where(), fmt::format("{} must be a whole number from 1 to {}", name, most));
  return 1;
}

std::vector<Function> read_functions(const XmlElement& list, base::Problems& problems) {
  static const std::vector<std::string> kinds{"LinearTransformation", "Sum", "VectorSum"};
  std::vector<Function> functions;
  check_children(list, kinds, problems);
  for (const XmlElement& element : list.children()) {
    const auto kind = std::ranges::find(kinds, local_name(element));
    if (kind == kinds.end()) continue;
    Function function;
    function.kind = static_cast<Function::Kind>(kind - kinds.begin());
    function.name = required(element, "name", problems);
    function.where = element.where();
    if (function.kind == Function::Kind::linear) {
      function.factor = number(element, "factor", problems).value_or(1.0);
      function.offset = number(element, "offset", problems).value_or(0.0);
    } else {
      function.inputs = read_count(element, "inputCount", problems);
      if (function.kind == Function::Kind::vector_sum) function.dimension = read_count(element, "dimension", problems);
    }
    if (constexpr int most = 100'000; function.inputs > most / function.dimension) {
      problems.add(element.where(), fmt::format("\"{}\" has more than {} inputs", function.name, most));
      continue;
    }
    functions.push_back(std::move(function));
  }
  return functions;
}

End read_end(const XmlElement& element, const char* owner, base::Problems& problems) {
  return {required(element, owner, problems), required(element, "name", problems), element.where()};
}

/// None after a problem.
std::optional<Link> read_link(const XmlElement& element, base::Problems& problems) {
  static const std::vector<std::string> kinds{"VariableConnection", "VariableGroupConnection", "SignalConnection",
                                              "SignalGroupConnection"};
  const auto kind = std::ranges::find(kinds, local_name(element));
  if (kind == kinds.end()) return std::nullopt;
  Link link;
  link.kind = static_cast<Link::Kind>(kind - kinds.begin());
  link.where = element.where();
  const bool groups = link.kind == Link::Kind::groups || link.kind == Link::Kind::signal_group;
  const bool signal = link.kind == Link::Kind::signal || link.kind == Link::Kind::signal_group;
  const std::string variable = groups ? "VariableGroup" : "Variable", other = groups ? "SignalGroup" : "Signal";
  check_children(element, signal ? std::vector{variable, other} : std::vector{variable}, problems);
  const auto variables = children(element, variable), signals = children(element, other);
  if (variables.size() != (signal ? 1u : 2u) || signals.size() != (signal ? 1u : 0u)) {
    problems.add(link.where, signal ? fmt::format("<{}> joins one <{}> and one <{}>", *kind, variable, other)
                                    : fmt::format("<{}> joins two of <{}>", *kind, variable));
    return std::nullopt;
  }
  link.first = read_end(variables[0], "simulator", problems);
  link.second = signal ? read_end(signals[0], "function", problems) : read_end(variables[1], "simulator", problems);
  return link;
}

void read_links(const XmlElement& list, Structure& structure, base::Problems& problems) {
  check_children(list, {"VariableConnection", "SignalConnection", "VariableGroupConnection", "SignalGroupConnection"},
                 problems);
  std::set<std::string> bonds;
  for (const XmlElement& element : list.children()) {
    if (auto link = read_link(element, problems)) structure.links.push_back(std::move(*link));
    if (element.attribute("powerBond")) bonds.insert(formats::printable(text(element, "powerBond"), 60));
  }
  if (!bonds.empty())
    structure.notices.push_back(
        fmt::format("power bonds are for the algorithm ecco; the connections of {} are connections like others",
                    fmt::join(bonds, ", ")));
}

}  // namespace

std::optional<Structure> read_structure(const XmlElement& root, base::Problems& problems) {
  const auto simulators = child(root, "Simulators");
  if (local_name(root) != "OspSystemStructure" || !simulators) {
    problems.add(root.where(), "this is no system structure of the Open Simulation Platform",
                 "its root is <OspSystemStructure> with one <Simulators>");
    return std::nullopt;
  }
  if (const std::string version = text(root, "version"); version != "0.1")
    problems.add(root.where(),
                 fmt::format("version \"{}\" of <OspSystemStructure> is not known", formats::printable(version, 60)),
                 "0.1 is read");
  check_children(root,
                 {"Description", "StartTime", "EndTime", "BaseStepSize", "Algorithm", "Simulators", "Functions",
                  "Connections", "EccoConfiguration"},
                 problems);
  Structure structure;
  structure.where = root.where();
  structure.start = read_time(root, "StartTime", structure.start_where, problems);
  structure.stop = read_time(root, "EndTime", structure.stop_where, problems);
  structure.step = read_time(root, "BaseStepSize", structure.step_where, problems);
  if (const auto remark = child(root, "Description")) structure.description = remark->content();
  check_algorithm(root, structure, problems);
  structure.simulators = read_simulators(*simulators, problems);
  if (const auto functions = child(root, "Functions")) structure.functions = read_functions(*functions, problems);
  if (const auto links = child(root, "Connections")) read_links(*links, structure, problems);
  return structure;
}

}  // namespace seam::osp
