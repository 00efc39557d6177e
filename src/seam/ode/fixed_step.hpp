// Solvers with a fixed step: a whole number of equal steps a call, nothing allocated.
#pragma once

#include <vector>

#include "seam/ode/input.hpp"
#include "seam/ode/ode.hpp"

namespace seam::ode {

enum class Method {
  euler,            ///< explicit, order 1
  midpoint,         ///< explicit midpoint rule, order 2: I + hA + h²A²/2
  rk4,              ///< the classical Runge-Kutta method, order 4
  symplectic_euler  ///< velocity first: v += h a(x, v), then x += h v with the new v
};

class FixedStepSolver {
 public:
  /// The ode must outlive the solver.
  FixedStepSolver(const Ode& ode, Method method);

  /// Covers [t, t + h] in `steps` equal solver steps at t + i*h/steps. A stage sees the input at its own time: the
  /// begin of a solver step looks right, its end left. A discrete ode gets after_step at the end of each solver step.
  void advance(double t, double h, int steps, const InputSignal& input, Out x);

 private:
  struct Step {
    double t = 0.0, middle = 0.0, end = 0.0;  ///< times of the stages
    double h = 0.0;
    In u, u_middle, u_end;
  };
  void step(const Step& step, Out x);
  void step_euler(const Step& step, Out x);
  void step_midpoint(const Step& step, Out x);
  void step_rk4(const Step& step, Out x);
  void step_symplectic(const Step& step, Out x);

  const Ode* ode_;
  Method method_;
  Ode::Sizes sizes_;
  Ode::Nature nature_;
  std::vector<double> u_, u_middle_, u_end_;
  std::vector<double> k1_, k2_, k3_, k4_, stage_;
};

}  // namespace seam::ode
