// The whole contract between the engine and a simulator it cannot change.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/outcome.hpp"
#include "seam/lti/state_space.hpp"
#include "seam/ode/input.hpp"
#include "seam/system/discrete_value.hpp"

namespace seam::assembly {

class EventfulEquations;

using base::Outcome;
using ode::In;
using ode::InputPolynomials;
using ode::Out;
using system::DiscreteValue;

/// Signals known ahead of time are active in a run and silent while analysis probes the step.
enum class Sources { live, silent };

struct Step {
  double begin = 0.0;
  double length = 0.0;
  Sources sources = Sources::live;
  bool ends_macro_step = true;  ///< false: the master makes the macro step in several calls, and more follow
};

/// Everything a subsystem needs to go back; made and read by the same subsystem only.
struct Snapshot {
  std::vector<double> flat;      ///< of a model of our own: all of it
  std::shared_ptr<void> handle;  ///< of a simulator that keeps its state to itself
};

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

struct Capabilities {
  bool takes_polynomials = false;  ///< the input may vary inside a step
  bool can_evaluate = false;       ///< outputs for new inputs without a step
  bool can_shorten = false;        ///< any step length, not only the one it was prepared for
  bool can_serialise = false;      ///< its state can be written to a file
  bool affine = false;             ///< a step maps states and inputs affinely
  bool shows_equations = false;    ///< eventful_equations() has them
  double shortest_step = 0.0;      ///< s; it must not be called over less (0: any)
  double step_unit = 0.0;          ///< s; it must be called over a multiple of this (0: any)
  bool wants_micro_steps =
      false;  ///< it samples a known signal once a call: the master should call it every micro step
};

struct StepCall;

/// Where a row of steps ended: behind the last, or at one that was not accepted.
struct RowEnd {
  const StepCall* at = nullptr;
  Outcome outcome = Outcome::accepted;
};

/// advance() as a bare function over a block of memory that the subsystem chose: with many lanes the cache counts, and
/// such blocks can lie side by side.
struct StepFunction {
  using Call = Outcome (*)(void* who, const Step& step, const InputPolynomials& input, Out outputs);
  /// The same for one subsystem after another, all with this function, until one does not accept.
  using Row = RowEnd (*)(const StepCall* first, const StepCall* end, const Step& step, double* values);
  Call call = nullptr;
  void* who = nullptr;
  Row row = nullptr;  ///< null: one by one
};

/// What one call a macro step needs to know of a lane, side by side.
struct StepCall {
  StepFunction::Call call = nullptr;
  void* who = nullptr;
  int degree = 0;
  int inputs = 0, outputs = 0;       ///< how many
  int coefficients = 0, values = 0;  ///< places of the input polynomial and of the outputs
  int lane = -1;

  /// `base` is where places are counted from.
  InputPolynomials input(const double* base) const { return {base + coefficients, degree, inputs}; }
  Out output(double* base) const { return {base + values, static_cast<std::size_t>(outputs)}; }
};

/// The discrete part of a subsystem, where events are dealt with at communication points together with others: FMI 3's
/// Event Mode. An event has instants: values are exchanged until nothing changes, then all discrete states are updated.
/// Discrete values are given before is_concerned and exchange, and taken after exchange and read.
class DiscretePart {
 public:
  virtual ~DiscretePart() = default;

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
  /// The discrete inputs that changed last, for the person who has to mend an event without an end.
  virtual std::string what_changed() const = 0;
};

/// Legal order of calls: (prepare | split | expect_evaluations)* -> initialise -> evaluate* -> begin_steps -> (advance
/// | evaluate if it can | save | restore)*.
class Subsystem {
 public:
  virtual ~Subsystem() = default;

  virtual Capabilities capabilities() const = 0;
  /// Whether an output depends directly on an input; true where it is not known.
  virtual bool feeds_through(int output, int input) const = 0;
  /// The same before begin_steps, where states may still follow from inputs.
  virtual bool depends_at_start(int output, int input) const { return feeds_through(output, input); }

