#include "seam/load/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/assembly/linear_subsystem.hpp"
#include "seam/assembly/ode_subsystem.hpp"
#include "seam/assembly/resident.hpp"
#include "seam/assembly/sampled_signal.hpp"
#include "seam/base/grid.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/model_catalog.hpp"
#include "seam/load/solver_choice.hpp"
#include "seam/system/timetable.hpp"

namespace seam::load {
namespace {

using assembly::Assembly;
using assembly::Member;
using models::Model;
using system::Subsystem;
using system::SystemDescription;

std::vector<system::Port> ports_of(const std::vector<models::Port>& ports, system::Variability variability) {
  std::vector<system::Port> result;
  for (const models::Port& port : ports) {
    system::Port made;
    made.name = port.name;
    made.unit = port.unit;
    made.variability = variability;
    made.start = port.start;
    result.push_back(std::move(made));
  }
  return result;
}

double solver_step_of(const Subsystem& subsystem, double macro_step) {
  return subsystem.solver_step.value_or(macro_step);
}

/// Where a member comes from: what there is to be made of, and how.
struct Making {
  const SystemDescription& description;
  const system::Plan& plan;
  const FmuWishes& wishes;
  std::vector<std::shared_ptr<const Model>> models = {};                    ///< one a subsystem, null for an FMU
  std::vector<std::vector<const system::Connection*>> connections_to = {};  ///< one list a subsystem
};

/// Inputs of one subsystem that follow a signal known ahead of time, as this subsystem's solver sees it.
std::vector<assembly::Drive> drives_of(int sink, const Making& making, double solver_step) {
  std::vector<assembly::Drive> drives;
  for (const system::Connection* connection : making.connections_to[static_cast<std::size_t>(sink)]) {
    const auto source = static_cast<std::size_t>(connection->from.subsystem);
    if (!making.description.subsystems[source].is_signal) continue;
    auto signal = making.models[source]->signals[static_cast<std::size_t>(connection->from.port)];
    if (auto fitted = signal->fitted(solver_step)) signal = std::move(fitted);
    drives.push_back({connection->to.port, std::move(signal), connection->gain, connection->offset});
  }
  return drives;
}

/// The tolerance the user gave, with an absolute one in the same proportion as usual.
ode::CvodeTolerances cvode_tolerances(const std::optional<double>& asked) {
  ode::CvodeTolerances tolerances;
  if (asked) tolerances = {*asked, *asked * (tolerances.absolute / tolerances.relative)};
  return tolerances;
}

/// None: the solver has no fixed step, or makes an exact one.
std::optional<ode::Method> fixed_step_method(Solver solver) {
  switch (solver) {
    case Solver::euler:
      return ode::Method::euler;
    case Solver::midpoint:
      return ode::Method::midpoint;
    case Solver::rk4:
      return ode::Method::rk4;
    case Solver::symplectic_euler:
      return ode::Method::symplectic_euler;
    case Solver::exact:
    case Solver::cvode:
      break;
  }
  return std::nullopt;
}

std::unique_ptr<assembly::Subsystem> make_subsystem(Solver solver, assembly::NativeModel model,
                                                    const std::optional<double>& tolerance) {
  const std::optional<ode::Method> method = fixed_step_method(solver);
  const bool linear = model.ode->nature() == ode::Ode::Nature::linear;
  if (solver == Solver::exact || (linear && method))
    return std::make_unique<assembly::LinearSubsystem>(std::move(model), method);
  if (method) return std::make_unique<assembly::OdeSubsystem>(std::move(model), *method);
  return std::make_unique<assembly::OdeSubsystem>(std::move(model), cvode_tolerances(tolerance));
}

/// A signal that is sampled lasts a macro step where it has to last one step.
std::vector<std::shared_ptr<const ode::TimeSignal>> fitted_signals(const Model& model, double macro_step) {
  auto signals = model.signals;
  for (auto& signal : signals) {
    if (auto fitted = signal->fitted(macro_step)) signal = std::move(fitted);
  }
  return signals;
}

double own_step(const system::Plan& plan, int index) {
  return plan.subsystems[static_cast<std::size_t>(index)].multiple * plan.step;
}

/// The stop time an FMU is told: never before the end of the last step as it is computed (fl(t_{N-1} + H)).
std::optional<double> stop_for_fmus(const SystemDescription& description, const system::Plan& plan, int index) {
  if (!description.experiment.stop) return std::nullopt;
  const base::Grid grid{description.experiment.start, plan.step};
  const base::Division steps = base::divide(*description.experiment.stop - grid.start, plan.step);
  if (!steps.exact || steps.whole < 1) return description.experiment.stop;
  const int multiple = plan.subsystems[static_cast<std::size_t>(index)].multiple;
  return std::max(*description.experiment.stop, grid.time(steps.whole - multiple) + own_step(plan, index));
}

/// Adds the continuous real inputs that are not among the fed ones.
void feed_the_others(int index, const SystemDescription& description, std::vector<int>& fed) {
  const auto& inputs = description.subsystems[static_cast<std::size_t>(index)].inputs;
  for (int i = 0; i < static_cast<int>(system::count_reals(inputs)); ++i) {
    if (inputs[static_cast<std::size_t>(i)].variability != system::Variability::continuous) continue;
    if (std::find(fed.begin(), fed.end(), i) == fed.end()) fed.push_back(i);
  }
}

/// Of its inputs those that something feeds are set, known signals sampled at every call.
FmuSurroundings surroundings_of(int index, const Making& making) {
  const SystemDescription& description = making.description;
  const system::Plan& plan = making.plan;
  const FmuWishes& wishes = making.wishes;
  FmuSurroundings surroundings;
  surroundings.experiment = {description.experiment.start, std::nullopt, description.experiment.tolerance};
  if (wishes.stop == FmuWishes::Stop::told) surroundings.experiment.stop = stop_for_fmus(description, plan, index);
  surroundings.logging = wishes.logging;
  const system::SubsystemPlan& own = plan.subsystems[static_cast<std::size_t>(index)];
  surroundings.via = own.via;
  surroundings.via_is_forced = own.via_choice == system::SubsystemPlan::ViaChoice::of_the_user;
  surroundings.events = plan.events;
  surroundings.feedthrough = own.feedthrough;
  surroundings.drives = drives_of(index, making, own_step(plan, index));
  for (const system::Connection* connection : making.connections_to[static_cast<std::size_t>(index)])
    surroundings.connected_inputs.push_back(connection->to.port);
  for (const system::Event& event : description.experiment.events) {  // an input that events set is fed by them
    for (const system::EventTarget& target : event.targets) {
      if (target.subsystem == index && target.input >= 0) surroundings.connected_inputs.push_back(target.input);
    }
  }
  if (wishes.inputs == FmuWishes::Inputs::all) feed_the_others(index, description, surroundings.connected_inputs);
  surroundings.tuned_parameters = system::tuned_parameters(description, index);
  return surroundings;
}

Member make_member(int index, Making& making, base::Problems& problems) {
  const SystemDescription& description = making.description;
  const system::Plan& plan = making.plan;
  const Subsystem& subsystem = description.subsystems[static_cast<std::size_t>(index)];
  Member member;
  member.name = subsystem.name;
  member.inputs = subsystem.inputs;
  member.outputs = subsystem.outputs;
  if (making.wishes.in_its_place) member.subsystem = making.wishes.in_its_place(index);
  if (!subsystem.fmu.empty()) {
    FmuSurroundings surroundings = surroundings_of(index, making);
    member.drives = surroundings.drives;
    if (member.subsystem) return member;
    const FmuWishes::Homes& homes = making.wishes.homes;
    const int thread = homes.crew ? homes.thread_of_subsystem[static_cast<std::size_t>(index)] : 0;
    const auto make = [&] { return make_fmu(subsystem, std::move(surroundings), problems); };
    member.subsystem = thread == 0 ? make() : assembly::make_resident(*homes.crew, thread, make);
    return member;
  }
  if (member.subsystem) {
    member.drives = drives_of(index, making, own_step(plan, index));
    return member;
  }
  const Model& model = *making.models[static_cast<std::size_t>(index)];
  if (!model.ode) {
    member.signals = fitted_signals(model, own_step(plan, index));
    if (!subsystem.is_signal) member.subsystem = std::make_unique<assembly::SampledSignal>(member.signals);
    return member;
  }
  const auto solver = choose_solver(subsystem, model, problems);
  if (!solver) return member;
  const double solver_step = solver_step_of(subsystem, own_step(plan, index));
  member.equations = model.ode;
  member.drives = drives_of(index, making, solver_step);
  member.subsystem = make_subsystem(
      *solver,
      {.ode = member.equations,
       .x0 = model.x0,
       .state_names = model.state_names,
       .drives = member.drives,
       .reading = subsystem.input_signal == system::InputSignal::signal ? assembly::InputReading::signal
                                                                        : assembly::InputReading::stepped,
       .solver_step = solver_step},
      description.experiment.tolerance);
  return member;
}

}  // namespace

namespace {

void describe_model(SystemDescription& description, std::size_t number, ModelShelf& shelf, base::Problems& problems) {
  Subsystem& subsystem = description.subsystems[number];
  const double solver_step = solver_step_of(subsystem, description.plan.step.value_or(1.0));
  const MakeContext context{solver_step, {description.folder, description.opened_folders}};
  const auto model = shelf.model(number, subsystem, context, problems);
  if (!model) return;
  subsystem.is_signal = !model->ode && !model->sampled;
  const auto variability =
      !model->ode && model->sampled ? system::Variability::discrete : system::Variability::continuous;
  subsystem.inputs = ports_of(model->inputs, variability);
  subsystem.outputs = ports_of(model->outputs, variability);
  if (const auto solver = choose_solver(subsystem, *model, problems); solver && model->ode)
    subsystem.solver = name(*solver);
}

bool has_fmu(const SystemDescription& description) {
  return std::any_of(description.subsystems.begin(), description.subsystems.end(),
                     [](const Subsystem& s) { return !s.fmu.empty(); });
}

/// The smallest that an FMU suggests, and who suggests it.
std::optional<double> smallest_suggestion(const SystemDescription& description,
                                          std::optional<double> system::SuggestedTimes::*which, std::string& who) {
  std::optional<double> smallest;
  for (const Subsystem& subsystem : description.subsystems) {
    const std::optional<double>& suggested = subsystem.suggested.*which;
    if (!suggested || !(*suggested > 0.0) || (smallest && *suggested >= *smallest)) continue;
    smallest = suggested;
    who = subsystem.name;
  }
  return smallest;
}

/// A start time that nobody gave: the one that all FMUs with a suggestion agree on.
void suggest_start(SystemDescription& description) {
  if (description.experiment.start_where.source) return;
  std::optional<double> agreed;
  for (const Subsystem& subsystem : description.subsystems) {
    const std::optional<double>& suggested = subsystem.suggested.start;
    if (!suggested || !std::isfinite(*suggested)) continue;
    if (agreed && *agreed != *suggested) return;
    agreed = suggested;
  }
  if (!agreed || *agreed == description.experiment.start) return;
  description.experiment.start = *agreed;
  description.notices.push_back(fmt::format("start time {} s, as the FMUs suggest", *agreed));
}

/// Times that nobody gave: what the FMUs suggest; for the step, else a five-hundredth of the experiment. Of a step that
/// is to be chosen it is only where the search begins.
void suggest_times(SystemDescription& description) {
  std::string who;
  suggest_start(description);
  if (!description.experiment.stop) {
    if (const auto stop = smallest_suggestion(description, &system::SuggestedTimes::stop, who)) {
      description.experiment.stop = stop;
      description.notices.push_back(fmt::format("stop time {} s, as {} suggests", *stop, who));
    }
  }
  if (description.plan.step) return;
  const bool chosen_later = description.plan.auto_step.has_value();
  if (const auto step = smallest_suggestion(description, &system::SuggestedTimes::step, who)) {
    description.plan.step = step;
    if (!chosen_later) description.notices.push_back(fmt::format("macro step {} s, as {} suggests", *step, who));
  } else if (description.experiment.stop && (has_fmu(description) || chosen_later)) {
    description.plan.step = (*description.experiment.stop - description.experiment.start) / 500.0;
    if (chosen_later) return;
    description.notices.push_back(fmt::format(
        "macro step {} s, a five-hundredth of the experiment, since no FMU suggests one", *description.plan.step));
  }
}

}  // namespace

bool describes_by_step(const SystemDescription& description) {
  const auto& catalog = model_catalog();
  const auto asks = [&](const Subsystem& subsystem) {
    if (!subsystem.fmu.empty() || subsystem.solver_step) return false;
    return std::any_of(catalog.begin(), catalog.end(), [&](const ModelEntry& entry) {
      return entry.name == subsystem.model && entry.needs == ModelEntry::Needs::solver_step;
    });
  };
  const bool suggested = !description.plan.step || description.plan.auto_step;
  return suggested || std::any_of(description.subsystems.begin(), description.subsystems.end(), asks);
}

void describe(SystemDescription& description, base::Problems& problems, ModelShelf* shelf) {
  ModelShelf none;
  for (std::size_t i = 0; i < description.subsystems.size(); ++i) {
    Subsystem& subsystem = description.subsystems[i];
    if (!subsystem.fmu.empty()) {
      describe_fmu(subsystem, problems);
    } else if (!subsystem.inside.empty()) {
      problems.add(subsystem.inside_where, "only a system file may have whole systems inside");
    } else if (!subsystem.model.empty()) {  // that it has none was said when the file was read
      describe_model(description, i, shelf ? *shelf : none, problems);
    }
  }
  check_single_instances(description, problems);
  suggest_times(description);
}

namespace {

assembly::ParcelWire parcel_wire(const assembly::Wire& wire, const SystemDescription& description) {
  const Subsystem& source = description.subsystems[static_cast<std::size_t>(wire.from)];
  const Subsystem& sink = description.subsystems[static_cast<std::size_t>(wire.to)];
  assembly::ParcelWire result;
  result.ends = wire;
  result.from = source.outputs[static_cast<std::size_t>(wire.output)].type;
  result.to = sink.inputs[static_cast<std::size_t>(wire.input)].type;
  result.sent = wire.output - static_cast<int>(system::count_reals(source.outputs));
  const bool into_real = result.to == system::PortType::real;
  result.received = into_real ? wire.input : wire.input - static_cast<int>(system::count_reals(sink.inputs));
  return result;
}

}  // namespace

std::optional<Assembly> assemble(const SystemDescription& description, const system::Plan& plan,
                                 const FmuWishes& wishes, base::Problems& problems) {
  const std::size_t before = problems.size();
  Making making{description, plan, wishes};
  making.connections_to.resize(description.subsystems.size());
  for (const system::Connection& connection : description.connections)
    making.connections_to[static_cast<std::size_t>(connection.to.subsystem)].push_back(&connection);
  auto& models = making.models;
  ModelShelf none;
  ModelShelf& shelf = wishes.shelf ? *wishes.shelf : none;
  for (const Subsystem& subsystem : description.subsystems) {
    const std::size_t number = models.size();
    const MakeContext context{solver_step_of(subsystem, own_step(plan, static_cast<int>(number))),
                              {description.folder, description.opened_folders}};
    models.push_back(subsystem.fmu.empty() ? shelf.model(number, subsystem, context, problems) : nullptr);
  }
  if (problems.size() > before) return std::nullopt;
  Assembly assembly;
  assembly.connections = description.connections;
  for (std::size_t i = 0; i < models.size(); ++i) {
    assembly.members.push_back(make_member(static_cast<int>(i), making, problems));
  }
  if (problems.size() > before) return std::nullopt;
  for (std::size_t c = 0; c < description.connections.size(); ++c) {
    const system::Connection& connection = description.connections[c];
    const Subsystem& source = description.subsystems[static_cast<std::size_t>(connection.from.subsystem)];
    if (source.is_signal) continue;
    const assembly::Wire wire{static_cast<int>(c),     connection.from.subsystem, connection.from.port,
                              connection.to.subsystem, connection.to.port,        connection.gain,
                              connection.offset};
    if (source.outputs[static_cast<std::size_t>(wire.output)].type == system::PortType::real) {
      assembly.wires.push_back(wire);
    } else {
      assembly.parcel_wires.push_back(parcel_wire(wire, description));
      assembly.parcel_wires.back().map = connection.map;
    }
  }
  return assembly;
}

}  // namespace seam::load
