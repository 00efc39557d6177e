// Native models to compare our FMUs with.
#pragma once

#include <vector>

#include "seam/models/mass_chain.hpp"
#include "seam/models/model.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::fmus {

/// Inputs are held over a step, or polynomials in time.
struct Native {
  Native(models::Model equations, ode::Method method)
      : model(std::move(equations)),
        solver(*model.ode, method),
        x(model.x0),
        u(model.inputs.size()),
        y(model.outputs.size()) {}
  void step(double t, double h, int steps) { follow({u.data(), 0, static_cast<int>(u.size())}, t, h, steps); }
  /// Outputs at the end are those of the input there.
  void follow(const ode::InputPolynomials& inputs, double t, double h, int steps) {
    solver.advance(t, h, steps, {inputs, {}, t, h}, x);
    inputs.at(1.0, u);
    model.ode->outputs(t + h, x, u, y);
  }
  models::Model model;
  ode::FixedStepSolver solver;
  std::vector<double> x, u, y;
};

inline models::Model left(double m, double kc, double x0) {
  models::MassChain chain;
  chain.masses = {m};
  chain.ground_springs = {10.0};
  chain.ground_dampers = {0.1};
  chain.couplings = {{models::ChainCoupling::Kind::spring, 0, kc, 0.1, 0.0, ""}};
  chain.x0 = {x0};
  chain.v0 = {0.0};
  return models::mass_chain(chain);
}

}  // namespace seam::fmus
