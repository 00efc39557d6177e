#include "seam/report/fmu_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "seam/fmi/archive/platform.hpp"
#include "seam/fmi/description/values.hpp"
#include "seam/fmi/description/words.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"

namespace seam::report {
namespace {

using fmi::Causality;
using fmi::Fmu;
using fmi::Interface;
using fmi::ModelDescription;
using fmi::Variable;
using formats::printable;
using formats::Value;

/// One capability an interface may have.
struct Capability {
  const char* key;    ///< in JSON
  const char* words;  ///< for people
  bool Interface::*flag;
};
constexpr Capability capabilities[]{
    {"variable_step", "variable steps", &Interface::can_handle_variable_step},
    {"interpolates_inputs", "input derivatives", &Interface::can_interpolate_inputs},
    {"state", "saving its state", &Interface::can_get_and_set_state},
    {"serialized_state", "saving its state to a file", &Interface::can_serialize_state},
    {"directional_derivatives", "directional derivatives", &Interface::provides_directional_derivatives},
    {"adjoint_derivatives", "adjoint derivatives", &Interface::provides_adjoint_derivatives},
    {"event_mode", "event mode", &Interface::has_event_mode},
    {"intermediate_update", "intermediate update", &Interface::provides_intermediate_update},
    {"early_return", "early return", &Interface::might_return_early},
    {"asynchronous", "running asynchronously", &Interface::runs_asynchronously},
    {"only_one_instance", "only one instance in a process", &Interface::can_be_instantiated_only_once},
    {"needs_tool", "needs its tool to run", &Interface::needs_execution_tool}};

/// "Float64", "Real", with the sizes of an array: "Float64[3,n]" where n is a structural parameter.
std::string type_words(const fmi::ModelDescription& description, const fmi::VariableIndex& index,
                       const fmi::Variable& variable) {
  std::string text = fmi::type_word(variable.type, description.version);
  if (variable.dimensions.empty()) return text;
  std::vector<std::string> sizes;
  for (const fmi::Dimension& dimension : variable.dimensions) {
    const auto sizer = dimension.value_reference ? index.find(*dimension.value_reference) : std::nullopt;
    if (dimension.start) {
      sizes.push_back(std::to_string(*dimension.start));
    } else {
      sizes.push_back(sizer ? formats::printable(description.variables[*sizer].name, 40) : std::string("?"));
    }
  }
  return fmt::format("{}[{}]", text, fmt::join(sizes, ","));
}

constexpr std::size_t most_rows = 40;

void add_line(std::string& text, std::string_view key, std::string_view value) {
  if (!value.empty()) text += fmt::format("  {:<20}{}\n", key, printable(value, 400));
}

std::string experiment_words(const fmi::DefaultExperiment& experiment) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::string_view key, std::optional<double> value, std::string_view unit) {
    if (value) parts.push_back(fmt::format("{} {}{}", key, formats::number_text(*value), unit));
  };
  add("start", experiment.start, " s");
  add("stop", experiment.stop, " s");
  add("step", experiment.step, " s");
  add("tolerance", experiment.tolerance, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_interface(std::string& text, std::string_view name, const std::optional<Interface>& interface) {
  if (!interface) return;
  std::vector<std::string> words;
  for (const Capability& capability : capabilities) {
    if ((*interface).*capability.flag) words.emplace_back(capability.words);
  }
  if (interface->max_output_derivative_order > 0) {
    words.push_back(fmt::format("output derivatives of order {}", interface->max_output_derivative_order));
  }
  if (interface->fixed_internal_step) {
    words.push_back(fmt::format("internal step {} s", formats::number_text(*interface->fixed_internal_step)));
  }
  add_line(text, name,
           words.empty() ? std::string("no optional capabilities") : fmt::format("{}", fmt::join(words, ", ")));
}

// What a user connects and sets comes first.
int rank(Causality causality) {
  static constexpr std::array order{Causality::input,
                                    Causality::output,
                                    Causality::structural_parameter,
                                    Causality::parameter,
                                    Causality::calculated_parameter,
                                    Causality::local,
                                    Causality::independent};
  return static_cast<int>(std::ranges::find(order, causality) - order.begin());
}

/// When a clock ticks.
std::string clock_words(const fmi::ClockAttributes& clock) {
  std::string text = printable(clock.interval_variability, 24);
  if (clock.interval) text += fmt::format(", {} s", *clock.interval);
  if (clock.shift.value_or(0.0) != 0.0) text += fmt::format(" from {} s", *clock.shift);
  return text;
}

std::string start_words(const Variable& variable) {
  if (variable.type == fmi::Type::clock) return clock_words(variable.clock);
  if (!variable.start_readable) return "?";
  std::string text;
  for (const std::string& start : variable.start) {
    if (text.size() > 24) return text + " …";
    text += (text.empty() ? "" : " ") + printable(start, 24);
  }
  if (variable.type != fmi::Type::enumeration || variable.start.size() != 1) return text;
  const auto item = std::ranges::find_if(variable.items, [&text](const fmi::EnumerationItem& candidate) {
    return std::to_string(candidate.value) == text;
  });
  return item == variable.items.end() ? text : fmt::format("{} ({})", text, printable(item->name, 24));
}

using Row = std::array<std::string, 7>;

Row row_of(const ModelDescription& description, const fmi::VariableIndex& index, const Variable& variable) {
  return {printable(variable.name),
          std::string(fmi::word(variable.causality)),
          std::string(fmi::word(variable.variability)),
          type_words(description, index, variable),
          printable(variable.unit, 20),
          start_words(variable),
          printable(variable.description, 60)};
}

std::string table(const std::vector<Row>& rows) {
  constexpr std::size_t widest = 40;
  const auto letters = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::array<std::size_t, 7> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], std::min(letters(row[i]), widest));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} ", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string variables_text(const ModelDescription& description, Extent extent) {
  std::vector<const Variable*> sorted;
  std::array<std::size_t, 7> counts{};
  for (const Variable& variable : description.variables) {
    sorted.push_back(&variable);
    ++counts[static_cast<std::size_t>(variable.causality)];
  }
  std::ranges::stable_sort(
      sorted, [](const Variable* a, const Variable* b) { return rank(a->causality) < rank(b->causality); });
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) kinds.push_back(fmt::format("{} {}", counts[i], fmi::words_of<fmi::Causality>[i]));
  }
  std::string text = fmt::format("variables: {}{}\n", sorted.size(),
                                 kinds.empty() ? "" : fmt::format(" ({})", fmt::join(kinds, ", ")));
  const std::size_t shown = extent == Extent::all ? sorted.size() : std::min(sorted.size(), most_rows);
  const fmi::VariableIndex index(description);
  std::vector<Row> rows{{"name", "causality", "variability", "type", "unit", "start", "description"}};
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_of(description, index, *sorted[i]));
  if (shown > 0) text += table(rows);
  if (shown < sorted.size()) text += fmt::format("  … and {} more\n", sorted.size() - shown);
  return text;
}

