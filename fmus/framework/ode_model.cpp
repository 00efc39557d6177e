#include "fmus/framework/ode_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace seam::fmus {
namespace {

const std::vector<std::string> solvers = {"euler", "midpoint", "rk4", "symplectic-euler", "implicit-euler"};
constexpr int implicit_euler = 5;  // not one of the engine's own methods

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

OdeModel::OdeModel(Version version, std::vector<Variable> parameters, Equations equations)
    : Model(version), equations_(equations), parameters_(parameters.size()) {
  for (Variable& parameter : parameters) add(std::move(parameter));
  const models::Model model = equations_(parameter_values());
  const bool solved = model.ode && model.ode->sizes().states > 0;
  if (solved) add_solver();
  add_ports(model);
  if (solved) add_states(model);
  if (model.ode) find_dependencies();
  for (std::size_t i = 0; i < model.signals.size(); ++i)
    variable(first_output_ + static_cast<int>(i)).depends_on = {time_place};
}

void OdeModel::add_solver() {
  Variable solver = parameter("solver", 3.0, "");
  solver.type = Type::enumeration;
  solver.items = solvers;
  solver.description = "method of the fixed-step solver";
  solver_ = add(std::move(solver));
  Variable step = parameter("solver_step", 0.0, "s");
  step.description = "step of the solver; 0: one a communication step";
  solver_step_ = add(std::move(step));
}

void OdeModel::add_ports(const models::Model& model) {
  inputs_ = model.inputs.size();
  outputs_ = model.outputs.size();
  first_input_ = static_cast<int>(variables().size());
  for (const models::Port& port : model.inputs) add(input(port.name, port.start.value_or(0.0), port.unit));
  first_output_ = static_cast<int>(variables().size());
  for (const models::Port& port : model.outputs) add(output(port.name, port.unit));
}

void OdeModel::add_states(const models::Model& model) {
  for (const std::string& name : model.state_names) {
    const auto shown = std::find_if(variables().begin() + first_output_, variables().end(),
                                    [&](const Variable& variable) { return variable.name == name; });
    if (shown != variables().end()) {
      state_places_.push_back(place(*shown));
    } else {
      state_places_.push_back(add(local(name, "")));
    }
  }
  first_derivative_ = static_cast<int>(variables().size());
  for (std::size_t i = 0; i < model.state_names.size(); ++i) {
    Variable derivative = local("der(" + model.state_names[i] + ")", "");
    derivative.derivative_of = state_places_[i];
    add(std::move(derivative));
  }
}

// Linear: the entries of the Jacobians that can be other than zero are those that are for parameters of no particular
// value. Otherwise all states, and the inputs the equations own up to.
void OdeModel::find_dependencies() {
  std::vector<double> generic;
  for (std::size_t i = 0; i < parameters_; ++i) generic.push_back(1.25 + 0.375 * static_cast<double>(i));
  const models::Model model = equations_(generic);
  const bool linear = model.ode->nature() == ode::Ode::Nature::linear;
  ode::Jacobians j;
  model.ode->jacobians(0.0, model.x0, std::vector<double>(inputs_, 0.5), j);
  const std::size_t n = model.x0.size();
  const auto depend = [&](int unknown, const std::vector<double>& row, std::size_t at, const std::vector<int>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!linear || row[at + i] != 0.0) variable(unknown).depends_on.push_back(places[i]);
    }
  };
  std::vector<int> input_places;
  for (std::size_t i = 0; i < inputs_; ++i) input_places.push_back(first_input_ + static_cast<int>(i));
  for (std::size_t i = 0; i < outputs_; ++i) {
    const int unknown = first_output_ + static_cast<int>(i);
    depend(unknown, j.C, i * n, state_places_);
    for (std::size_t k = 0; k < inputs_; ++k) {
      if (model.ode->feeds_through(static_cast<int>(i), static_cast<int>(k))) {
        variable(unknown).depends_on.push_back(input_places[k]);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    depend(first_derivative_ + static_cast<int>(i), j.A, i * n, state_places_);
    depend(first_derivative_ + static_cast<int>(i), j.B, i * inputs_, input_places);
  }
}

std::span<double> OdeModel::block(int first, std::size_t count) {
  if (count == 0) return {};
  return {&real(first), count};
}

std::vector<double> OdeModel::parameter_values() {
  const std::span<double> values = block(1, parameters_);
  std::vector<double> all(values.begin(), values.end());
  if (solver_ >= 0) all.push_back(static_cast<double>(integer(solver_)));
  return all;
}

void OdeModel::build() {
  std::vector<double> values = parameter_values();
  models::Model model = equations_(std::span(values).first(parameters_));
  if (model.state_names.size() != state_places_.size()) {
    throw std::runtime_error("these parameters change the number of states");
  }
  if (model.ode) {
    model.ode->jacobians(memory().time, model.x0, std::vector<double>(inputs_, 0.0), jacobians_);
    if (!finite(jacobians_.A) || !finite(jacobians_.B) || !finite(jacobians_.C) || !finite(jacobians_.D)) {
      throw std::runtime_error("the equations are not finite with these parameters; is a mass 0?");
    }
  }
  model_ = std::move(model);
  if (solver_ >= 0) {
    solves_implicitly_ = integer(solver_) == implicit_euler;
    const auto method = solves_implicitly_ ? ode::Method::euler : static_cast<ode::Method>(integer(solver_) - 1);
    solve_ = std::make_unique<ode::FixedStepSolver>(*model_.ode, method);
  }
  built_with_ = std::move(values);
  watches_steps_ = traits().completed_steps == Traits::CompletedSteps::needed;
}

void OdeModel::initialise() {
  build();
  memory().states = model_.x0;
}

void OdeModel::retune() {
  if (built_with_ != parameter_values()) build();
}

void OdeModel::evaluate() {
  for (std::size_t i = 0; i < model_.signals.size(); ++i) outputs()[i] = model_.signals[i]->at(memory().time);
  if (!model_.ode) return;
  const std::vector<double>& x = memory().states;
  for (std::size_t i = 0; i < x.size(); ++i) real(state_places_[i]) = x[i];
  model_.ode->outputs(memory().time, x, inputs(), outputs());
  if (x.empty()) return;
  const std::span<double> derivatives = block(first_derivative_, x.size());
  if (rests()) {
    std::fill(derivatives.begin(), derivatives.end(), 0.0);
  } else {
    model_.ode->derivatives(memory().time, x, inputs(), derivatives);
  }
}

void OdeModel::restore(const Memory& saved) {
  const bool begun = saved.phase != Phase::instantiated && saved.phase != Phase::configuration;
  if (saved.states.size() != state_places_.size() && (begun || !saved.states.empty())) {
    throw std::runtime_error("this is no state of this model");
  }
  for (const InputDerivative& known : saved.input_derivatives) {
    const bool fits = known.place >= first_input_ && known.place < first_input_ + static_cast<int>(inputs_);
    if (!fits || known.order < 1 || known.order > 2) throw std::runtime_error("this is no state of this model");
  }
  Model::restore(saved);
  retune();
}

bool OdeModel::linearise() {
  if (!model_.ode) return false;
  model_.ode->jacobians(memory().time, memory().states, inputs(), jacobians_);
  if (!rests()) return true;
  std::fill(jacobians_.A.begin(), jacobians_.A.end(), 0.0);
  std::fill(jacobians_.B.begin(), jacobians_.B.end(), 0.0);
  return true;
}

std::optional<double> OdeModel::partial(int unknown, int known) const {
  const std::size_t n = state_places_.size();
  const auto within = [](int place, int first, std::size_t count) {
    return place >= first && static_cast<std::size_t>(place - first) < count;
  };
  const bool is_output = within(unknown, first_output_, outputs_);
  if (!is_output && !within(unknown, first_derivative_, n)) return std::nullopt;
  const auto row = static_cast<std::size_t>(unknown - (is_output ? first_output_ : first_derivative_));
  if (within(known, first_input_, inputs_)) {
    const auto column = static_cast<std::size_t>(known - first_input_);
    return (is_output ? jacobians_.D : jacobians_.B)[row * inputs_ + column];
  }
  const auto state = std::find(state_places_.begin(), state_places_.end(), known);
  if (state == state_places_.end()) return std::nullopt;
  const auto column = static_cast<std::size_t>(state - state_places_.begin());
  return (is_output ? jacobians_.C : jacobians_.A)[row * n + column];
}

// y' = C x', because the input is held.
std::optional<double> OdeModel::output_derivative(int output) const {
  const bool known = model_.ode && output >= first_output_ && output < first_output_ + static_cast<int>(outputs_);
  if (!known) return std::nullopt;
  const std::size_t n = state_places_.size();
  const double* row = jacobians_.C.data() + static_cast<std::size_t>(output - first_output_) * n;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += row[i] * memory().reals[variables()[static_cast<std::size_t>(first_derivative_) + i].offset];
  }
  return sum;
}

}  // namespace seam::fmus
