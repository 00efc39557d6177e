// An FMI 3.0 FMU for co-simulation as a subsystem whose events we handle.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "seam/fmi/co_simulation/event_exchange.hpp"
#include "seam/fmi/co_simulation/input_mode.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/subsystem/fmu_subsystem.hpp"
#include "seam/fmi/subsystem/tunables.hpp"

namespace seam::fmi {

/// Events at communication points are dealt with together with others (DiscretePart). Those inside a macro step are
/// this FMU's own matter: it sees its inputs at that time, and the others see what it did when all have arrived.
class EventSimulation final : public FmuSubsystem, assembly::DiscretePart {
 public:
  explicit EventSimulation(FmuSetup setup)
      : FmuSubsystem(std::move(setup)),
        interface_(*setup_.fmu->description.co_simulation),
        drives_(setup_.drives, ports_.inputs),
        input_mode_(setup_, ports_, drives_),
        birth_(setup_, extras()),
        clocks_(setup_.fmu->description),
        exchange_(ports_, setup_.connected_inputs),
        inputs_now_(system::count_reals(ports_.inputs)) {
    facets_.discrete_part = this;
    offer_persistence(interface_);
  }

  assembly::Capabilities capabilities() const override {
    return {.takes_polynomials = setup_.via != system::Via::micro_steps,
            .can_evaluate = true,
            .can_shorten = interface_.can_handle_variable_step,
            .affine = false,
            .step_unit = interface_.fixed_internal_step.value_or(0.0)};
  }
  assembly::StepFunction prepare(const assembly::Calls& calls) override {
    if (slack_ == 0.0) slack_ = 1e-9 * calls.length;  // the first is the usual one
    input_mode_.prepare(calls);
    if (want(calls.outputs)) exchange_.want(ports_, wanted_ ? &*wanted_ : nullptr);
    return assembly::StepFunction::of(*this);
  }

  void initialise(double t0) override {
    if (want_all_unless_prepared()) exchange_.want(ports_, nullptr);
    start_ = t0;
    instance_.reset();
    arithmetic_ = Arithmetic::now();
    instance_ = birth_.initialised(t0);
    begin_life();
  }
  /// Between steps an event, whether there is one or not: only there outputs follow inputs.
  void evaluate(double t, assembly::Sources /*sources*/, assembly::In inputs, assembly::Out outputs) override;
  void begin_steps(assembly::Out outputs) override;
  assembly::Outcome advance(const assembly::Step& step, const assembly::InputPolynomials& input, assembly::Out outputs);
  assembly::Snapshot save() override;
  void restore(const assembly::Snapshot& snapshot) override;

 private:
  void give(std::span<const system::DiscreteValue> discrete_values) override { exchange_.give(discrete_values); }
  void take(std::span<system::DiscreteValue> discrete_values) override { exchange_.take(discrete_values); }
  void observe(assembly::Out reals, std::span<system::DiscreteValue> discrete_values) override {
    observe_in(*instance_, arithmetic_, reals, discrete_values);
  }

  void follow(int input, double factor, double offset) override { drives_.follow(input, factor, offset); }
  void tune(int parameter, double number, const system::DiscreteValue& discrete_value) override {
    const ArithmeticGuard guard(arithmetic_);
    const CallScope scope(identity_);
    tunables_.change(*instance_, parameter, number, discrete_value);
  }

  bool is_concerned(double t, assembly::In inputs) override;
  void exchange(double t, assembly::In inputs, assembly::Out outputs) override;
  Wish update() override;
  void read(assembly::Out outputs) override;
  bool takes_part() const override { return in_event_; }
  bool hears_news(double t, assembly::In inputs) override {
    return exchange_.changed(driven(t, inputs.data())) != nullptr;
  }
  void leave(double t) override;
  void refresh(double t, assembly::In inputs, assembly::Out outputs) override;
  bool jumped() const override { return jumped_; }
  Arrival advance_to_event(const assembly::Step& step, const assembly::InputPolynomials& input,
                           assembly::Out outputs) override;
  bool can_go_back() const override { return interface_.can_get_and_set_state; }
  std::string what_changed() const override { return changed_ ? setup_.name + "." + *changed_ : setup_.name; }

