#include "seam/load/fmu_subsystem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "seam/fmi/event_simulation.hpp"
#include "seam/fmi/model_exchange.hpp"
#include "seam/fmi/ports.hpp"
#include "seam/load/fmu_settings.hpp"

namespace seam::load {
namespace {

/// A file as it is now: the same path with another content is another FMU.
using FileStamp = std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>;

std::optional<FileStamp> stamp(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed) return std::nullopt;
  const auto time = std::filesystem::last_write_time(path, failed);
  if (failed) return std::nullopt;
  return FileStamp{std::filesystem::absolute(path).lexically_normal().string(), size, time};
}

/// Intermediate update is offered if it reaches every continuous input.
system::OfferedWays offered_ways(const fmi::ModelDescription& description) {
  const auto continuous_input = [](const fmi::Variable& v) {
    return v.causality == fmi::Causality::input && v.variability == fmi::Variability::continuous &&
           fmi::store_of(v.type) == fmi::Store::reals;
  };
  const auto& variables = description.variables;
  const bool all_updated = std::all_of(variables.begin(), variables.end(), [&](const fmi::Variable& v) {
    return !continuous_input(v) || (v.intermediate_update && v.type == fmi::Type::float64);
  });
  const fmi::Interface& interface = *description.co_simulation;
  return {interface.can_interpolate_inputs && description.version == fmi::Version::fmi2,
          interface.provides_intermediate_update && all_updated};
}

/// The interface that was asked for, or the first that is offered; none, with a problem, if there is no such thing.
std::optional<fmi::Purpose> purpose_of(const system::Subsystem& subsystem, const fmi::ModelDescription& description,
                                       base::Problems& problems) {
  using system::FmuInterface;
  if (subsystem.interface != FmuInterface::model_exchange && description.co_simulation) return fmi::Purpose::stepping;
  if (subsystem.interface != FmuInterface::co_simulation && description.model_exchange) return fmi::Purpose::exchange;
  const bool asked = subsystem.interface != FmuInterface::automatic;
  const char* const lacks = subsystem.interface == FmuInterface::model_exchange  ? "model exchange"
                            : subsystem.interface == FmuInterface::co_simulation ? "co-simulation"
                                                                                 : "co-simulation or model exchange";
  const bool scheduled = description.offers_scheduled_execution;
  problems.add(asked ? subsystem.interface_where : subsystem.fmu_where,
               fmt::format("\"{}\" offers no {}{}", subsystem.fmu, lacks,
                           scheduled ? ", and its scheduled execution is not driven by seam" : ""),
               asked && (description.co_simulation || description.model_exchange)
                   ? "leave interface out: seam then takes what the FMU offers"
                   : "");
  return std::nullopt;
}

bool is_clock(const fmi::Variable& v) { return v.type == fmi::Type::clock && v.causality != fmi::Causality::local; }

/// Clocks need event mode; what is asked for must be there.
void check_events(const system::Subsystem& subsystem, fmi::Purpose purpose, const fmi::ModelDescription& description,
                  base::Problems& problems) {
  const auto& variables = description.variables;
  const bool steps = purpose == fmi::Purpose::stepping;
  const bool has_mode = steps && description.co_simulation->has_event_mode && description.version == fmi::Version::fmi3;
  const auto clock = std::find_if(variables.begin(), variables.end(), is_clock);
  if (clock != variables.end() && (!steps || !has_mode)) {
    problems.add(subsystem.fmu_where,
                 fmt::format("\"{}\" has the clock \"{}\", {}", subsystem.name, clock->name,
                             steps ? "but no event mode, in which clocks tick"
                                   : "and clocks are driven for co-simulation alone"),
                 !steps && description.co_simulation ? "write  interface: cs" : "");
  } else if (clock != variables.end() && subsystem.event_mode == system::EventMode::never) {
    problems.add(subsystem.event_mode_where,
                 fmt::format("\"{}\" has the clock \"{}\", which ticks in event mode", subsystem.name, clock->name),
                 "leave event_mode out");
  }
  if (subsystem.event_mode == system::EventMode::always && !has_mode) {
    problems.add(subsystem.event_mode_where,
                 fmt::format("event_mode: always is not possible for \"{}\"", subsystem.name),
                 steps ? "the FMU has no event mode (FMI 3, hasEventMode)" : "it is for co-simulation (interface: cs)");
  }
  if (subsystem.retries > 0 && (subsystem.event_mode == system::EventMode::always || clock != variables.end()))
    problems.add(subsystem.retries_where,
                 fmt::format("retries and the event mode of \"{}\" exclude each other", subsystem.name),
                 clock != variables.end() ? "it has a clock, which ticks in event mode" : "");
}

/// Event mode where others should see what happens there.
bool uses_event_mode(const system::Subsystem& subsystem, const fmi::ModelDescription& description,
                     const FmuSurroundings& surroundings) {
  if (description.version != fmi::Version::fmi3 || !description.co_simulation->has_event_mode) return false;
  if (subsystem.event_mode != system::EventMode::automatic) return subsystem.event_mode == system::EventMode::always;
  const auto& variables = description.variables;
  if (std::any_of(variables.begin(), variables.end(), is_clock)) return true;
  if (subsystem.retries > 0) return false;
  const bool discrete_port = std::any_of(variables.begin(), variables.end(), [](const fmi::Variable& v) {
    const bool port = v.causality == fmi::Causality::input || v.causality == fmi::Causality::output;
    return port && v.variability != fmi::Variability::continuous;
  });
  const bool asked_fresh = surroundings.feedthrough == system::Feedthrough::fresh &&
                           !description.co_simulation->provides_directional_derivatives;
  return discrete_port || asked_fresh || surroundings.events == system::Events::shared;
}

void set_start(const fmi::PortVariable& input, const fmi::Values& values, std::vector<system::Port>& ports) {
  for (std::size_t e = 0; e < std::min(input.elements, values.size(input.variable->type)); ++e) {
    system::Port& port = ports[input.first + e];
    switch (fmi::store_of(input.variable->type)) {
      case fmi::Store::reals:
        port.start = values.reals[e];
        break;
      case fmi::Store::integers:
        port.first.integer = values.integers[e];
        break;
      case fmi::Store::texts:
        port.first.text = values.texts[e];
    }
  }
}

}  // namespace

