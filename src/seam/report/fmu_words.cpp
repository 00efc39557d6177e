#include "seam/report/fmu_words.hpp"

#include <fmt/format.h>

#include "seam/fmi/description/values.hpp"
#include "seam/formats/printable.hpp"

namespace seam::report {

using fmi::Interface;

const std::vector<Capability>& capabilities() {
  static const std::vector<Capability> table{
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
  return table;
}

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

}  // namespace seam::report