std::string platforms_words(const Fmu& fmu) {
  std::vector<std::string> words = fmu.platforms;
  const fmi::Machine machine = fmi::this_machine();
  const bool runs_here = std::ranges::any_of(
      words, [&](const std::string& platform) { return platform == machine.fmi2 || platform == machine.fmi3; });
  if (fmu.ships_sources) words.emplace_back(runs_here ? "sources" : "sources (`seam build` compiles them)");
  return words.empty() ? std::string("none") : fmt::format("{}", fmt::join(words, ", "));
}

Value interface_value(const std::optional<Interface>& interface) {
  if (!interface) return {};
  Value value = Value::object({{"model_identifier", interface->model_identifier}});
  for (const Capability& capability : capabilities) {
    value.add(capability.key, (*interface).*capability.flag);
  }
  value.add("max_output_derivative_order", interface->max_output_derivative_order);
  value.add("fixed_internal_step", (interface->fixed_internal_step));
  return value;
}

Value variable_value(const fmi::ModelDescription& description, const fmi::VariableIndex& index,
                     const Variable& variable) {
  const auto found = description.negated.find(variable.value_reference);
  const auto* const negated = found == description.negated.end() ? nullptr : &*found;
  Value value = Value::object({{"name", variable.name},
                               {"description", variable.description},
                               {"value_reference", negated ? negated->second : variable.value_reference},
                               {"causality", fmi::word(variable.causality)},
                               {"variability", fmi::word(variable.variability)},
                               {"initial", variable.initial ? Value(fmi::word(*variable.initial)) : Value()},
                               {"type", type_words(description, index, variable)},
                               {"unit", variable.unit},
                               {"display_unit", variable.display_unit},
                               {"start", Value::array(variable.start)},
                               {"min", (variable.min)},
                               {"max", (variable.max)},
                               {"nominal", (variable.nominal)}});
  if (negated) value.add("negated_alias", true);
  if (!variable.aliases.empty()) value.add("aliases", Value::array(variable.aliases));
  if (!variable.items.empty()) {
    Value items = Value::array();
    for (const fmi::EnumerationItem& item : variable.items)
      items.push(Value::object({{"name", item.name}, {"value", item.value}}));
    value.add("items", std::move(items));
  }
  return value;
}

}  // namespace

