// An FMU for model exchange as equations: placed at a time, a state and inputs, and asked there.
#pragma once

#include <memory>
#include <vector>

#include "seam/fmi/instance/me_instance.hpp"
#include "seam/fmi/model_exchange/exchange_inputs.hpp"
#include "seam/fmi/subsystem/sensitivity.hpp"
#include "seam/ode/event_solver.hpp"

namespace seam::fmi {

/// In Continuous-Time Mode only.
template <class Instance>
class ExchangeModel final : public ode::HybridOde {
 public:
  ExchangeModel(Instance& instance, ExchangeInputs& inputs, const DerivativeSides& sides)
      : instance_(instance), inputs_(inputs), sides_(sides), sizes_(instance.sizes()) {}

  int state_count() const override { return static_cast<int>(sizes_.states); }
  int indicator_count() const override { return static_cast<int>(sizes_.indicators); }

  Answer place(double t, ode::In x, ode::In u) {
    instance_.set_time(t);
    if (instance_.set_states(x) == Severity::discard) return Answer::refused;
    inputs_.set_moving(instance_, u);
    return Answer::given;
  }
  Answer derivatives(double t, ode::In x, ode::Out dx) override {
    if (place(t, x, inputs_.inside(t)) == Answer::refused) return Answer::refused;
    return instance_.derivatives(dx) == Severity::discard ? Answer::refused : Answer::given;
  }
  Answer indicators(double t, ode::In x, ode::Out z) override {
    if (place(t, x, inputs_.inside(t)) == Answer::refused) return Answer::refused;
    return instance_.indicators(z) == Severity::discard ? Answer::refused : Answer::given;
  }
  AfterStep after_step(double t, ode::In x) override {
    if (!instance_.wants_completed_steps()) return AfterStep::go_on;
    place(t, x, inputs_.inside(t));
    const IntegratorReport report = instance_.completed_step();
    wants_to_end_ = wants_to_end_ || report.wants_to_end;
    return report.needs_event || report.wants_to_end ? AfterStep::event : AfterStep::go_on;
  }
  /// Said after a step of the integrator.
  bool wants_to_end() const { return wants_to_end_; }

  ode::Ode::JacobianSource jacobian_source() const override {
    return instance_.offers_derivatives() && sides_.lists_states && sides_.states.places.size() == sizes_.states
               ? ode::Ode::JacobianSource::analytic
               : ode::Ode::JacobianSource::differences;
  }
  void jacobian(double t, ode::In x, ode::Out rows) override {
    place(t, x, inputs_.inside(t));
    const std::size_t n = sizes_.states;
    seed_.assign(n, 0.0);
    column_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      seed_[j] = 1.0;
      instance_.directional(sides_.derivatives.references, sides_.states.references, seed_, column_);
      seed_[j] = 0.0;
      for (std::size_t i = 0; i < n; ++i) rows[i * n + j] = column_[i];
    }
  }

 private:
  Instance& instance_;
  ExchangeInputs& inputs_;
  const DerivativeSides& sides_;
  typename Instance::Sizes sizes_;
  bool wants_to_end_ = false;
  std::vector<double> seed_, column_;
};

}  // namespace seam::fmi
