#include "seam/report/parameter_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/printable.hpp"
#include "seam/report/system_words.hpp"

namespace seam::report {
namespace {

using engine::ParameterOrigin;
using formats::Value;
using Source = ParameterOrigin::Source;

constexpr std::size_t most_defaults = 40;  // of a subsystem

bool is_default(const ParameterOrigin& origin) {
  return origin.source == Source::fmu || origin.source == Source::model;
}

std::string word(Source source) {
  switch (source) {
    case Source::fmu:
      return "fmu";
    case Source::model:
      return "model";
    case Source::file:
      return "file";
    case Source::flag:
      break;
  }
  return "flag";
}

/// The lines of one subsystem.
std::string lines_of(const std::vector<const ParameterOrigin*>& origins, Extent extent) {
  std::size_t names = 0, values = 0, defaults = 0;
  for (const ParameterOrigin* origin : origins) {
    names = std::max(names, formats::printable(origin->name).size());
    values = std::max(values, std::min<std::size_t>(40, formats::printable(origin->value, 60).size()));
  }
  std::string text;
  for (const ParameterOrigin* origin : origins) {
    if (is_default(*origin) && ++defaults > most_defaults && extent == Extent::first_lines) continue;
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", formats::printable(origin->name), names,
                        formats::printable(origin->value, 60), values, origin_text(*origin));
  }
  if (defaults > most_defaults && extent == Extent::first_lines)
    text += fmt::format("  … and {} more defaults; --all lists them\n", defaults - most_defaults);
  return text;
}

}  // namespace

std::string origin_text(const ParameterOrigin& origin) {
  switch (origin.source) {
    case Source::fmu:
      return "default of the FMU";
    case Source::model:
      return "default of the model";
    case Source::flag:
      return origin.where.source->name + " " +
             (origin.where.source->lines.empty() ? "" : formats::printable(origin.where.source->lines.front()));
    case Source::file:
      break;
  }
  return place_text(origin.where) + (origin.mapping.source ? " by " + place_text(origin.mapping) : "");
}

std::string parameters_text(const engine::System& system, Extent extent) {
  const std::vector<ParameterOrigin> all = engine::parameter_origins(system);
  std::string text;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    std::vector<const ParameterOrigin*> own;
    for (const ParameterOrigin& origin : all) {
      if (origin.subsystem == subsystem.name) own.push_back(&origin);
    }
    text += fmt::format("{}  ({}){}\n", formats::printable(subsystem.name), what_it_is(subsystem),
                        own.empty() ? ": no parameters" : "");
    text += lines_of(own, extent);
  }
  return text;
}

Value parameters_value(const engine::System& system) {
  Value parameters = Value::array();
  for (const ParameterOrigin& origin : engine::parameter_origins(system)) {
    parameters.push(Value::object({{"subsystem", origin.subsystem},
                                   {"name", origin.name},
                                   {"value", origin.value},
                                   {"source", word(origin.source)},
                                   {"from", origin_text(origin)}}));
  }
  return Value::object({{"name", system.description.name}, {"parameters", std::move(parameters)}});
}

}  // namespace seam::report
