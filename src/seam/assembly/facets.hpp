// What a subsystem may offer beyond its steps. Each facet is optional and asked for once (Subsystem::facets).
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/assembly/step.hpp"
#include "seam/lti/state_space.hpp"
#include "seam/system/description.hpp"

namespace seam::assembly {

class EventfulEquations;

using system::DiscreteValue;

struct LinearModel {
  lti::StateSpace matrices;
  enum class Origin {
    exact,      ///< the equations are linear and these are they
    linearised  ///< derivatives at the operating point
  } origin = Origin::exact;
};

/// What a subsystem can tell of its linear equations at the end of a step, between two steps.
struct LinearOffer {
  enum class Kind {
    nothing,
    feedthrough,  ///< D alone
    moving,       ///< all, around where it is
    fixed         ///< all, always the same
  } kind = Kind::nothing;
  int states = 0;
};

/// Linear equations over all real ports, column-major, in memory of the caller.
struct LinearNumbers {
  double *A = nullptr, *B = nullptr, *C = nullptr, *D = nullptr;
};

/// What is known of the equations behind the steps.
class Equations {
 public:
  /// Around (t, present state, inputs); none if no linear model describes the subsystem.
  virtual std::optional<LinearModel> linearise(double t, In inputs) = 0;
  /// Derivatives of the real outputs by the real inputs, where evaluate works and they are known better than
  /// differences tell. Rows and columns of ports that are not differentiable are 0.
  virtual std::optional<lti::Matrix> feedthrough_matrix(double /*t*/, Sources /*sources*/, In /*inputs*/) {
    return std::nullopt;
  }
  virtual LinearOffer linear_offer() const { return {}; }
  /// The same numbers as far as it offers them, right after a step that ended at t with these inputs; before the first
  /// step only where they are fixed. Allocates nothing. False if it cannot tell them now.
  virtual bool tell_linear(double /*t*/, In /*inputs*/, const LinearNumbers& /*numbers*/) { return false; }
  /// Whether anything jumped inside the last step, as far as it knows.
  virtual bool had_event() const { return false; }
  /// After begin_steps, instead of steps: the equations, to be solved together with those of others.
  virtual EventfulEquations* eventful() { return nullptr; }

 protected:
  ~Equations() = default;
};

/// The discrete part of a subsystem, where events are dealt with at communication points together with others: FMI 3's
/// Event Mode. An event has instants: values are exchanged until nothing changes, then all discrete states are updated.
/// Discrete values are given before is_concerned and exchange, and taken after exchange and read.
class DiscretePart {
 public:
  /// Whether there is something to do at the communication point t: an event, a tick, or a discrete input that changed.
  virtual bool is_concerned(double t, In inputs) = 0;
  /// Takes part in the event at t from now on: inputs in, outputs of this instant out.
  virtual void exchange(double t, In inputs, Out outputs) = 0;
  enum class Wish { rest, another_instant, end_of_run };
  /// Ends the instant.
  virtual Wish update() = 0;
  virtual void read(Out outputs) = 0;
  /// While it takes part: outputs for continuous inputs that changed, in the same instant.
  virtual void refresh(double t, In inputs, Out outputs) = 0;
  /// Whether its continuous states jumped in this event.
  virtual bool jumped() const = 0;
  virtual bool takes_part() const = 0;
  /// While it takes part: whether a discrete input differs from what it was given last.
  virtual bool hears_news(double t, In inputs) = 0;
  /// The event at t is over.
  virtual void leave(double t) = 0;
  /// Like advance, but not beyond the first event: where it stopped. It waits there to be settled.
  struct Arrival {
    Outcome outcome = Outcome::accepted;
    double time = 0.0;
    bool event = false;
  };
  virtual Arrival advance_to_event(const Step& step, const InputPolynomials& input, Out outputs) = 0;
  /// Whether save and restore work.
  virtual bool can_go_back() const = 0;
  /// The discrete inputs that changed last, for the message about an event without an end.
  virtual std::string what_changed() const = 0;

 protected:
  ~DiscretePart() = default;
};

/// Ports that are no reals, in their own order: given before a step or an evaluation, taken after it. What is not
/// connected is not given.
class DiscretePorts {
 public:
  virtual void give(std::span<const DiscreteValue> inputs) = 0;
  virtual void take(std::span<DiscreteValue> outputs) = 0;

