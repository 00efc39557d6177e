#include "seam/fmi/model_exchange/model_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "seam/base/error.hpp"
#include "seam/fmi/model_exchange/event_count.hpp"
#include "seam/fmi/model_exchange/exchange_equations.hpp"
#include "seam/fmi/model_exchange/exchange_model.hpp"
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
using ode::Arrival;

/// Discrete variables are a memory that states() does not show.
bool remembers_more_than_states(const ModelDescription& description) {
  if (description.structure.event_indicators > 0) return true;
  return std::any_of(description.variables.begin(), description.variables.end(), [](const Variable& v) {
    return v.variability == Variability::discrete && v.causality != Causality::input;
  });
}

double tolerance_of(const FmuSetup& setup) { return setup.experiment.tolerance.value_or(usual_tolerance); }

template <class Instance>
class ModelExchange final : public FmuSubsystem, assembly::States {
 public:
  explicit ModelExchange(FmuSetup setup)
      : FmuSubsystem(std::move(setup)),
        interface_(*setup_.fmu->description.model_exchange),
        inputs_(setup_, ports_, tolerance_of(setup_)),
        sides_(setup_.fmu->description, ports_, structure_of(setup_)),
        birth_(setup_, {}),
        names_(names_of_states(setup_.fmu->description, structure_of(setup_))),
        shows_all_(!remembers_more_than_states(setup_.fmu->description)) {
    facets_.states = this;
    offer_persistence(interface_);
  }

  Capabilities capabilities() const override {
    return {
        .takes_polynomials = true, .can_evaluate = true, .can_shorten = true, .affine = false, .shows_equations = true};
  }
  assembly::StepFunction prepare(const assembly::Calls& calls) override {
    if (want(calls.outputs)) read_ = wanted_outputs();
    return assembly::StepFunction::of(*this);
  }

  void initialise(double t0) override {
    if (want_all_unless_prepared()) read_ = wanted_outputs();
    end_mode();
    instance_ = birth_.initialised(t0);
    now_ = t0;
    begin_mode();
    const CallScope scope(identity_);
    instance_->states(x_);
  }

  /// In Initialization Mode all inputs are set; in Continuous-Time Mode those that may change there, the others at the
  /// begin of the next step.
  void evaluate(double t, Sources sources, In inputs, Out outputs) override {
    const ArithmeticGuard guard(arithmetic_);
    const CallScope scope(identity_);
    const In given = inputs_.driven(t, sources, inputs);
    if (instance_->mode() == Mode::initialising) {
      inputs_.set_all(*instance_, given, t);
      inputs_.remember(given);
    } else if (!wants_to_end_) {
      place(t, given);
    }
    get_reals(*instance_, read_, outputs.data());
  }

  // FMI 2.0.5 3.2.1, FMI 3.0.2 3.2: leaving Initialization Mode leads into Event Mode, with the inputs as they are.
  void begin_steps(Out outputs) override {
    const HostGuard guard;
    instance_->exit_initialisation();
    const CallScope scope(identity_);
    settle();
    make_solver();
    mark();
    get_reals(*instance_, read_, outputs.data());
  }

  Outcome advance(const Step& step, const InputPolynomials& input, Out outputs);
  Snapshot save() override;
  void restore(const Snapshot& snapshot) override;

 private:
  void give(std::span<const system::DiscreteValue> discrete_values) override { inputs_.give(discrete_values); }
  void take(std::span<system::DiscreteValue> discrete_values) override {
    take_from(*instance_, arithmetic_, read_, discrete_values);
  }
  void observe(Out reals, std::span<system::DiscreteValue> discrete_values) override {
    observe_in(*instance_, arithmetic_, reals, discrete_values);
  }

  void follow(int input, double factor, double offset) override { inputs_.follow(input, factor, offset); }
  /// Told in Event Mode, at the start of the next step.
  void tune(int parameter, double number, const system::DiscreteValue& discrete_value) override {
    tunables_.put(parameter, number, discrete_value);
  }

  std::vector<std::string> remarks() const override;

  std::string serialise() override;
  void resume(double t, std::string_view state) override;

