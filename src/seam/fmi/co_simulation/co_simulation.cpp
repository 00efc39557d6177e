#include "seam/fmi/co_simulation/co_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/fmi/co_simulation/fresh_outputs.hpp"
#include "seam/fmi/co_simulation/hot_step.hpp"
#include "seam/fmi/co_simulation/input_mode.hpp"
#include "seam/fmi/co_simulation/restore_trial.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/instance/pooled.hpp"
#include "seam/fmi/subsystem/fmu_subsystem.hpp"
#include "seam/fmi/subsystem/tunables.hpp"

namespace seam::fmi {
namespace {

using assembly::Capabilities;
using assembly::In;
using assembly::InputPolynomials;
using assembly::Out;
using assembly::Outcome;
using assembly::Snapshot;
using assembly::Sources;
using assembly::Step;

template <class Instance>
class CoSimulation final : public FmuSubsystem {
 public:
  explicit CoSimulation(FmuSetup setup)
      : FmuSubsystem(std::move(setup)),
        interface_(*setup_.fmu->description.co_simulation),
        inputs_(ports_.input_variables, system::count_reals(ports_.inputs), &setup_.connected_inputs),
        drives_(setup_.drives, ports_.inputs),
        input_mode_(setup_, ports_, drives_),
        birth_(setup_, input_mode_.extras()),
        inputs_now_(system::count_reals(ports_.inputs)) {
    if (interface_.provides_directional_derivatives)
      fresh_.emplace(setup_.fmu->description, ports_, setup_.connected_inputs);
    CoSimulation::give(first_discrete_values(ports_.inputs));
    offer_persistence(interface_);
    hot_->self = this;
  }

  Capabilities capabilities() const override {
    return {.takes_polynomials = setup_.via != system::Via::micro_steps,
            .can_evaluate = interface_.provides_directional_derivatives,
            .can_shorten = interface_.can_handle_variable_step,
            .affine = false,
            .step_unit = interface_.fixed_internal_step.value_or(0.0),
            .shows_micro_points = !input_mode_.makes_one_step_of_all_calls()};
  }
  assembly::StepFunction prepare(const assembly::Calls& calls) override {
    if (step_length_ == 0.0) step_length_ = calls.length;  // the first is the usual one
    const bool is_new = input_mode_.prepare(calls);
    if (calls.evaluates) hot_->remembers = fresh_.has_value();
    if (want(calls.outputs)) read_ = wanted_outputs();
    if (instance_) prepare_real_step();
    hot_->look_whether_it_is_plain();
    if (instance_ && instance_->mode() == Mode::stepping && is_new) try_inputs();
    return {&Hot::make_step, hot_.get(), &Hot::make_row};
  }

  void initialise(double t0) override {
    if (want_all_unless_prepared()) read_ = wanted_outputs();
    start_ = t0;
    instance_.reset();
    hot_->arithmetic = Arithmetic::now();
    instance_ = birth_.initialised(t0);
    begin_mode();
  }

  /// Until begin_steps the FMU is in Initialization Mode, where inputs may be set and outputs read. Afterwards they may
  /// not be read between setting inputs and the next step: the outputs are those of the last step and their change with
  /// the inputs.
  void evaluate(double t, Sources /*sources*/, In inputs, Out outputs) override {
    if (instance_->mode() != Mode::initialising) return evaluate_by_derivatives(t, inputs.data(), outputs);
    const HostGuard guard;
    const CallScope scope(instance_->identity().c_str());
    set_inputs(t, inputs.data());
    read_wanted(outputs.data());
  }

  void begin_steps(Out outputs) override {
    const HostGuard guard;
    instance_->exit_initialisation();
    const CallScope scope(instance_->identity().c_str());
    read_wanted(outputs.data());
    try_restoring();
    try_inputs();
  }

  Snapshot save() override { return {{}, saved_state()}; }
  void restore(const Snapshot& snapshot) override {
    const CallScope scope(instance_->identity().c_str());
    call_watch.now_in("SetFMUState");
    instance_->restore_state(snapshot.handle.get());
  }

 private:
  void give(std::span<const system::DiscreteValue> discrete_values) override {
    for (DiscreteBatch& batch : inputs_.discrete_values) batch.gather(discrete_values);
  }
  void take(std::span<system::DiscreteValue> discrete_values) override {
    take_from(*instance_, hot_->arithmetic, read_, discrete_values);
  }
  void observe(Out reals, std::span<system::DiscreteValue> discrete_values) override {
    observe_in(*instance_, hot_->arithmetic, reals, discrete_values);
  }

