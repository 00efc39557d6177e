#include "seam/fmi/ports.hpp"

#include "seam/fmi/values.hpp"

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

bool is_real(const Variable& v) { return v.type == Type::float64 || v.type == Type::float32; }

/// The start value of an element of an input: what it has while nothing is connected.
std::optional<double> start_of(const Variable& v, std::size_t element) {
  if (v.start.empty()) return std::nullopt;
  const std::string& text = v.start[v.start.size() == 1 ? 0 : std::min(element, v.start.size() - 1)];
  std::string reason;
  const auto value = parse_values(Type::float64, {text}, reason);
  return value ? std::optional(value->reals[0]) : std::nullopt;
}

}  // namespace

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

Ports real_ports(const ModelDescription& description, const Structure& structure) {
  Ports ports;
  for (const Variable& v : description.variables) {
    const bool input = v.causality == Causality::input;
    if (!is_real(v) || (!input && v.causality != Causality::output)) continue;
    const auto elements = element_count(description, v, structure);
    if (!elements) continue;
    std::vector<system::Port>& flat = input ? ports.inputs : ports.outputs;
    (input ? ports.input_variables : ports.output_variables).push_back({&v, flat.size(), *elements});
    for (std::size_t e = 0; e < *elements; ++e) {
      system::Port port;
      port.name = element_name(description, v, structure, e);
      port.unit = v.unit;
      port.variability =
          v.variability == Variability::continuous ? system::Variability::continuous : system::Variability::discrete;
      if (input)
        port.start = start_of(v, e).value_or(0.0);  // an FMU has a value for every input, whether it says so or not
      flat.push_back(std::move(port));
    }
  }
  return ports;
}

}  // namespace seam::fmi
