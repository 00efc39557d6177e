// An FMU for model exchange as equations that another solver integrates together with those of others.
#pragma once

#include <fmt/format.h>

#include <string>

#include "seam/assembly/eventful_equations.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/model_exchange/exchange_model.hpp"

namespace seam::fmi {

/// Between events in Continuous-Time Mode, between begin_event and end_event in Event Mode.
template <class Instance>
class ExchangeEquations final : public assembly::EventfulEquations {
 public:
  ExchangeEquations(Instance& instance, ExchangeModel<Instance>& model, ExchangeInputs& inputs, PortBatches outputs)
      : instance_(instance), model_(model), inputs_(inputs), outputs_(std::move(outputs)) {}

  int state_count() const override { return model_.state_count(); }
  int indicator_count() const override { return model_.indicator_count(); }

  Answer derivatives(double t, In x, In u, Out dx) override {
    return at(t, x, u, [&] { return instance_.derivatives(dx); });
  }
  Answer outputs(double t, In x, In u, Out y) override {
    return at(t, x, u, [&] {
      get_reals(instance_, outputs_, y.data());
      return Severity::ok;
    });
  }
  Answer indicators(double t, In x, In u, Out z) override {
    return at(t, x, u, [&] { return instance_.indicators(z); });
  }
  AfterStep after_step(double t, In x, In u) override {
    if (!instance_.wants_completed_steps()) return AfterStep::go_on;
    const Call call(*this);
    model_.place(t, x, u);
    const IntegratorReport report = instance_.completed_step();
    if (report.wants_to_end) ends_at(t);
    return report.needs_event || report.wants_to_end ? AfterStep::event : AfterStep::go_on;
  }
  void states(Out x) override {
    const Call call(*this);
    instance_.states(x);
  }
  void nominals(Out values) override {
    const Call call(*this);
    instance_.nominals(values);
  }

  void begin_event(double t, In x, In u) override {
    const Call call(*this);
    model_.place(t, x, u);
    instance_.enter_event_mode();
    time_ = t;
    nominals_ = Nominals::kept;
  }
  void exchange(In u, Out y) override {
    const Call call(*this);
    inputs_.set_all(instance_, u, time_);
    get_reals(instance_, outputs_, y.data());
  }
  Update update() override {
    const Call call(*this);
    const auto said = instance_.update();
    if (said.report.nominals_changed) nominals_ = Nominals::changed;
    if (said.report.wants_to_end) ends_at(time_);
    next_event_ = said.report.next_event;
    return said.again && !said.report.wants_to_end ? Update::again : Update::settled;
  }
  Nominals end_event(Out x) override {
    const Call call(*this);
    if (wish_.empty()) instance_.enter_continuous_time_mode();
    instance_.states(x);
    return nominals_;
  }
  double next_event() const override { return next_event_; }
  std::string wish_to_end() const override { return wish_; }

 private:
  /// Who is called, and how numbers are rounded afterwards.
  struct Call {
    explicit Call(const ExchangeEquations& self) : guard(self.arithmetic_), visit(self.instance_.identity().c_str()) {}
    ArithmeticGuard guard;
    CallScope visit;
  };

  template <class Ask>
  Answer at(double t, In x, In u, const Ask& ask) {
    const Call call(*this);
    if (model_.place(t, x, u) == Answer::refused) return Answer::refused;
    return ask() == Severity::discard ? Answer::refused : Answer::given;
  }
  void ends_at(double t) { wish_ = fmt::format("{} asked to end the run at {} s", instance_.identity(), t); }

  Instance& instance_;
  ExchangeModel<Instance>& model_;
  ExchangeInputs& inputs_;
  PortBatches outputs_;
  Arithmetic arithmetic_ = Arithmetic::now();
  double time_ = 0.0;
  double next_event_ = std::numeric_limits<double>::infinity();
  Nominals nominals_ = Nominals::kept;
  std::string wish_;
};

}  // namespace seam::fmi
