// A linear model in the place of the subsystem it was made of, so that the real coupling can be analysed.
#pragma once

#include <deque>
#include <vector>

#include "seam/analysis/linear_models.hpp"

namespace seam::analysis {

/// Steps as the model's map where the coupling calls it as the map was made, otherwise as the map of its other calls
/// or, where it has none, as its equations. Values are deviations from the operating point; it begins at 0.
class StandIn final : public assembly::Subsystem, assembly::Equations, assembly::States, assembly::Excitable {
 public:
  /// The model must have a map. The original is asked what it can do and what feeds through; it is not kept.
  StandIn(SubsystemModel model, const assembly::Subsystem& original);
  /// Another of the same model, at its start.
  StandIn(const StandIn& other);

  assembly::Capabilities capabilities() const override { return can_; }
  bool feeds_through(int output, int input, assembly::Phase phase) const override;
  /// From now on the calls are of this kind. Throws base::Error(subsystem) if the model does not tell them.
  assembly::StepFunction prepare(const assembly::Calls& calls) override;
  void initialise(double t0) override;
  assembly::Outcome advance(const assembly::Step& step, const assembly::InputPolynomials& input, assembly::Out outputs);
  void evaluate(double t, assembly::Sources sources, assembly::In inputs, assembly::Out outputs) override;
  assembly::Snapshot save() override;
  void restore(const assembly::Snapshot& snapshot) override;
  /// The original can evaluate outputs without a step in a mode that it is not in.
  void allow_evaluation() { can_.can_evaluate = model_.equations.has_value(); }
  /// What a probe found, instead of as much as the original would tell.
  void offer_all();
  /// Calls as another record tells them; those of calls with fewer records stay as they are.
  void take_record(std::optional<std::size_t> other) { record_ = other; }
  /// From now on calls are those of the equations, without what the original's solver adds. They must be known.
  void solve_exactly();
  const SubsystemModel& model() const { return model_; }

 private:
  std::span<double> values() override { return {x_.data(), static_cast<std::size_t>(x_.size())}; }
  std::span<const std::string> names() const override {
    if (model_.states.size() != static_cast<std::size_t>(x_.size())) return {};  // other states than the equations have
    return model_.states;
  }
  std::optional<assembly::LinearModel> linearise(double t, assembly::In inputs) override;
  assembly::LinearOffer linear_offer() const override;
  bool tell_linear(double t, assembly::In inputs, const assembly::LinearNumbers& numbers) override;
  /// What is sampled where inputs are constant in a call is part of the input; the rest is followed by the equations,
  /// if there are any.
  void excite(int input, const ode::TimeSignal* signal, double factor) override;
  bool is_sampled(const ode::TimeSignal& signal) const {
    return !behind_ || (signal.rate() == 0.0 && !follows_known_signals_);
  }
  void follow(const ode::DrivenInput& excitation, const assembly::Step& step, Eigen::Ref<lti::Vector> outputs);
  const StepMap& map_for(double length, int degree);
  StepMap found(double length, int degree) const;
  const StepMap& equations_for(double length, int degree);

  SubsystemModel model_;
  assembly::Capabilities can_;
  assembly::LinearOffer::Kind offered_;
  std::optional<lti::StateSpace> told_;    // the equations that are offered
  bool follows_known_signals_ = false;     // else it samples them at every call, as co-simulation does
  std::vector<bool> feeds_;                // output by output
  std::optional<std::size_t> record_;      // of the others; none: the first
  std::optional<StepMap> map_;             // of the calls that were prepared
  std::optional<lti::StateSpace> behind_;  // the equations that make them, in the same states
  std::optional<InstantOutputs> instant_;  // outputs between two of them
  std::deque<StepMap> of_equations_;
  std::vector<ode::DrivenInput> excited_;
  lti::Vector x_, next_, input_;
};

}  // namespace seam::analysis