 protected:
  ~DiscretePorts() = default;
};

/// A variable of a subsystem as a record sees it.
struct Observable {
  system::Port port;
  enum class Group { output, input, local, parameter } group = Group::local;
  bool is_state = false, is_derivative = false;
  bool is_alias = false;          ///< another name of the variable before it
  const char* why_not = nullptr;  ///< why it cannot be observed; null: it can
};

/// What is recorded of a subsystem although no step writes it: variables that are no ports, and outputs that nothing is
/// connected to.
class Observables {
 public:
  /// All variables, ports too, arrays element by element.
  virtual std::vector<Observable> variables() const = 0;
  /// In ascending order: outputs that cannot be left to observe, every step writes them.
  virtual const std::vector<int>& outputs_of_steps() const = 0;
  /// Before initialise: what observe is to give. Numbers of outputs, and of variables in their list, both in ascending
  /// order.
  virtual void choose(const std::vector<int>& outputs, const std::vector<int>& variables) = 0;
  /// Between two steps, before anything is set: the outputs that were chosen, then the variables; what is no real in
  /// the same order.
  virtual void observe(Out reals, std::span<DiscreteValue> discrete_values) = 0;

 protected:
  ~Observables() = default;
};

/// The continuous states, readable and writable in place.
class States {
 public:
  /// Whether they are all there is to know, so that analysis can probe a step.
  virtual bool are_complete() const { return true; }
  virtual std::span<double> values() = 0;
  virtual std::span<const std::string> names() const = 0;

 protected:
  ~States() = default;
};

/// The state at a communication point as bytes that another instance of the same subsystem takes.
class Persistence {
 public:
  virtual std::string serialise() = 0;
  /// Instead of initialise, evaluate and begin_steps: goes on at time t from such bytes.
  virtual void resume(double t, std::string_view state) = 0;

 protected:
  ~Persistence() = default;
};

/// What may be changed between two steps.
class Tuning {
 public:
  /// An input that follows a known signal: factor*signal + offset from now on. Also before initialise.
  virtual void follow(int input, double factor, double offset) = 0;
  /// Whether signal_at() tells what inputs follow.
  virtual bool tells_signals() const { return false; }
  /// What an input that follows a known signal is at t, or right before t.
  enum class Limit { after, before };
  virtual double signal_at(int /*input*/, double /*t*/, Limit /*limit*/, Sources /*sources*/) const { return 0.0; }
  /// The first time after t at which that jumps or has a corner.
  virtual double next_corner(int /*input*/, double /*t*/, Sources /*sources*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// A parameter of those that were announced when the subsystem was made, right before a step: a real by its number,
  /// everything else by its discrete value.
  virtual void tune(int parameter, double number, const DiscreteValue& discrete_value) = 0;

 protected:
  ~Tuning() = default;
};

/// Signals that analysis adds to inputs.
class Excitable {
 public:
  /// From now on, in steps and evaluations with silent sources: the input is its polynomial plus factor*signal(t). A
  /// signal of rate 0 is read as the subsystem reads known signals, others as exactly as its solver can. Null: no more.
  virtual void excite(int input, const ode::TimeSignal* signal, double factor) = 0;

 protected:
  ~Excitable() = default;
};

class Diagnostics {
 public:
  /// Why a step was not accepted.
  virtual std::string complaint() const = 0;
  /// What should be known of it after a run: how its inputs varied, what was odd about steps that were accepted.
  virtual std::vector<std::string> remarks() const = 0;

 protected:
  ~Diagnostics() = default;
};

/// Null: not offered.
struct Facets {
  Equations* equations = nullptr;
  DiscretePart* discrete_part = nullptr;  ///< none if there are no events, or none that others should know of
  DiscretePorts* discrete_ports = nullptr;
  Observables* observables = nullptr;  ///< none: every step writes all outputs
  States* states = nullptr;            ///< none: it keeps its states to itself
  Persistence* persistence = nullptr;
  Tuning* tuning = nullptr;
  Excitable* excitable = nullptr;
  Diagnostics* diagnostics = nullptr;
};

}  // namespace seam::assembly
