#include "seam/fmi/description/ports.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "seam/fmi/description/values.hpp"

namespace seam::fmi {
namespace {

std::optional<std::uint64_t> size_of(const ModelDescription& description, const Dimension& dimension,
                                     const Structure& structure) {
  if (dimension.start) return dimension.start;
  if (!dimension.value_reference) return std::nullopt;
  if (const auto set = structure.find(*dimension.value_reference); set != structure.end()) return set->second;
  for (const Variable& v : description.variables) {
    if (v.value_reference != *dimension.value_reference || v.start.empty()) continue;
    std::string reason;
    if (const auto size = parse_values(Type::uint64, {v.start.front()}, reason))
      return static_cast<std::uint64_t>(size->integers[0]);
  }
  return std::nullopt;
}

std::vector<std::uint64_t> sizes_of(const ModelDescription& description, const Variable& variable,
                                    const Structure& structure) {
  std::vector<std::uint64_t> sizes;
  for (const Dimension& dimension : variable.dimensions)
    sizes.push_back(size_of(description, dimension, structure).value_or(0));
  return sizes;
}

const std::string& start_text(const Variable& v, std::size_t element) {
  return v.start[v.start.size() == 1 ? 0 : std::min(element, v.start.size() - 1)];
}

/// The start value of an element of an input: what it has while nothing is connected.
std::optional<double> start_of(const Variable& v, std::size_t element) {
  if (v.start.empty()) return std::nullopt;
  std::string reason;
  const auto value = parse_values(Type::float64, {start_text(v, element)}, reason);
  return value ? std::optional(value->reals[0]) : std::nullopt;
}

/// The same where it is no real.
system::DiscreteValue first_of(const Variable& v, std::size_t element) {
  system::DiscreteValue discrete_value;
  std::string reason;
  if (v.start.empty() || v.type == Type::clock) return discrete_value;
  const auto value = parse_values(v.type, {start_text(v, element)}, reason);
  if (value && store_of(v.type) == Store::integers) discrete_value.integer = value->integers[0];
  if (value && store_of(v.type) == Store::texts)
    discrete_value.text = v.type == Type::binary ? bytes_of(value->texts[0]).value_or("") : value->texts[0];
  return discrete_value;
}

/// What the FMU itself says of the unit, where that is not what the name usually means.
std::optional<system::Unit> defined_unit(const ModelDescription& description, const std::string& name) {
  const auto found = std::find_if(description.units.begin(), description.units.end(),
                                  [&](const Unit& unit) { return unit.name == name && unit.has_base; });
  if (name.empty() || found == description.units.end()) return std::nullopt;
  system::Unit unit;
  std::copy(std::begin(found->exponents), std::end(found->exponents), unit.exponents.begin());
  unit.factor = found->factor;
  unit.offset = found->offset;
  const auto usual = system::parse_unit(name);
  return usual && system::same_meaning(*usual, unit) ? std::nullopt : std::optional(unit);
}

/// A time-based input clock: only the importer can tick it.
bool is_ticked_here(const Variable& v) {
  return v.type == Type::clock && v.causality == Causality::input && v.clock.interval_variability != "triggered";
}

/// Ports of one causality, element by element.
struct Side {
  std::vector<PortVariable> variables = {};
  std::vector<system::Port> ports = {};
  std::vector<const Variable*> owners = {};

  void add(const ModelDescription& description, const Structure& structure, const Variable& v) {
    if (!element_count(description, v, structure)) return;
    std::vector<system::Port> elements = elements_of(description, structure, v);
    variables.push_back({&v, ports.size(), elements.size()});
    owners.insert(owners.end(), elements.size(), &v);
    std::move(elements.begin(), elements.end(), std::back_inserter(ports));
  }
};

/// One an owner; the first of several.
std::vector<const Unknown*> said_of(const std::vector<const Variable*>& owners, const std::vector<Unknown>& listed,
                                    const ModelDescription& description) {
  std::vector<const Unknown*> by_variable(description.variables.size());
  for (const Unknown& unknown : listed) {
    if (!by_variable[unknown.variable]) by_variable[unknown.variable] = &unknown;
  }
  std::vector<const Unknown*> result;
  for (const Variable* owner : owners)
    result.push_back(by_variable[static_cast<std::size_t>(owner - description.variables.data())]);
  return result;
}

bool depends(const Unknown& unknown, const ModelDescription& description, const Ports& ports, int input) {
  const Variable* u = ports.input_owners[static_cast<std::size_t>(input)];
  return std::any_of(unknown.dependencies->begin(), unknown.dependencies->end(),
                     [&](std::size_t known) { return &description.variables[known] == u; });
}

}  // namespace

std::optional<system::Unit> unit_meaning(const ModelDescription& description, const std::string& name) {
  const auto defined = defined_unit(description, name);
  return defined ? defined : system::parse_unit(name);
}

system::PortType port_type(Type type) {
  using system::PortType;
  static constexpr PortType types[] = {PortType::real,   PortType::real,        PortType::int8,    PortType::uint8,
                                       PortType::int16,  PortType::uint16,      PortType::int32,   PortType::uint32,
                                       PortType::int64,  PortType::uint64,      PortType::boolean, PortType::string,
                                       PortType::binary, PortType::enumeration, PortType::clock};
  return types[static_cast<int>(type)];
}

std::optional<std::size_t> element_count(const ModelDescription& description, const Variable& variable,
                                         const Structure& structure) {
  constexpr std::uint64_t most = 10'000'000;
  std::uint64_t count = 1;
  for (const Dimension& dimension : variable.dimensions) {
    const auto size = size_of(description, dimension, structure);
    if (!size || (*size > 0 && count > most / *size)) return std::nullopt;
    count *= *size;
  }
  return static_cast<std::size_t>(count);
}

std::string element_name(const ModelDescription& description, const Variable& variable, const Structure& structure,
                         std::size_t element) {
  if (variable.dimensions.empty()) return variable.name;
  const auto sizes = sizes_of(description, variable, structure);
  std::string indices;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    indices = std::to_string(element % sizes[d] + 1) + (indices.empty() ? "" : "," + indices);
    element /= sizes[d];
  }
  return variable.name + "[" + indices + "]";
}