  std::vector<std::string> remarks() const override;

  std::string serialise() override;
  void resume(double t, std::string_view bytes) override;
  std::optional<lti::Matrix> feedthrough_matrix(double t, assembly::Sources sources, assembly::In inputs) override;
  std::optional<assembly::LinearModel> linearise(double t, assembly::In inputs) override;
  assembly::LinearOffer linear_offer() const override;
  bool tell_linear(double t, assembly::In inputs, const assembly::LinearNumbers& numbers) override;
  bool had_event() const override { return pending_ || jumps_.jumped(); }

  Instance3::Extras extras() {
    Instance3::Extras extras = input_mode_.extras();
    extras.events = interface_.can_handle_variable_step ? EventUse::event_mode_with_early_return : EventUse::event_mode;
    return extras;
  }
  void begin_life() {
    identity_ = instance_->identity().c_str();
    in_event_ = wants_to_end_ = false;
    next_event_ = std::numeric_limits<double>::infinity();
  }
  /// Times that should be equal are so up to rounding.
  double slack(double t) const { return std::max(slack_, 4e-16 * std::abs(t)); }

  /// The inputs with the known signals in them.
  const double* driven(double t, const double* flat) {
    for (const WholeDrive& drive : drives_.wholes) exchange_.give_whole(drive.discrete_value, drive.at(t, setup_.name));
    if (drives_.reals.empty()) return flat;
    std::copy_n(flat, inputs_now_.size(), inputs_now_.begin());
    for (const assembly::Drive& drive : drives_.reals)
      inputs_now_[static_cast<std::size_t>(drive.input)] = drive.factor * drive.signal->at(t) + drive.offset;
    return inputs_now_.data();
  }
  void take_part(double t, const double* inputs);
  DiscreteUpdate end_instant();
  void end_event(double t);
  void handle_event(double t, const Motion& motion);
  void note_time(double from, double to, double reached);
  StepToEvent step_towards(double t, double end, const Motion& motion);
  StepToEvent cross(double t, double end, const Motion& motion);
  void set_moving(double t, const Motion& motion);
  const double* inputs_at(double t, const Motion& motion);
  assembly::Outcome stop(const assembly::Step& step, const StepToEvent& result);
  EventMemory own_memory() const;
  void take_memory(const EventMemory& memory);
  std::size_t own_numbers() const { return 2 + clocks_.memory_size() + exchange_.number_count(); }

  struct Saved {
    std::shared_ptr<void> of_fmu;
    EventMemory own;
  };

  const Interface& interface_;
  Drives drives_;
  Tunables tunables_{setup_.tunables};
  InputMode<Instance3> input_mode_;
  Birth<EventInstance> birth_;
  ClockTimes clocks_;
  EventExchange exchange_;
  std::vector<double> inputs_now_, moved_;
  const char* identity_ = nullptr;
  Arithmetic arithmetic_ = Arithmetic::now();
  std::shared_ptr<EventInstance> instance_;
  double start_ = 0.0, slack_ = 0.0;
  double next_event_ = std::numeric_limits<double>::infinity();
  bool in_event_ = false;        // Event Mode
  bool event_begins_ = false;    // clocks that are due have not ticked yet
  bool instant_begins_ = false;  // nothing has been set yet
  bool pending_ = false;         // the FMU has said that there is an event where it stands
  bool jumped_ = false;          // states, in the event under way or the last one
  bool wants_to_end_ = false;
  long events_ = 0, inner_events_ = 0;
  JumpWatch jumps_;
  const std::string* changed_ = nullptr;
  std::string oddity_;
};

}  // namespace seam::fmi