std::shared_ptr<const fmi::Fmu> open_fmu_once(const std::string& path, const base::Location& where,
                                              base::Problems& problems) {
  static std::map<FileStamp, std::shared_ptr<const fmi::Fmu>> shelf;
  const auto key = stamp(path);
  if (key) {
    if (const auto known = shelf.find(*key); known != shelf.end()) return known->second;
  }
  base::Problems found;
  auto fmu = fmi::open_fmu(path, found);
  for (const base::Problem& problem : found.all()) {
    // Problems inside the FMU have no place in the system file: show the line that names the FMU.
    problems.add(problem.where.line > 0 ? problem.where : where, problem.what, problem.mend);
  }
  if (!fmu) return nullptr;
  auto shared = std::make_shared<const fmi::Fmu>(std::move(*fmu));
  if (key) shelf[*key] = shared;
  return shared;
}

void describe_fmu(system::Subsystem& subsystem, base::Problems& problems) {
  const auto fmu = open_fmu_once(subsystem.fmu, subsystem.fmu_where, problems);
  if (!fmu) return;
  const fmi::ModelDescription& description = fmu->description;
  const auto purpose = purpose_of(subsystem, description, problems);
  if (!purpose) return;
  subsystem.interface =
      *purpose == fmi::Purpose::stepping ? system::FmuInterface::co_simulation : system::FmuInterface::model_exchange;
  if (subsystem.retries > 0 && *purpose == fmi::Purpose::exchange) {
    problems.add(subsystem.retries_where,
                 fmt::format("retries is for co-simulation, and \"{}\" is used for model exchange: its integrator "
                             "shortens its steps by itself",
                             subsystem.name));
  } else if (subsystem.retries > 0 && !description.co_simulation->can_get_and_set_state) {
    problems.add(subsystem.retries_where,
                 fmt::format("retries is not possible for \"{}\": the FMU cannot save its state", subsystem.name));
  }
  check_events(subsystem, *purpose, description, problems);
  const FmuSettings settings = read_fmu_settings(subsystem, description, problems);
  fmi::Ports ports = fmi::ports_of(description, structure_of(settings));
  for (const auto& [variable, values] : settings) {  // a start value the user sets is what the input has
    for (const fmi::PortVariable& input : ports.input_variables) {
      if (input.variable == variable) set_start(input, values, ports.inputs);
    }
  }
  subsystem.inputs = std::move(ports.inputs);
  subsystem.outputs = std::move(ports.outputs);
  if (*purpose == fmi::Purpose::stepping) subsystem.offered = offered_ways(description);
  subsystem.suggested = {description.experiment.start, description.experiment.stop, description.experiment.step};
}

