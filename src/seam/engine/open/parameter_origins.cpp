#include "seam/engine/open/parameter_origins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/engine/open/models.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/overrides.hpp"

namespace seam::engine {
namespace {

using Source = ParameterOrigin::Source;

std::string text_of(const system::Value& value) {
  if (value.kind != system::Value::Kind::list) return value.text;
  std::string items;
  for (const system::Value& item : value.items) items += (items.empty() ? "" : ", ") + text_of(item);
  return "[" + items + "]";
}

class Collector {
 public:
  explicit Collector(const system::Subsystem& subsystem) : subsystem_(subsystem) {}

  void add_settings() {
    for (const system::Setting& setting : subsystem_.set) add(setting.name, setting.value, setting);
  }

  /// Variables that have a start value: parameters, inputs, and what is known at the start.
  void add_defaults(const fmi::ModelDescription& description) {
    for (const fmi::Variable& variable : description.variables) {
      if (variable.start.empty() || is_set(variable.name)) continue;
      const std::string unit = variable.unit.empty() ? "" : " " + variable.unit;
      all.push_back({subsystem_.name,
                     variable.name,
                     fmt::format("{}{}", fmt::join(variable.start, " "), unit),
                     Source::fmu,
                     {},
                     {}});
    }
  }

  void add_defaults(const std::vector<ParameterCard>& parameters) {
    for (const ParameterCard& parameter : parameters) {
      if (is_set(parameter.name)) continue;
      const bool has_unit =
          !parameter.unit.empty() && parameter.unit.front() != '<' && parameter.default_text != "none";
      all.push_back({subsystem_.name,
                     parameter.name,
                     parameter.default_text + (has_unit ? " " + parameter.unit : ""),
                     Source::model,
                     {},
                     {}});
    }
  }

  std::vector<ParameterOrigin> all;

 private:
  void add(const std::string& name, const system::Value& value, const system::Setting& setting) {
    if (value.kind == system::Value::Kind::map && !value.entries.empty()) {
      for (const auto& [entry, inner] : value.entries) add(name + "." + entry, inner, setting);
      return;
    }
    const base::Location& where = value.where.source ? value.where : setting.where;
    const bool by_flag = where.source && where.source->name == load::override_source;
    all.push_back({subsystem_.name, name, text_of(value), by_flag ? Source::flag : Source::file, where,
                   by_flag ? base::Location{} : setting.mapping});
  }

  bool is_set(const std::string& name) const {
    return std::ranges::any_of(subsystem_.set, [&](const system::Setting& setting) { return setting.name == name; });
  }

  const system::Subsystem& subsystem_;
};

}  // namespace

std::vector<ParameterOrigin> parameter_origins(const System& system) {
  std::vector<ParameterOrigin> all;
  for (const system::Subsystem& subsystem : system.description.subsystems) {
    Collector collector(subsystem);
    collector.add_settings();
    if (const auto fmu = load::fmu_of(subsystem)) collector.add_defaults(fmu->description);
    for (const ModelCard& card : model_cards()) {
      if (subsystem.model() && card.name == subsystem.model()->name) collector.add_defaults(card.parameters);
    }
    std::move(collector.all.begin(), collector.all.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace seam::engine