std::vector<system::Port> elements_of(const ModelDescription& description, const Structure& structure,
                                      const Variable& v) {
  const bool input = v.causality == Causality::input;
  system::Port port;
  port.unit = v.unit;
  port.defined_unit = defined_unit(description, v.unit);
  port.type = port_type(v.type);
  port.mime_type = v.mime_type;
  port.min = v.min;
  port.max = v.max;
  if (v.nominal && std::abs(*v.nominal) > 0.0) port.nominal = std::abs(*v.nominal);
  port.terminal = {v.terminal.name, static_cast<system::Terminal::Role>(v.terminal.role)};
  if (v.relative_quantity) port.quantity = system::Quantity::difference;
  if (v.type == Type::float32) port.precision = system::Precision::single;
  const bool real = port.type == system::PortType::real;
  const bool continuous = v.variability == Variability::continuous && real;
  port.variability = continuous ? system::Variability::continuous : system::Variability::discrete;
  std::vector<system::Port> elements(element_count(description, v, structure).value_or(0), port);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    elements[e].name = element_name(description, v, structure, e);
    // An FMU has a value for every input, whether it says so or not.
    if (input && real) elements[e].start = start_of(v, e).value_or(0.0);
    if (input && !real) elements[e].first = first_of(v, e);
  }
  return elements;
}

Ports ports_of(const ModelDescription& description, const Structure& structure) {
  Side inputs, outputs;
  for (const bool reals : {true, false}) {
    for (const Variable& v : description.variables) {
      const bool port = v.causality == Causality::input || v.causality == Causality::output;
      if (!port || is_ticked_here(v) || (store_of(v.type) == Store::reals) != reals) continue;
      (v.causality == Causality::input ? inputs : outputs).add(description, structure, v);
    }
  }
  Ports ports{std::move(inputs.variables), std::move(outputs.variables), std::move(inputs.ports),
              std::move(outputs.ports),    std::move(inputs.owners),     std::move(outputs.owners)};
  for (std::size_t i = 0; i < ports.output_owners.size(); ++i) {
    if (!can_be_observed(*ports.output_owners[i])) ports.outputs_of_steps.push_back(static_cast<int>(i));
  }
  ports.output_unknowns = said_of(ports.output_owners, description.structure.outputs, description);
  ports.initial_unknowns = said_of(ports.output_owners, description.structure.initial_unknowns, description);
  return ports;
}

bool feeds_through(const ModelDescription& description, const Ports& ports, int output, int input) {
  const Unknown* unknown = ports.output_unknowns[static_cast<std::size_t>(output)];
  return !unknown || !unknown->dependencies || depends(*unknown, description, ports, input);
}

bool depends_at_start(const ModelDescription& description, const Ports& ports, int output, int input) {
  const Unknown* unknown = ports.initial_unknowns[static_cast<std::size_t>(output)];
  if (!unknown || !unknown->dependencies) return feeds_through(description, ports, output, input);
  return depends(*unknown, description, ports, input);
}

std::vector<std::string> names_of_states(const ModelDescription& description, const Structure& structure) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < description.structure.continuous_states.value_or(0); ++i)
    names.push_back(fmt::format("state[{}]", i + 1));
  for (const Unknown& unknown : description.structure.derivatives) {
    const Variable& derivative = description.variables[unknown.variable];
    const Variable& state = derivative.derivative_of ? description.variables[*derivative.derivative_of] : derivative;
    for (std::size_t e = 0; e < element_count(description, state, structure).value_or(1); ++e)
      names.push_back(element_name(description, state, structure, e));
  }
  return names;
}

}  // namespace seam::fmi