std::string fmu_text(const Fmu& fmu, Extent extent) {
  const ModelDescription& description = fmu.description;
  std::string text =
      fmt::format("{}: FMI {}\n", printable(description.model_name), printable(description.version_text, 20));
  add_line(text, "description", description.description);
  add_line(text, "file", fmu.path);
  add_line(text, "tool", description.generation_tool);
  add_line(text, "made", description.generation_date);
  add_line(text, "model version", description.model_version);
  add_line(text, "author", description.author);
  add_line(text, "copyright", description.copyright);
  add_line(text, "license", description.license);
  add_line(text, "token", description.token);
  add_line(text, "platforms", platforms_words(fmu));
  add_line(text, "default experiment", experiment_words(description.experiment));
  add_interface(text, "co-simulation", description.co_simulation);
  add_interface(text, "model exchange", description.model_exchange);
  if (description.offers_scheduled_execution)
    add_line(text, "scheduled execution", "offered, but not supported by seam");
  const std::size_t problems = fmi::description_problems(fmu).size();
  if (problems > 0) add_line(text, "problems", fmt::format("{} in the description, see seam check", problems));
  return text + variables_text(description, extent);
}

std::string fmu_check_text(const Fmu& fmu, Extent extent) {
  const std::vector<fmi::DescriptionProblem> problems = fmi::description_problems(fmu);
  std::string text;
  std::size_t errors = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const bool is_error = problems[i].grade == fmi::DescriptionProblem::Grade::error;
    errors += is_error ? 1 : 0;
    if (extent == Extent::first_lines && i >= most_rows) continue;
    const std::string place = problems[i].line > 0 ? fmt::format(":{}", problems[i].line) : std::string{};
    text += fmt::format("{}/modelDescription.xml{}: {}: {}\n", fmu.path, place, is_error ? "error" : "warning",
                        problems[i].what);
  }
  if (extent == Extent::first_lines && problems.size() > most_rows)
    text += fmt::format("… and {} more\n", problems.size() - most_rows);
  const std::size_t warnings = problems.size() - errors;
  return text + fmt::format("{}: {} error{}, {} warning{}\n", fmu.path, errors, errors == 1 ? "" : "s", warnings,
                            warnings == 1 ? "" : "s");
}

bool fmu_has_errors(const fmi::Fmu& fmu) {
  const auto problems = fmi::description_problems(fmu);
  return std::ranges::any_of(
      problems, [](const fmi::DescriptionProblem& p) { return p.grade == fmi::DescriptionProblem::Grade::error; });
}

std::string build_text(const engine::Built& built) {
  std::string text;
  for (const std::string& notice : built.notices) text += notice + "\n";
  return text + fmt::format("wrote {} with {}\n", built.file, fmt::join(built.libraries, ", "));
}

Value build_value(const engine::Built& built) {
  return Value::object({{"file", built.file},
                        {"platform", built.platform},
                        {"libraries", Value::array(built.libraries)},
                        {"notices", Value::array(built.notices)}});
}

using fmi::Interface;

Value fmu_value(const Fmu& fmu) {
  const fmi::ModelDescription& description = fmu.description;
  const auto index = std::make_shared<const fmi::VariableIndex>(description);
  Value variables = Value::made_array(description.variables.size(), [&description, index](std::size_t i) {
    return variable_value(description, *index, description.variables[i]);
  });
  const fmi::DefaultExperiment& experiment = description.experiment;
  return Value::object({{"file", fmu.path},
                        {"sha256", fmu.hash},
                        {"fmi_version", description.version_text},
                        {"model_name", description.model_name},
                        {"description", description.description},
                        {"generation_tool", description.generation_tool},
                        {"generation_date", description.generation_date},
                        {"model_version", description.model_version},
                        {"author", description.author},
                        {"copyright", description.copyright},
                        {"license", description.license},
                        {"token", description.token},
                        {"platforms", Value::array(fmu.platforms)},
                        {"ships_sources", fmu.ships_sources},
                        {"default_experiment", Value::object({{"start", experiment.start},
                                                              {"stop", experiment.stop},
                                                              {"step", experiment.step},
                                                              {"tolerance", experiment.tolerance}})},
                        {"co_simulation", interface_value(description.co_simulation)},
                        {"model_exchange", interface_value(description.model_exchange)},
                        {"scheduled_execution", description.offers_scheduled_execution},
                        {"description_problems", fmi::description_problems(fmu).size()},
                        {"variables", std::move(variables)}});
}

Value fmu_check_value(const Fmu& fmu) {
  Value list = Value::array();
  std::size_t errors = 0;
  const std::vector<fmi::DescriptionProblem> problems = fmi::description_problems(fmu);
  for (const fmi::DescriptionProblem& problem : problems) {
    const bool is_error = problem.grade == fmi::DescriptionProblem::Grade::error;
    errors += is_error ? 1 : 0;
    list.push(Value::object({{"grade", is_error ? "error" : "warning"},
                             {"line", problem.line > 0 ? Value(problem.line) : Value()},
                             {"what", problem.what}}));
  }
  return Value::object(
      {{"file", fmu.path}, {"errors", errors}, {"warnings", problems.size() - errors}, {"problems", std::move(list)}});
}

}  // namespace seam::report