// The standard's promise "once a process" is about the library: a copy of it under another name is another one.
void check_single_instances(const system::SystemDescription& description, base::Problems& problems) {
  std::map<const fmi::Fmu*, const system::Subsystem*> first;
  for (const system::Subsystem& subsystem : description.subsystems) {
    if (subsystem.fmu.empty() || subsystem.private_files || subsystem.copies_allowed) continue;
    base::Problems said_before;
    const auto fmu = open_fmu_once(subsystem.fmu, subsystem.fmu_where, said_before);
    if (!fmu) continue;
    const auto purpose = purpose_of(subsystem, fmu->description, said_before);
    if (!purpose) continue;
    const auto [other, added] = first.emplace(fmu.get(), &subsystem);
    if (added || !fmi::interface_for(*purpose, fmu->description).can_be_instantiated_only_once) continue;
    problems.add(subsystem.fmu_where,
                 fmt::format("\"{}\" and \"{}\" are the same FMU, which can be instantiated only once in a process",
                             other->second->name, subsystem.name),
                 fmt::format("write  copies: allow  for \"{}\" to load a copy of its library", subsystem.name));
  }
}

bool can_be_made_only_once(const system::Subsystem& subsystem) {
  if (subsystem.private_files || subsystem.copies_allowed) return false;
  base::Problems said_before;
  const auto fmu = open_fmu_once(subsystem.fmu, subsystem.fmu_where, said_before);
  const auto purpose = fmu ? purpose_of(subsystem, fmu->description, said_before) : std::nullopt;
  return purpose && fmi::interface_for(*purpose, fmu->description).can_be_instantiated_only_once;
}

std::unique_ptr<assembly::Subsystem> make_fmu(const system::Subsystem& subsystem, FmuSurroundings surroundings,
                                              base::Problems& problems) {
  const auto fmu = open_fmu_once(subsystem.fmu, subsystem.fmu_where, problems);
  if (!fmu) return nullptr;
  const auto purpose = purpose_of(subsystem, fmu->description, problems);
  if (!purpose) return nullptr;
  fmi::CoSimulationSetup setup;
  setup.name = subsystem.name;
  setup.fmu = fmu;
  setup.settings = read_fmu_settings(subsystem, fmu->description, problems);
  const bool event_mode =
      *purpose == fmi::Purpose::stepping && uses_event_mode(subsystem, fmu->description, surroundings);
  setup.connected_inputs = std::move(surroundings.connected_inputs);
  setup.drives = std::move(surroundings.drives);
  for (const std::string& name : surroundings.tuned_parameters) setup.tunables.push_back(fmu->description.find(name));
  setup.experiment = surroundings.experiment;
  setup.logging = std::move(surroundings.logging);
  setup.sharing = subsystem.private_files || subsystem.copies_allowed ? fmi::Unpacked::Sharing::private_copy
                                                                      : fmi::Unpacked::Sharing::shared;
  setup.retries = subsystem.retries;
  setup.via = surroundings.via;
  setup.via_is_forced = surroundings.via_is_forced;
  if (event_mode) return std::make_unique<fmi::EventSimulation>(std::move(setup));
  return *purpose == fmi::Purpose::stepping ? fmi::make_co_simulation(std::move(setup))
                                            : fmi::make_model_exchange(std::move(setup));
}

}  // namespace seam::load
