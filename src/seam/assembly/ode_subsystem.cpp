#include "seam/assembly/ode_subsystem.hpp"

#include <algorithm>

namespace seam::assembly {

OdeSubsystem::OdeSubsystem(NativeModel model, ode::Method method)
    : NativeSubsystem(std::move(model)),
      solver_(std::make_unique<ode::FixedStepSolver>(equations(), method)),
      end_(static_cast<std::size_t>(equations().sizes().inputs)),
      sampled_(end_.size()) {}

OdeSubsystem::OdeSubsystem(NativeModel model, ode::CvodeTolerances tolerances)
    : NativeSubsystem(std::move(model)),
      solver_(std::make_unique<ode::CvodeSolver>(equations(), tolerances)),
      end_(static_cast<std::size_t>(equations().sizes().inputs)),
      sampled_(end_.size()) {}

Capabilities OdeSubsystem::capabilities() const {
  const auto nature = equations().nature();
  // An error-controlled solver chooses its steps by what it sees: close to affine, but not to the last digit.
  const bool fixed_step = solver_.index() == 0;
  return {.takes_polynomials = model().reading == InputReading::signal,
          .can_evaluate = true,
          .can_shorten = nature != ode::Ode::Nature::discrete,
          .affine = fixed_step && nature != ode::Ode::Nature::nonlinear,
          // A register that moves once a solver step must be called in whole solver steps.
          .shortest_step = nature == ode::Ode::Nature::discrete ? model().solver_step : 0.0,
          .wants_micro_steps = samples_known_signals(),
          .divisible_by = fixed_step ? std::optional(model().solver_step) : std::nullopt};
}

void OdeSubsystem::integrate(const Step& step, const ode::InputSignal& input) {
  if (const auto* fixed = std::get_if<0>(&solver_)) {
    (*fixed)->advance(step.begin, step.length, solver_steps(step.length), input, x_);
  } else {
    std::get<1>(solver_)->advance(step.begin, step.length, input, x_);
  }
}

Outcome OdeSubsystem::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  const auto known = driven(step.sources);
  if (model().reading == InputReading::stepped && !known.empty()) {
    std::copy(input.coefficients, input.coefficients + sampled_.size(), sampled_.begin());
    drive(step.begin, step.sources, sampled_);
    integrate(step, {{sampled_.data(), 0, input.width}, {}, step.begin, step.length});
  } else {
    integrate(step, {input, known, step.begin, step.length});
  }
  if (input.degree == 0) {
    outputs_at(step.begin + step.length, step.begin, step.sources, {input.coefficients, end_.size()}, outputs);
  } else {
    input.at(1.0, end_);
    outputs_at(step.begin + step.length, step.begin, step.sources, end_, outputs);
  }
  return Outcome::accepted;
}

}  // namespace seam::assembly