  /// Announces a step length and a polynomial degree; all memory that advance needs for them is made here.
  virtual void prepare(double length, int degree) = 0;
  /// The same for the next step alone, whose length was not known before. May allocate.
  virtual void prepare_once(double length, int degree) { prepare(length, degree); }
  /// The master will cross macro steps of this length in so many calls, each with a constant input.
  virtual void split(double /*macro_step*/, int /*calls*/) {}
  /// The master will call evaluate between steps (needs can_evaluate).
  virtual void expect_evaluations() {}
  /// Sets the start state; the outputs follow from evaluate, which every subsystem allows until begin_steps.
  virtual void initialise(double t0) = 0;
  /// Initialisation is over: the outputs as they are now, where that may have changed them.
  virtual void begin_steps(Out /*outputs*/) {}

  /// From step.begin over step.length under the input u(theta); outputs at the end, with the input of the step at its
  /// end.
  virtual Outcome advance(const Step& step, const InputPolynomials& input, Out outputs) = 0;
  /// The same, to be called in a loop. It lives as long as the subsystem.
  virtual StepFunction step_function();
  /// After begin_steps: false if it turned out that a step is made as a whole in the last of several calls.
  virtual bool shows_micro_points() const { return true; }
  /// Whether a step made in parts of this length is the same step, but for rounding.
  virtual bool is_same_in_parts(double /*part*/) const { return false; }
  /// Outputs at time t for these inputs, no step (needs can_evaluate).
  virtual void evaluate(double t, Sources sources, In inputs, Out outputs) = 0;
  /// Derivatives of the real outputs by the real inputs, where evaluate works and they are known better than
  /// differences tell. Rows and columns of ports that are not differentiable are 0.
  virtual std::optional<lti::Matrix> feedthrough_matrix(double /*t*/, Sources /*sources*/, In /*inputs*/) {
    return std::nullopt;
  }

  /// None if there are no events, or none that others should know of before the next step.
  virtual DiscretePart* discrete_part() { return nullptr; }

  /// Ports that are no reals, in their own order: given before a step or an evaluation, taken after it. What is not
  /// connected is not given.
  virtual void give(std::span<const DiscreteValue> /*inputs*/) {}
  virtual void take(std::span<DiscreteValue> /*outputs*/) {}

  /// An input that follows a known signal: factor*signal + offset from now on. Between two steps, and before
  /// initialise.
  virtual void follow(int /*input*/, double /*factor*/, double /*offset*/) {}
  /// A parameter of those that were announced when it was made, changed right before a step: a real by its number,
  /// everything else by its discrete value.
  virtual void tune(int parameter, double number, const DiscreteValue& discrete_value);

  /// Why a step was not accepted, for the person who has to mend it.
  virtual std::string complaint() const { return {}; }
  /// What should be known of it after a run: how its inputs varied, what was odd about steps that were accepted.
  virtual std::vector<std::string> remarks() const { return {}; }

  virtual Snapshot save() = 0;
  virtual void restore(const Snapshot& snapshot) = 0;

  /// The state at a communication point as bytes that another instance of the same subsystem takes (needs
  /// can_serialise).
  virtual std::string serialise();
  /// Instead of initialise, evaluate and begin_steps: goes on at time t from such bytes.
  virtual void resume(double t, std::string_view state);

  /// Whether states() is all there is to know, so that analysis can probe a step.
  virtual bool shows_states() const { return true; }
  /// The states, readable and writable in place; empty if there are none or the subsystem does not show them.
  virtual std::span<double> states() { return {}; }
  virtual std::span<const std::string> state_names() const { return {}; }
  /// Around (t, present state, inputs); none if no linear model describes the subsystem.
  virtual std::optional<LinearModel> linearise(double /*t*/, In /*inputs*/) { return std::nullopt; }
  virtual LinearOffer linear_offer() const { return {}; }
  /// The same numbers as far as it offers them, right after a step that ended at t with these inputs; before the first
  /// step only where they are fixed. Allocates nothing. False if it cannot tell them now.
  virtual bool tell_linear(double /*t*/, In /*inputs*/, const LinearNumbers& /*numbers*/) { return false; }
  /// Whether anything jumped inside the last step, as far as it knows.
  virtual bool had_event() const { return false; }
  /// After begin_steps, instead of advance: its equations, to be solved together with those of others.
  virtual EventfulEquations* eventful_equations() { return nullptr; }
};

}  // namespace seam::assembly