  bool are_complete() const override { return shows_all_ && std::isinf(next_event_); }
  std::span<double> values() override { return x_; }
  std::span<const std::string> names() const override { return names_; }
  std::optional<lti::Matrix> feedthrough_matrix(double t, Sources sources, In inputs) override {
    const ArithmeticGuard guard(arithmetic_);
    const CallScope scope(identity_);
    if (instance_->mode() == Mode::initialising) inputs_.set_all(*instance_, inputs_.driven(t, sources, inputs), t);
    return start_derivatives(*instance_, interface_);
  }
  std::optional<assembly::LinearModel> linearise(double t, In inputs) override;
  assembly::LinearOffer linear_offer() const override { return offer_of(interface_); }
  bool tell_linear(double /*t*/, In /*inputs*/, const assembly::LinearNumbers& numbers) override {
    return tell_by_derivatives(*instance_, arithmetic_, numbers);
  }
  bool had_event() const override { return jumps_.jumped(); }
  assembly::EventfulEquations* eventful() override {
    if (!equations_)
      equations_ = std::make_unique<ExchangeEquations<Instance>>(*instance_, *model_, inputs_, all_outputs());
    return equations_.get();
  }

  void begin_mode() {
    identity_ = instance_->identity().c_str();
    const CallScope scope(identity_);
    model_ = std::make_unique<ExchangeModel<Instance>>(*instance_, inputs_, sides_);
    x_.resize(static_cast<std::size_t>(model_->state_count()));
    nominals_.assign(x_.size(), 1.0);
    next_event_ = std::numeric_limits<double>::infinity();
    wants_to_end_ = false;
  }
  void end_mode() {
    solver_.reset();
    equations_.reset();
    model_.reset();
    instance_.reset();
    arithmetic_ = Arithmetic::now();
  }
  void make_solver() {
    instance_->nominals(nominals_);
    solver_ = std::make_unique<ode::EventSolver>(*model_, tolerance_of(setup_), nominals_);
  }
  void place(double t, In u) {
    if (model_->place(t, x_, u) == ode::HybridOde::Answer::refused)
      throw base::Error(base::Failure::subsystem, fmt::format("{} refuses its states at {} s", identity_, t));
  }
  /// The signs of the event indicators after an event, from which the next one is a change.
  void mark() {
    if (wants_to_end_) return;
    const InputPolynomials held{inputs_.last().data(), 0, static_cast<int>(inputs_.last().size())};
    inputs_.begin({now_, 0.0, Sources::live}, held);
    inputs_.set_part(now_, now_);
    solver_->mark(now_, x_);
  }
  /// In Event Mode; ends in Continuous-Time Mode, or stays where the FMU wants to end: then it is only read.
  void settle() {
    const EventReport report = instance_->settle();
    next_event_ = report.next_event;
    wants_to_end_ = wants_to_end_ || report.wants_to_end;
    if (!wants_to_end_) instance_->enter_continuous_time_mode();
    instance_->states(x_);
    if (!report.nominals_changed || !solver_) return;
    instance_->nominals(nominals_);
    solver_->set_nominals(nominals_);
  }
  void handle_event(double t, double end, Cause cause, In before);
  double next_stop(double t, double end, double slack) const;
  double cross(double t, double end, double slack);
  Outcome end_run(const Step& step, double t, Out outputs);
  std::vector<double> own_memory() const;
  void take_memory(In flat);

  const Interface& interface_;
  ExchangeInputs inputs_;
  Tunables tunables_{setup_.tunables};
  PortBatches read_;  // what is wanted of the outputs
  DerivativeSides sides_;
  Birth<Instance> birth_;
  std::vector<std::string> names_;
  bool shows_all_;
  const char* identity_ = nullptr;
  Arithmetic arithmetic_ = Arithmetic::now();
  std::shared_ptr<Instance> instance_;
  std::unique_ptr<ExchangeModel<Instance>> model_;
  std::unique_ptr<ode::EventSolver> solver_;
  std::unique_ptr<ExchangeEquations<Instance>> equations_;  // made when they are asked for
  std::vector<double> x_, nominals_;
  double now_ = 0.0;  // differs from the communication point by rounding at most
  double next_event_ = std::numeric_limits<double>::infinity();
  bool wants_to_end_ = false;
  EventCount events_;
  JumpWatch jumps_;
};

