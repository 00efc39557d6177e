#include "seam/fmi/description/words.hpp"
#include "seam/report/fmu_report.hpp"
#include "seam/report/fmu_words.hpp"

namespace seam::report {
namespace {

using fmi::Fmu;
using fmi::Interface;
using fmi::Variable;
using formats::Value;

Value optional_number(const std::optional<double>& number) { return number ? Value(*number) : Value(); }

Value interface_value(const std::optional<Interface>& interface) {
  if (!interface) return {};
  Value value = Value::object({{"model_identifier", interface->model_identifier}});
  for (const Capability& capability : capabilities()) {
    value.add(std::string(capability.key), Value((*interface).*capability.flag));
  }
  value.add("max_output_derivative_order", interface->max_output_derivative_order);
  value.add("fixed_internal_step", optional_number(interface->fixed_internal_step));
  return value;
}

Value variable_value(const fmi::ModelDescription& description, const fmi::VariableIndex& index,
                     const Variable& variable) {
  Value value = Value::object({{"name", variable.name},
                               {"description", variable.description},
                               {"value_reference", variable.value_reference},
                               {"causality", fmi::word(variable.causality)},
                               {"variability", fmi::word(variable.variability)},
                               {"initial", variable.initial ? Value(fmi::word(*variable.initial)) : Value()},
                               {"type", type_words(description, index, variable)},
                               {"unit", variable.unit},
                               {"display_unit", variable.display_unit},
                               {"start", Value::array(variable.start)},
                               {"min", optional_number(variable.min)},
                               {"max", optional_number(variable.max)},
                               {"nominal", optional_number(variable.nominal)}});
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

Value fmu_value(const Fmu& fmu) {
  const fmi::ModelDescription& description = fmu.description;
  Value variables = Value::array();
  const fmi::VariableIndex index(description);
  for (const Variable& variable : description.variables) variables.push(variable_value(description, index, variable));
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
                        {"default_experiment", Value::object({{"start", optional_number(experiment.start)},
                                                              {"stop", optional_number(experiment.stop)},
                                                              {"step", optional_number(experiment.step)},
                                                              {"tolerance", optional_number(experiment.tolerance)}})},
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
