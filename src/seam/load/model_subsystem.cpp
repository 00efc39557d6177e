// A built-in model in a system: how it is read, what it says of its ports, and the live subsystem.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "seam/assembly/linear_subsystem.hpp"
#include "seam/assembly/ode_subsystem.hpp"
#include "seam/assembly/sampled_signal.hpp"
#include "seam/base/names.hpp"
#include "seam/base/problem.hpp"
#include "seam/load/kinds.hpp"
#include "seam/load/system_values.hpp"
#include "seam/models/model.hpp"
#include "seam/system/description.hpp"

namespace seam::load {
namespace {

using formats::Node;
using models::Model;
using system::Subsystem;
using Nature = ode::Ode::Nature;

enum class Solver { exact, euler, midpoint, rk4, symplectic_euler, cvode };

Solver suited(const models::Model& model) {
  if (!model.ode || model.ode->sizes().states == 0 || model.ode->nature() == Nature::linear) return Solver::exact;
  return model.ode->nature() == Nature::discrete ? Solver::euler : Solver::cvode;
}

/// Why a solver cannot integrate a model, or empty.
std::string objection(Solver solver, const models::Model& model) {
  if (!model.ode || model.ode->sizes().states == 0) return {};
  const Nature nature = model.ode->nature();
  if (solver == Solver::exact && nature != Nature::linear) return "its equations are not linear";
  if (solver == Solver::cvode && nature == Nature::discrete)
    return "its states change in steps, not by differential equations";
  if (solver == Solver::symplectic_euler && model.ode->velocity_of().empty())
    return "it has no positions and velocities";
  return {};
}

/// The names a user may say, in the order of the enumerators.
const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = {"exact", "euler", "midpoint", "rk4", "symplectic-euler", "cvode"};
  return names;
}

std::string name(Solver solver) { return solver_names()[static_cast<std::size_t>(solver)]; }

/// What the user asked for if the model can be solved so (else a problem), or what suits the model.
std::optional<Solver> choose_solver(const system::Subsystem& subsystem, const models::Model& model,
                                    base::Problems& problems) {
  if (!subsystem.solver) return suited(model);
  const auto found = std::ranges::find(solver_names(), *subsystem.solver);
  if (found == solver_names().end()) {
    problems.add(subsystem.solver_where, "there is no solver \"" + *subsystem.solver + "\"",
                 base::did_you_mean(*subsystem.solver, solver_names()));
    return std::nullopt;
  }
  const auto solver = static_cast<Solver>(found - solver_names().begin());
  const std::string why_not = objection(solver, model);
  if (!why_not.empty()) {
    problems.add(subsystem.solver_where,
                 "the solver \"" + *subsystem.solver + "\" cannot integrate \"" + subsystem.name + "\": " + why_not,
                 "use " + name(suited(model)));
    return std::nullopt;
  }
  return solver;
}

void read_model(const Node& map, const Reach&, Subsystem& subsystem, base::Problems& problems) {
  const Node& name = *map.find("model");
  subsystem.origin = system::BuiltInModel{read_text(name, "model", problems).value_or(""), name.where};
  if (const Node* solver = map.find("solver")) {
    subsystem.solver = read_text(*solver, "solver", problems);
    subsystem.solver_where = solver->where;
  }
  if (const Node* step = map.find("solver_step")) {
    subsystem.solver_step = read_time(*step, "solver_step", problems);
    subsystem.solver_step_where = step->where;
  }
  if (const Node* signal = map.find("input_signal")) {
    const auto word = read_word(*signal, "input_signal", {"signal", "stepped"}, problems);
    if (word == 1) subsystem.input_signal = system::InputSignal::stepped;
    subsystem.input_signal_where = signal->where;
  }
}

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

void describe_model(system::SystemDescription& description, std::size_t number, ModelCache& cache,
                    base::Problems& problems) {
  Subsystem& subsystem = description.subsystems[number];
  if (subsystem.model()->name.empty()) return;  // that it has none was said when the file was read
  const double solver_step = subsystem.solver_step.value_or(description.plan.step.value_or(1.0));
  const MakeContext context{solver_step, {description.folder, description.opened_folders}};
  const auto model = cache.model(number, subsystem, context, problems);
  if (!model) return;
  subsystem.is_signal = !model->ode && !model->sampled;
  const auto variability =
      !model->ode && model->sampled ? system::Variability::discrete : system::Variability::continuous;
  subsystem.inputs = ports_of(model->inputs, variability);
  subsystem.outputs = ports_of(model->outputs, variability);
  subsystem.left_out = model->left_out;
  if (const auto solver = choose_solver(subsystem, *model, problems); solver && model->ode)
    subsystem.solver = name(*solver);
}

void make_model_member(const Surroundings& around, int index, assembly::Member& member, base::Problems& problems) {
  const Subsystem& subsystem = around.subsystem(index);
  const Model& model = *around.models[static_cast<std::size_t>(index)];
  if (!model.ode) {
    member.signals = fitted_signals(model, around.own_step(index));
    if (!subsystem.is_signal) member.subsystem = std::make_unique<assembly::SampledSignal>(member.signals);
    return;
  }
  const auto solver = choose_solver(subsystem, model, problems);
  if (!solver) return;
  const double solver_step = subsystem.solver_step.value_or(around.own_step(index));
  member.equations = model.ode;
  member.drives = around.drives_of(index, solver_step);
  member.subsystem = make_subsystem(
      *solver,
      {.ode = member.equations,
       .x0 = model.x0,
       .state_names = model.state_names,
       .drives = member.drives,
       .reading = subsystem.input_signal == system::InputSignal::signal ? assembly::InputReading::signal
                                                                        : assembly::InputReading::stepped,
       .solver_step = solver_step},
      around.description.experiment.tolerance);
}

}  // namespace

Kind model_kind() {
  return {"model",    "a model",      "models",         {"solver", "solver_step", "input_signal"},
          read_model, describe_model, make_model_member};
}

}  // namespace seam::load
