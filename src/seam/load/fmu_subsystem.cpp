#include "seam/load/fmu_subsystem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "seam/assembly/resident.hpp"
#include "seam/base/grid.hpp"
#include "seam/fmi/co_simulation/co_simulation.hpp"
#include "seam/fmi/co_simulation/event_simulation.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/fmi/model_exchange/model_exchange.hpp"
#include "seam/load/fmu_settings.hpp"
#include "seam/load/kinds.hpp"
#include "seam/load/opened_fmus.hpp"
#include "seam/load/system_values.hpp"
#include "seam/system/timetable.hpp"

namespace seam::load {
namespace {

/// Intermediate update is offered if it reaches every continuous input.
system::OfferedWays offered_ways(const fmi::ModelDescription& description) {
  const auto continuous_input = [](const fmi::Variable& v) {
    return v.causality == fmi::Causality::input && v.variability == fmi::Variability::continuous &&
           fmi::store_of(v.type) == fmi::Store::reals;
  };
  const auto& variables = description.variables;
  const bool all_updated = std::ranges::all_of(variables, [&](const fmi::Variable& v) {
    return !continuous_input(v) || (v.intermediate_update && v.type == fmi::Type::float64);
  });
  const fmi::Interface& interface = *description.co_simulation;
  return {interface.can_interpolate_inputs && description.version != fmi::Version::fmi3,
          interface.provides_intermediate_update && all_updated};
}

/// The interface that was asked for, or the first that is offered; none, with a problem, if there is no such thing.
std::optional<fmi::Purpose> purpose_of(const system::FmuFile& file, const fmi::ModelDescription& description,
                                       base::Problems& problems) {
  using system::FmuInterface;
  if (file.interface != FmuInterface::model_exchange && description.co_simulation) return fmi::Purpose::stepping;
  if (file.interface != FmuInterface::co_simulation && description.model_exchange) return fmi::Purpose::exchange;
  const bool asked = file.interface != FmuInterface::automatic;
  const char* const lacks = file.interface == FmuInterface::model_exchange  ? "model exchange"
                            : file.interface == FmuInterface::co_simulation ? "co-simulation"
                                                                            : "co-simulation or model exchange";
  const bool scheduled = description.offers_scheduled_execution;
  const bool named = file.where.source && file.where.source->name == file.path;
  problems.add(asked ? file.interface_where : file.where,
               fmt::format("{} offers no {}{}", named ? "the FMU" : "\"" + file.path + "\"", lacks,
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
  const system::FmuFile& file = *subsystem.fmu();
  const bool steps = purpose == fmi::Purpose::stepping;
  const bool has_mode = steps && description.co_simulation->has_event_mode && description.version == fmi::Version::fmi3;
  const auto clock = std::ranges::find_if(variables, is_clock);
  if (clock != variables.end() && (!steps || !has_mode)) {
    problems.add(file.where,
                 fmt::format("\"{}\" has the clock \"{}\", {}", subsystem.name, clock->name,
                             steps ? "but no event mode, in which clocks tick"
                                   : "and clocks are driven for co-simulation alone"),
                 !steps && description.co_simulation ? "write  interface: cs" : "");
  } else if (clock != variables.end() && file.event_mode == system::EventMode::never) {
    problems.add(file.event_mode_where,
                 fmt::format("\"{}\" has the clock \"{}\", which ticks in event mode", subsystem.name, clock->name),
                 "leave event_mode out");
  }
  if (file.event_mode == system::EventMode::always && !has_mode) {
    problems.add(file.event_mode_where, fmt::format("event_mode: always is not possible for \"{}\"", subsystem.name),
                 steps ? "the FMU has no event mode (FMI 3, hasEventMode)" : "it is for co-simulation (interface: cs)");
  }
  if (file.retries > 0 && (file.event_mode == system::EventMode::always || clock != variables.end()))
    problems.add(file.retries_where,
                 fmt::format("retries and the event mode of \"{}\" exclude each other", subsystem.name),
                 clock != variables.end() ? "it has a clock, which ticks in event mode" : "");
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

void describe_fmu(system::Subsystem& subsystem, base::Problems& problems) {
  system::FmuFile& file = *subsystem.fmu();
  const auto fmu = file.path.empty() ? nullptr : open_fmu_once(file.path, file.where, problems);
  if (!fmu) return;
  const fmi::ModelDescription& description = fmu->description;
  const auto purpose = purpose_of(file, description, problems);
  if (!purpose) return;
  file.interface =
      *purpose == fmi::Purpose::stepping ? system::FmuInterface::co_simulation : system::FmuInterface::model_exchange;
  if (file.retries > 0 && *purpose == fmi::Purpose::exchange) {
    problems.add(file.retries_where,
                 fmt::format("retries is for co-simulation, and \"{}\" is used for model exchange: its integrator "
                             "shortens its steps by itself",
                             subsystem.name));
  } else if (file.retries > 0 && !description.co_simulation->can_get_and_set_state) {
    problems.add(file.retries_where,
                 fmt::format("retries is not possible for \"{}\": the FMU cannot save its state", subsystem.name));
  }
  check_events(subsystem, *purpose, description, problems);
  const FmuSettings settings = read_fmu_settings(subsystem, description, problems);
  const auto ports = ports_once(fmu, structure_of(settings));
  subsystem.inputs = ports->inputs;
  subsystem.outputs = ports->outputs;
  const auto is_of_input = [](const auto& setting) { return setting.first->causality == fmi::Causality::input; };
  if (std::ranges::any_of(settings, is_of_input)) {  // a start value the user sets is what the input has
    subsystem.inputs.change([&](std::vector<system::Port>& inputs) {
      for (const auto& [variable, values] : settings) {
        for (const fmi::PortVariable& input : ports->input_variables) {
          if (input.variable == variable) set_start(input, values, inputs);
        }
      }
    });
  }
  subsystem.suggested = {description.experiment.start, description.experiment.stop, description.experiment.step, {}};
  if (*purpose != fmi::Purpose::stepping) return;
  file.offered = offered_ways(description);
  subsystem.suggested.step_unit = description.co_simulation->fixed_internal_step;
}

// The standard's promise "once a process" is about the library: a copy of it under another name is another one.
bool can_be_made_only_once(const system::Subsystem& subsystem) {
  const system::FmuFile* const file = subsystem.fmu();
  if (!file || file->private_files || file->copies_allowed) return false;
  base::Problems said_before;
  const auto fmu = fmu_of(subsystem);
  const auto purpose = fmu ? purpose_of(*file, fmu->description, said_before) : std::nullopt;
  return purpose && fmi::interface_for(*purpose, fmu->description).can_be_instantiated_only_once;
}

bool is_fresh_in_event_mode(const system::Subsystem& subsystem) {
  const auto fmu = fmu_of(subsystem);
  if (!fmu || !fmu->description.co_simulation || fmu->description.version != fmi::Version::fmi3) return false;
  const system::FmuFile& file = *subsystem.fmu();
  const fmi::Interface& interface = *fmu->description.co_simulation;
  return interface.has_event_mode && !interface.provides_directional_derivatives && file.retries == 0 &&
         file.event_mode == system::EventMode::automatic && file.interface != system::FmuInterface::model_exchange;
}

void check_single_instances(const system::SystemDescription& description, base::Problems& problems) {
  std::map<const fmi::Fmu*, const system::Subsystem*> first;
  for (const system::Subsystem& subsystem : description.subsystems) {
    const system::FmuFile* const file = subsystem.fmu();
    if (!file || file->private_files || file->copies_allowed) continue;
    const auto fmu = fmu_of(subsystem);
    base::Problems said_before;
    if (!fmu || !purpose_of(*file, fmu->description, said_before)) continue;
    const auto [other, added] = first.emplace(fmu.get(), &subsystem);
    if (added || !can_be_made_only_once(subsystem)) continue;
    problems.add(file->where,
                 fmt::format("\"{}\" and \"{}\" are the same FMU, which can be instantiated only once in a process",
                             other->second->name, subsystem.name),
                 fmt::format("write  copies: allow  for \"{}\" to load a copy of its library", subsystem.name));
  }
}

namespace {

void read_fmu(const formats::Node& map, const Reach& reach, system::Subsystem& subsystem, base::Problems& problems) {
  const formats::Node& path = *map.find("fmu");
  const std::string text = read_text(path, "fmu", problems).value_or("");
  if (const std::string why = why_no_file(text); !why.empty()) {
    problems.add(path.where, fmt::format("\"{}\" {}", text, why), "write the path of the FMU itself");
  } else if (!text.empty() && !may_be_read(text, reach, path.where, problems)) {
    problems.add(path.where, fmt::format("the path \"{}\" leads out of the folder of the system file", text),
                 fmt::format("put the FMU beside the system file or into a folder below it; {}", how_to_reach));
  }
  system::FmuFile& fmu = subsystem.origin.emplace<system::FmuFile>();
  fmu.where = path.where;
  fmu.written = text;
  if (!text.empty()) fmu.path = (std::filesystem::path(reach.folder) / text).string();
  if (const formats::Node* word = map.find("interface")) {
    const auto chosen = read_word(*word, "interface", {"auto", "cs", "me"}, problems);
    fmu.interface = static_cast<system::FmuInterface>(chosen.value_or(0));
    fmu.interface_where = word->where;
  }
  if (const formats::Node* retries = map.find("retries")) {
    const auto count = read_finite(*retries, "retries", problems);
    if (count && (*count < 0 || *count > 20 || *count != std::floor(*count))) {
      problems.add(retries->where, "retries is a whole number from 0 to 20");
    } else {
      fmu.retries = static_cast<int>(count.value_or(0));
    }
    fmu.retries_where = retries->where;
  }
  if (const formats::Node* copy = map.find("private"))
    fmu.private_files = read_word(*copy, "private", {"false", "true"}, problems) == 1;
  if (const formats::Node* copies = map.find("copies"))
    fmu.copies_allowed = read_word(*copies, "copies", {"refuse", "allow"}, problems) == 1;
  if (const formats::Node* via = map.find("via")) {
    fmu.via = read_via(*via, problems).value_or(system::Via::automatic);
    fmu.via_where = via->where;
  }
  if (const formats::Node* mode = map.find("event_mode")) {
    const auto word = read_word(*mode, "event_mode", {"auto", "always", "never"}, problems);
    fmu.event_mode = static_cast<system::EventMode>(word.value_or(0));
    fmu.event_mode_where = mode->where;
  }
  if (const formats::Node* serial = map.find("serial"))
    fmu.serial = read_word(*serial, "serial", {"false", "true"}, problems) == 1;
}

/// The stop time an FMU is told: never before the end of its last call as it is computed, in one macro step (fl(t_{N-1}
/// + H)) or in up to as many parts as it has micro steps.
std::optional<double> stop_for_fmu(const Surroundings& around, int index) {
  const system::Experiment& experiment = around.description.experiment;
  if (!experiment.stop) return std::nullopt;
  const base::Grid grid{experiment.start, around.plan.step};
  const base::Division steps = base::divide(*experiment.stop - grid.start, around.plan.step);
  if (steps.whole < 1) return experiment.stop;
  const auto multiple = static_cast<base::Tick>(around.plan_of(index).multiple);
  const double begin = grid.time(steps.exact ? steps.whole - multiple : steps.whole / multiple * multiple);
  const double length = steps.exact ? around.own_step(index) : *experiment.stop - begin;
  const double micro_step = around.plan_of(index).micro_step;
  const auto most_calls = micro_step > 0.0 ? base::divide(around.own_step(index), micro_step).whole : 1;
  double last = *experiment.stop;
  for (base::Tick calls = 1; calls <= std::max<base::Tick>(most_calls, 1); ++calls) {
    const double call = length / static_cast<double>(calls);
    last = std::max(last, begin + static_cast<double>(calls - 1) * call + call);
  }
  return last;
}

/// Inputs that a connection or an event of the experiment feeds; where all are wanted, all continuous real ones.
std::vector<int> fed_inputs(const Surroundings& around, int index) {
  std::vector<int> fed;
  for (const system::Connection* connection : around.connections_to[static_cast<std::size_t>(index)])
    fed.push_back(connection->to.port);
  for (const system::Event& event : around.description.experiment.events) {
    for (const system::EventTarget& target : event.targets) {
      if (target.subsystem == index && target.input >= 0) fed.push_back(target.input);
    }
  }
  if (around.options.inputs != FmuOptions::Inputs::all) return fed;
  const auto& inputs = around.subsystem(index).inputs;
  for (int i = 0; i < static_cast<int>(system::count_reals(inputs)); ++i) {
    if (inputs[static_cast<std::size_t>(i)].variability != system::Variability::continuous) continue;
    if (std::ranges::find(fed, i) == fed.end()) fed.push_back(i);
  }
  return fed;
}

bool is_discrete(const system::Port& port) { return port.variability != system::Variability::continuous; }

/// Whether anything travels to or from a subsystem that changes at events alone.
bool exchanges_discrete_values(const Surroundings& around, int index) {
  const system::Subsystem& subsystem = around.subsystem(index);
  const auto fed = fed_inputs(around, index);
  return std::ranges::any_of(fed, [&](int i) { return is_discrete(subsystem.inputs[static_cast<std::size_t>(i)]); }) ||
         std::ranges::any_of(around.description.connections, [&](const system::Connection& connection) {
           return connection.from.subsystem == index &&
                  is_discrete(subsystem.outputs[static_cast<std::size_t>(connection.from.port)]);
         });
}

/// Event mode where others should see what happens there.
bool uses_event_mode(const Surroundings& around, int index, const fmi::ModelDescription& description) {
  const system::FmuFile& file = *around.subsystem(index).fmu();
  if (description.version != fmi::Version::fmi3 || !description.co_simulation->has_event_mode) return false;
  if (file.event_mode != system::EventMode::automatic) return file.event_mode == system::EventMode::always;
  if (std::ranges::any_of(description.variables, is_clock)) return true;
  if (file.retries > 0) return false;
  const bool asked_fresh = around.plan_of(index).feedthrough == system::Feedthrough::fresh;
  return (asked_fresh && is_fresh_in_event_mode(around.subsystem(index))) ||
         around.plan.events == system::Events::shared || exchanges_discrete_values(around, index);
}

/// Null after problems.
std::unique_ptr<assembly::Subsystem> make_fmu(const Surroundings& around, int index, base::Problems& problems) {
  const system::Subsystem& subsystem = around.subsystem(index);
  const system::FmuFile& file = *subsystem.fmu();
  const system::Experiment& experiment = around.description.experiment;
  const system::SubsystemPlan& plan = around.plan_of(index);
  const auto fmu = open_fmu_once(file.path, file.where, problems);
  if (!fmu) return nullptr;
  const auto purpose = purpose_of(file, fmu->description, problems);
  if (!purpose) return nullptr;
  fmi::FmuSetup setup;
  setup.name = subsystem.name;
  setup.fmu = fmu;
  setup.settings = read_fmu_settings(subsystem, fmu->description, problems);
  setup.ports = ports_once(fmu, structure_of(setup.settings));
  setup.connected_inputs = fed_inputs(around, index);
  setup.drives = around.drives_of(index, around.own_step(index));
  for (const std::string& name : system::tuned_parameters(around.description, index))
    setup.tunables.push_back(fmu->description.find(name));
  setup.experiment = {experiment.start, std::nullopt, experiment.tolerance};
  if (around.options.stop == FmuOptions::Stop::announced) setup.experiment.stop = stop_for_fmu(around, index);
  setup.logging = around.options.logging;
  setup.sharing =
      file.private_files || file.copies_allowed ? fmi::Unpacked::Sharing::private_copy : fmi::Unpacked::Sharing::shared;
  setup.retries = file.retries;
  setup.via = plan.via;
  setup.via_is_forced = plan.via_choice == system::SubsystemPlan::ViaChoice::of_the_user;
  if (*purpose == fmi::Purpose::exchange) return fmi::make_model_exchange(std::move(setup));
  if (uses_event_mode(around, index, fmu->description)) return std::make_unique<fmi::EventSimulation>(std::move(setup));
  return fmi::make_co_simulation(std::move(setup));
}

/// An FMU lives on the thread that steps it.
void make_fmu_member(const Surroundings& around, int index, assembly::Member& member, base::Problems& problems) {
  const FmuOptions::Homes& homes = around.options.homes;
  const int thread = homes.team ? homes.thread_of_subsystem[static_cast<std::size_t>(index)] : 0;
  const auto make = [&] { return make_fmu(around, index, problems); };
  member.drives = around.drives_of(index, around.own_step(index));
  member.subsystem = thread == 0 ? make() : assembly::make_resident(*homes.team, thread, make);
}

}  // namespace

Kind fmu_kind() {
  Kind kind{"fmu", "an FMU", "FMUs", {"interface", "retries", "private", "copies", "serial", "via", "event_mode"}};
  kind.read = read_fmu;
  kind.describe = [](system::SystemDescription& description, std::size_t number, ModelCache&,
                     base::Problems& problems) { describe_fmu(description.subsystems[number], problems); };
  kind.make = make_fmu_member;
  return kind;
}

}  // namespace seam::load
