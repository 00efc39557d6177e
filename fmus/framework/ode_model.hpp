// Equations of the engine's own models as an FMU: the same equations, solver and steps as a native subsystem, so the
// same numbers to the last bit.
#pragma once

#include <span>

#include "fmus/framework/model.hpp"
#include "seam/models/model.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::fmus {

/// Inputs are held over a step, or follow their derivatives (FMI 2), or are asked for at every stage of the solver
/// (FMI 3). Outputs after a step are those of the input at its end. A subclass may add variables, events and discrete
/// states; equations may be empty.
class OdeModel : public Model {
 public:
  /// The equations for values of the parameters, in their order. The same ports and states whatever the values.
  using Equations = models::Model (*)(std::span<const double> parameters);

  OdeModel(Version version, std::vector<Variable> parameters, Equations equations);

  void initialise() override;
  void retune() override;
  void evaluate() override;
  StepReport step(double t, double h) override;
  void restore(const Memory& saved) override;
  bool linearise() override;
  std::optional<double> partial(int unknown, int known) const override;
  std::optional<double> output_derivative(int output) const override;

 protected:
  /// Whether the states stay as they are until the next event.
  virtual bool rests() const { return false; }

 private:
  class AskedInput;
  class Walk;

  void add_ports(const models::Model& model);
  void add_states(const models::Model& model);
  void find_dependencies();
  void add_solver();
  std::span<double> block(int first, std::size_t count);
  std::span<double> inputs() { return block(first_input_, inputs_); }
  std::span<double> outputs() { return block(first_output_, outputs_); }
  std::vector<double> parameter_values();
  void build();
  ode::InputSignal signal_of(double t, double h);
  void ask(const Moment& moment);

  Equations equations_;
  std::size_t parameters_, inputs_ = 0, outputs_ = 0;
  int first_input_ = 0, first_output_ = 0, first_derivative_ = 0, solver_ = -1, solver_step_ = -1;
  std::vector<int> state_places_;  ///< of the variables that show the states; may be outputs
  models::Model model_;
  std::unique_ptr<ode::FixedStepSolver> solve_;
  bool solves_implicitly_ = false;  ///< held inputs; a walk over events goes on explicitly
  std::vector<double> built_with_;
  bool watches_steps_ = false;  ///< complete_step() matters
  ode::Jacobians jacobians_;
  std::vector<double> coefficients_;  ///< of the inputs' polynomials during a step
  double asked_at_ = 0.0;             ///< the time of the last intermediate update
};

}  // namespace seam::fmus