/// `before` are the inputs left of t. Whatever jumps has jumped when Event Mode looks.
template <class Instance>
void ModelExchange<Instance>::handle_event(double t, double end, Cause cause, In before) {
  events_.add(cause);
  if (cause != Cause::input) jumps_.jump();  // a hold lets inputs jump at every communication point
  place(t, before);
  instance_->enter_event_mode();
  inputs_.set_all(*instance_, inputs_.at(t, ode::Side::right), t);
  tunables_.tell(*instance_);
  settle();
  inputs_.set_part(t, std::max(t, end));
  if (!wants_to_end_) solver_->mark(t, x_);
}

/// An event that the FMU announces for the end of the step, up to rounding, belongs to this step.
template <class Instance>
double ModelExchange<Instance>::next_stop(double t, double end, double slack) const {
  if (next_event_ <= end + slack) end = next_event_ < end - slack ? next_event_ : std::max(end, next_event_);
  const double corner = inputs_.next_corner(t + slack);
  return corner < end - slack ? corner : end;
}

/// From t to the end of the step or until the FMU wants to end; the time reached.
template <class Instance>
double ModelExchange<Instance>::cross(double t, double end, double slack) {
  constexpr int most_events = 10'000;
  for (int events = 0; events < most_events; ++events) {
    const double stop = std::max(t, next_stop(t, end, slack));
    inputs_.set_part(t, stop);
    const Arrival arrival = t < stop ? solver_->advance(t, stop, x_) : Arrival{t, Arrival::Reason::end};
    const bool at_corner = arrival.time == stop && stop < end - slack;
    t = arrival.time;
    wants_to_end_ = wants_to_end_ || model_->wants_to_end();
    if (wants_to_end_) return t;
    if (next_event_ <= t) {
      handle_event(t, end, Cause::time, inputs_.inside(t));
    } else if (arrival.reason != Arrival::Reason::end) {
      handle_event(t, end, arrival.reason == Arrival::Reason::crossing ? Cause::crossing : Cause::wish,
                   inputs_.inside(t));
    } else if (at_corner) {
      handle_event(t, end, Cause::input, inputs_.inside(t));
    }
    if (wants_to_end_ || (t >= end && next_event_ > t)) return t;
  }
  throw base::Error(
      base::Failure::subsystem,
      fmt::format("{} had {} events on the way to {} s and does not get past {} s", identity_, most_events, end, t));
}

template <class Instance>
Outcome ModelExchange<Instance>::advance(const Step& step, const InputPolynomials& input, Out outputs) {
  const ArithmeticGuard guard(arithmetic_);
  const CallScope scope(identity_);
  const double end = step.begin + step.length, slack = 1e-10 * step.length;
  jumps_.begin_call(step);
  inputs_.begin(step, input);
  const double begin = std::abs(now_ - step.begin) <= slack ? now_ : step.begin;  // for the FMU no time is lost
  try {
    inputs_.set_part(begin, end);
    const bool changed = inputs_.jump_at(begin) || tunables_.any_untold();
    if (!wants_to_end_ && changed) handle_event(begin, end, Cause::input, inputs_.last());
    now_ = wants_to_end_ ? begin : cross(begin, end, slack);
  } catch (const base::Error& error) {
    if (std::strstr(error.what(), identity_)) throw;
    throw base::Error(error.failure(), fmt::format("{}: {}", identity_, error.what()));
  }
  inputs_.remember(inputs_.at(std::min(now_, end), ode::Side::left));
  if (wants_to_end_) return end_run(step, now_, outputs);
  place(now_, inputs_.at(end, ode::Side::right));
  get_reals(*instance_, read_, outputs.data());
  return Outcome::accepted;
}

template <class Instance>
Outcome ModelExchange<Instance>::end_run(const Step& step, double t, Out outputs) {
  complaint_ = fmt::format("{} asked to end the run at {} s", identity_, t);
  if (std::abs(t - (step.begin + step.length)) > 1e-9 * step.length) return Outcome::broke_off;
  get_reals(*instance_, read_, outputs.data());
  return Outcome::ended;
}

