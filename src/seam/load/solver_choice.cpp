#include "seam/load/solver_choice.hpp"

#include <algorithm>

#include "seam/base/names.hpp"

namespace seam::load {
namespace {

using Nature = ode::Ode::Nature;

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

}  // namespace

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = {"exact", "euler", "midpoint", "rk4", "symplectic-euler", "cvode"};
  return names;
}

std::string name(Solver solver) { return solver_names()[static_cast<std::size_t>(solver)]; }

std::optional<Solver> choose_solver(const system::Subsystem& subsystem, const models::Model& model,
                                    base::Problems& problems) {
  if (!subsystem.solver) return suited(model);
  const auto found = std::find(solver_names().begin(), solver_names().end(), *subsystem.solver);
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

}  // namespace seam::load
