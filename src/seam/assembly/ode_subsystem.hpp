// Equations of our own, integrated step by step: fixed-step methods or CVODE.
#pragma once

#include <memory>
#include <variant>

#include "seam/assembly/native.hpp"
#include "seam/ode/cvode.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::assembly {

class OdeSubsystem final : public NativeSubsystem {
 public:
  OdeSubsystem(NativeModel model, ode::Method method);
  OdeSubsystem(NativeModel model, ode::CvodeTolerances tolerances);

  Capabilities capabilities() const override;
  StepFunction prepare(const Calls& /*calls*/) override { return StepFunction::of(*this); }
  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs);

 private:
  void integrate(const Step& step, const ode::InputSignal& input);

  std::variant<std::unique_ptr<ode::FixedStepSolver>, std::unique_ptr<ode::CvodeSolver>> solver_;
  std::vector<double> end_;      // the input at the end of the step
  std::vector<double> sampled_;  // constant inputs with the known signals sampled into them
};

}  // namespace seam::assembly