  void follow(int input, double factor, double offset) override { drives_.follow(input, factor, offset); }
  void tune(int parameter, double number, const system::DiscreteValue& discrete_value) override {
    const ArithmeticGuard guard(hot_->arithmetic);
    const CallScope scope(hot_->identity);
    tunables_.change(*instance_, parameter, number, discrete_value);
  }
  std::vector<std::string> remarks() const override {
    std::vector<std::string> all = remarks_;
    if (std::string words = input_mode_.words(); !words.empty()) all.push_back(std::move(words));
    if (std::string held = fresh_ ? fresh_->what_is_held() : ""; !held.empty())
      all.push_back(setup_.name + ": sent held, since derivatives do not reach all inputs they depend on: " + held);
    return all;
  }
  std::string serialise() override {
    const std::shared_ptr<void> state = saved_state();
    const CallScope scope(instance_->identity().c_str());
    const auto bytes = instance_->serialise(state.get());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // Structural parameters first: sizes are no state. Everything else, the mode included, comes with the state.
  void resume(double t, std::string_view bytes) override {
    if (want_all_unless_prepared()) read_ = wanted_outputs();
    start_ = t;
    instance_.reset();
    hot_->arithmetic = Arithmetic::now();
    instance_ = birth_.made();
    const HostGuard guard;
    const CallScope scope(instance_->identity().c_str());
    configure(*instance_, setup_);
    void* state = instance_->deserialise({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
    instance_->restore_state(state);
    instance_->free_state(state);
    begin_mode();
    try_restoring();
    try_inputs();
  }
  std::optional<assembly::LinearModel> linearise(double /*t*/, In /*inputs*/) override {
    const CallScope scope(instance_->identity().c_str());
    return linear_by_derivatives(*instance_, interface_);
  }
  assembly::LinearOffer linear_offer() const override { return offer_of(interface_); }
  bool tell_linear(double /*t*/, In /*inputs*/, const assembly::LinearNumbers& numbers) override {
    return tell_by_derivatives(*instance_, hot_->arithmetic, numbers);
  }
  std::optional<lti::Matrix> feedthrough_matrix(double t, Sources /*sources*/, In inputs) override {
    const HostGuard guard;
    const CallScope scope(instance_->identity().c_str());
    if (instance_->mode() == Mode::initialising) set_inputs(t, inputs.data());
    return start_derivatives(*instance_, interface_);
  }

  using Hot = HotStep<Instance, CoSimulation>;
  friend Hot;
  /// A step where there is more to do than to set, step and read in place.
  [[gnu::noinline]] Outcome make_step_of_its_kind(const Step& step, const InputPolynomials& input, Out outputs) {
    Hot& hot = *hot_;
    if (hot.needs_care || (hot.tells_derivatives && input.degree > 0)) return advance_with_care(step, input, outputs);
    const double* inputs = inputs_.doubles.gathered(driven(step.begin, input.coefficients));
    typename RealStep<Instance>::Report report{};
    const StepResult result = hot.real_step(step, inputs, read_.doubles.room(outputs.data()), call_watch, report);
    if (result.outcome == Outcome::accepted) read_.doubles.scatter(outputs.data());
    if (hot.remembers) remember_end({input.coefficients, 0, input.width, step.begin, step.length}, outputs);
    return Hot::arrived(step, result) ? Outcome::accepted : judge(step, result, outputs);
  }

  void begin_mode() {
    hot_->identity = instance_->identity().c_str();
    inside_macro_step_ = false;
    hot_->tells_derivatives = setup_.via == system::Via::derivatives;
    prepare_real_step();
  }
  /// Where reals are all that travels, no step is done again and calls are not logged.
  void prepare_real_step() {
    const bool only_reals = inputs_.only_doubles() && read_.floats.references.empty();
    hot_->values_in_place = drives_.reals.empty() && inputs_.doubles.contiguous && read_.doubles.contiguous;
    hot_->needs_care = !only_reals || setup_.via == system::Via::intermediate || setup_.retries > 0 ||
                       setup_.logging.calls || input_mode_.makes_one_step_of_all_calls();
    if (!hot_->needs_care) hot_->real_step = {*instance_, inputs_.doubles.variables(), read_.doubles.variables()};
    hot_->look_whether_it_is_plain();
  }
  /// A step after which the FMU is not where it was sent, or wants to end.
  [[gnu::noinline, gnu::cold]] Outcome judge(const Step& step, StepResult result, Out outputs) {
    if (result.outcome != Outcome::accepted) return stop(step, result, outputs);
    note_time(step, result.reached);
    return Outcome::accepted;
  }
  /// What a step does where real_step does not do.
  [[gnu::noinline]] Outcome advance_with_care(const Step& step, const InputPolynomials& input, Out outputs) {
    if (input_mode_.makes_one_step_of_all_calls()) return advance_in_last_call(step, input, outputs);
    const Motion motion{input.coefficients, input.degree, input.width, step.begin, step.length};
    input_mode_.begin(*instance_, motion);
    const StepResult result = cross(motion, 0.0, 1.0, setup_.retries);
    if (result.outcome == Outcome::accepted) {
      read_wanted(outputs.data());
      if (hot_->remembers) remember_end(motion, outputs);
    }
    return Hot::arrived(step, result) ? Outcome::accepted : judge(step, result, outputs);
  }
  /// Outputs at the end of a step are those of the inputs there.
  void remember_end(const Motion& motion, Out outputs) {
    const double* set = driven(motion.begin, motion.coefficients);
    if (input_moves(motion.degree)) {
      input_mode_.end_of(motion, set, moved_inputs_);
      set = moved_inputs_.data();
    }
    fresh_->remember(set, outputs.data());
  }
  bool input_moves(int degree) const {
    return setup_.via == system::Via::intermediate || (setup_.via == system::Via::derivatives && degree > 0);
  }
  /// All calls of a macro step as one, with the inputs of the first; until then the outputs stay.
  Outcome advance_in_last_call(const Step& step, const InputPolynomials& input, Out outputs) {
    if (!std::exchange(inside_macro_step_, true)) {
      first_inputs_.assign(input.coefficients, input.coefficients + input.width);
      first_begin_ = step.begin;
    }
    if (!step.ends_macro_step) return Outcome::accepted;
    inside_macro_step_ = false;
    const double sum = step.begin + step.length - first_begin_, usual = input_mode_.macro_step();
    const double length = std::abs(sum - usual) <= 1e-9 * usual ? usual : sum;
    const Motion still{first_inputs_.data(), 0, input.width, first_begin_, length};
    const StepResult result = cross(still, 0.0, 1.0, setup_.retries);
    if (result.outcome == Outcome::accepted) {
      read_wanted(outputs.data());
      if (hot_->remembers) remember_end(still, outputs);
    }
    const Step all{first_begin_, length, step.sources};
    return Hot::arrived(all, result) ? Outcome::accepted : judge(all, result, outputs);
  }
  void try_restoring();
  void try_inputs();
  StepResult cross(const Motion& motion, double from, double to, int retries);
  Outcome stop(const Step& step, const StepResult& result, Out outputs);
  /// The first step after which the FMU says it is somewhere else than it was sent, with status OK.
  void note_time(const Step& step, double reached) {
    if (std::exchange(time_noted_, true)) return;
    remarks_.push_back(fmt::format(
        "{} reports the time {} s after the step {} s -> {} s, with status OK; its results may be shifted in time",
        instance_->identity(), reached, step.begin, step.begin + step.length));
  }

  /// Freed before the instance, or not at all if the instance went first.
  std::shared_ptr<void> saved_state() {
    const CallScope scope(instance_->identity().c_str());
    call_watch.now_in("GetFMUState");
    std::weak_ptr<Instance> alive = instance_;
    std::shared_ptr<void> saved(instance_->save_state(), [alive](void* state) {
      const auto instance = alive.lock();
      if (!instance) return;
      const CallScope at_the_end(instance->identity().c_str());
      instance->free_state(state);
    });
    prepare_real_step();  // from now on the FMU may go back
    return saved;
  }

  /// The inputs with the known signals in them.
  const double* driven(double t, const double* flat) {
    if (drives_.reals.empty()) return flat;
    std::copy_n(flat, inputs_now_.size(), inputs_now_.begin());
    for (const assembly::Drive& drive : drives_.reals)
      inputs_now_[static_cast<std::size_t>(drive.input)] = drive.factor * drive.signal->at(t) + drive.offset;
    return inputs_now_.data();
  }
  void evaluate_by_derivatives(double t, const double* flat, Out outputs) {
    if (!hot_->remembers)
      throw base::Error(base::Failure::internal, setup_.name + " must not be read between two steps");
    const ArithmeticGuard guard(hot_->arithmetic);
    const CallScope scope(hot_->identity);
    fresh_->evaluate(*instance_, driven(t, flat), outputs.data());
  }

  void set_inputs(double t, const double* flat) {
    flat = driven(t, flat);
    for (const WholeDrive& drive : drives_.wholes) {
      const std::int64_t value = drive.at(t, setup_.name);
      for (DiscreteBatch& batch : inputs_.discrete_values) batch.set_whole(drive.discrete_value, value);
    }
    set_ports(*instance_, inputs_, flat);
  }
  /// Where the inputs are inside a step that is made in parts.
  void set_moved_inputs(const Motion& motion, double t) {
    moved_inputs_.assign(motion.coefficients, motion.coefficients + motion.width);
    for (int i = 0; i < motion.width; ++i) moved_inputs_[static_cast<std::size_t>(i)] = motion.at(i, t);
    set_inputs(t, moved_inputs_.data());
  }
  void read_wanted(double* values) { get_reals(*instance_, read_, values); }

  PooledPointer<Hot> hot_ = make_pooled<Hot>();
  const Interface& interface_;
  PortBatches inputs_;  // what is set in every step
  PortBatches read_;    // what is wanted of the outputs
  Drives drives_;
  Tunables tunables_{setup_.tunables};
  InputMode<Instance> input_mode_;
  Birth<Instance> birth_;
  std::vector<double> inputs_now_;  // with the known signals in it
  std::optional<FreshOutputs> fresh_;
  std::shared_ptr<Instance> instance_;
  bool time_noted_ = false;
  bool inside_macro_step_ = false;  // that is made in one step, in the last of its calls
  std::vector<double> first_inputs_, moved_inputs_;
  double start_ = 0.0, step_length_ = 0.0, first_begin_ = 0.0;
  std::vector<std::string> remarks_;
};

/// What an FMU claims is tried on an instance of its own first.
template <class Instance>
void CoSimulation<Instance>::try_restoring() {
  if (setup_.retries > 0 && interface_.can_be_instantiated_only_once) {
    remarks_.push_back(instance_->identity() +
                       " allows one instance only: whether it restores its state could not be tried");
  } else if (setup_.retries > 0) {
    const TrialStep step{start_, step_length_, lively_inputs(ports_)};
    const Trial trial = try_a_restore(*birth_.initialised_for_trial(start_), step, ports_, inputs_, all_outputs());
    if (std::string remark = judged(trial, instance_->identity()); !remark.empty()) remarks_.push_back(remark);
  }
}

/// The same of inputs that vary inside a step.
template <class Instance>
void CoSimulation<Instance>::try_inputs() {
  const auto fresh = [&] { return birth_.initialised_for_trial(start_); };
  const bool orders = setup_.via == system::Via::derivatives, small_steps = input_mode_.calls() > 1;
  // A way that the user gave is not tried before.
  if ((!orders && !small_steps) || setup_.via_is_forced || interface_.can_be_instantiated_only_once) return;
  const TrialStep step{start_, small_steps ? input_mode_.macro_step() : step_length_, lively_inputs(ports_)};
  if (orders) input_mode_.try_orders(fresh, inputs_, step);
  if (small_steps) input_mode_.try_splitting(fresh, inputs_, all_outputs(), step, ports_);
  if (input_mode_.makes_one_step_of_all_calls()) hot_->needs_care = true;
  hot_->look_whether_it_is_plain();
}

/// A discarded step is done again in two halves, each of which may be halved again: no more than `retries` times in a
/// row.
template <class Instance>
StepResult CoSimulation<Instance>::cross(const Motion& motion, double from, double to, int retries) {
  const double t = motion.begin + from * motion.length, h = (to - from) * motion.length;
  const std::shared_ptr<void> before = setup_.retries > 0 ? saved_state() : nullptr;
  if (from == 0.0) set_inputs(t, motion.coefficients);
  if (motion.degree > 0 && setup_.via == system::Via::derivatives) {
    if (from > 0.0) set_moved_inputs(motion, t);
    input_mode_.tell_derivatives(*instance_, t);
  }
  const StepResult whole = instance_->do_step(t, h);
  if (whole.outcome != Outcome::rejected || retries == 0) return whole;
  instance_->restore_state(before.get());
  const double middle = 0.5 * (from + to);
  const StepResult first = cross(motion, from, middle, retries - 1);
  if (first.outcome != Outcome::accepted) return first;
  return cross(motion, middle, to, retries - 1);
}

/// A wish to end at the end of the step is granted there, with the outputs it has; one inside the step breaks it off.
template <class Instance>
Outcome CoSimulation<Instance>::stop(const Step& step, const StepResult& result, Out outputs) {
  if (result.outcome == Outcome::ended) {
    complaint_ = fmt::format("{} asked to end the run at {} s", instance_->identity(), result.reached);
    if (std::abs(result.reached - (step.begin + step.length)) > 1e-9 * step.length) return Outcome::broke_off;
    read_wanted(outputs.data());
    return Outcome::ended;
  }
  complaint_ = fmt::format("{} discarded the step {} s -> {} s; it reached {} s\n{}   Try: a smaller --step",
                           instance_->identity(), step.begin, step.begin + step.length, result.reached,
                           instance_->messages().last());
  if (setup_.retries == 0 && interface_.can_get_and_set_state)
    complaint_ += ", or retries: 3 (the FMU can save its state)";
  return result.outcome;
}

}  // namespace

std::unique_ptr<assembly::Subsystem> make_co_simulation(FmuSetup setup) {
  if (setup.fmu->description.version != Version::fmi3)
    return std::make_unique<CoSimulation<Instance2>>(std::move(setup));
  return std::make_unique<CoSimulation<Instance3>>(std::move(setup));
}

}  // namespace seam::fmi