template <class Instance>
std::vector<std::string> ModelExchange<Instance>::remarks() const {
  if (!solver_) return {};
  return {fmt::format("{} is integrated here (model exchange, relative tolerance {}): {} integrator steps{}", identity_,
                      tolerance_of(setup_), solver_->steps(), events_.words())};
}

template <class Instance>
std::vector<double> ModelExchange<Instance>::own_memory() const {
  std::vector<double> flat{now_, next_event_};
  flat.insert(flat.end(), x_.begin(), x_.end());
  flat.insert(flat.end(), inputs_.last().begin(), inputs_.last().end());
  return flat;
}

template <class Instance>
void ModelExchange<Instance>::take_memory(In flat) {
  if (flat.size() != 2 + x_.size() + inputs_.last().size())
    throw base::Error(base::Failure::internal, setup_.name + " was given a state of something else");
  now_ = flat[0];
  next_event_ = flat[1];
  std::copy_n(flat.begin() + 2, x_.size(), x_.begin());
  inputs_.remember(flat.subspan(2 + x_.size()));
  mark();
}

/// Where the continuous states are all there is, they are enough. The integrator forgets its past, which is in no
/// snapshot: a restored step is the same to the bit.
template <class Instance>
Snapshot ModelExchange<Instance>::save() {
  if (solver_) solver_->forget();
  if (!interface_.can_get_and_set_state && shows_states()) return {own_memory(), nullptr};
  const CallScope scope(identity_);
  std::weak_ptr<Instance> alive = instance_;
  return {own_memory(), std::shared_ptr<void>(instance_->save_state(), [alive](void* state) {
            if (const auto instance = alive.lock()) instance->free_state(state);
          })};
}

template <class Instance>
void ModelExchange<Instance>::restore(const Snapshot& snapshot) {
  const CallScope scope(identity_);
  if (snapshot.handle) instance_->restore_state(snapshot.handle.get());
  wants_to_end_ = false;
  take_memory(snapshot.flat);
}

/// Our doubles first, then what the FMU gave.
template <class Instance>
std::string ModelExchange<Instance>::serialise() {
  const Snapshot state = save();
  const CallScope scope(identity_);
  const auto bytes = instance_->serialise(state.handle.get());
  std::string text(reinterpret_cast<const char*>(state.flat.data()), state.flat.size() * sizeof(double));
  return text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <class Instance>
void ModelExchange<Instance>::resume(double t, std::string_view state) {
  if (want_all_unless_prepared()) read_ = wanted_outputs();
  end_mode();
  instance_ = birth_.made();
  const HostGuard guard;
  const CallScope scope(instance_->identity().c_str());
  configure(*instance_, setup_);
  now_ = t;
  begin_mode();
  std::vector<double> flat(2 + x_.size() + inputs_.last().size());
  const std::size_t own = flat.size() * sizeof(double);
  if (state.size() < own)
    throw base::Error(base::Failure::subsystem, fmt::format("{} cannot take this state: it is too short", identity_));
  std::memcpy(flat.data(), state.data(), own);
  void* handle = instance_->deserialise({reinterpret_cast<const std::byte*>(state.data()) + own, state.size() - own});
  instance_->restore_state(handle);
  instance_->free_state(handle);
  make_solver();
  take_memory(flat);
}

template <class Instance>
std::optional<assembly::LinearModel> ModelExchange<Instance>::linearise(double t, In inputs) {
  if (model_->jacobian_source() != ode::Ode::JacobianSource::analytic) return std::nullopt;
  const CallScope scope(identity_);
  if (instance_->mode() == Mode::stepping) place(t, inputs_.driven(t, Sources::live, inputs));
  return assembly::LinearModel{linear_model(*instance_, sides_, ports_), assembly::LinearModel::Origin::linearised};
}

}  // namespace

std::unique_ptr<assembly::Subsystem> make_model_exchange(FmuSetup setup) {
  if (setup.fmu->description.version != Version::fmi3)
    return std::make_unique<ModelExchange<ExchangeInstance<Exchange2>>>(std::move(setup));
  return std::make_unique<ModelExchange<ExchangeInstance<Exchange3>>>(std::move(setup));
}

}  // namespace seam::fmi
