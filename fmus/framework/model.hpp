// What an FMU of ours computes: its variables, its memory and a handful of hooks. Knows nothing of FMI's C interface.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "fmus/framework/memory.hpp"
#include "fmus/framework/variable.hpp"

namespace seam::fmus {

/// In the order of FMI's own enumerations.
enum class Status { ok, warning, discard, error, fatal };

enum class Ending { goes_on, asks_to_end };

struct StepReport {
  enum class Arrival { as_asked, early };
  enum class Event { none, awaits_handling };
  Status status = Status::ok;
  double reached = 0.0;  ///< the end of the step; where it stopped if it was discarded
  Ending ending = Ending::goes_on;
  Arrival arrival = Arrival::as_asked;
  Event event = Event::none;
};

/// What one update of the discrete states did.
struct EventReport {
  enum class Iteration { converged, goes_on };
  enum class States { kept, reset };
  Iteration iteration = Iteration::converged;
  States states = States::kept;
  Ending ending = Ending::goes_on;
  std::optional<double> next_event = std::nullopt;  ///< the time of the next time event
};

/// What a model wants when an integrator step was accepted.
struct CompletionReport {
  enum class Wish { none, event_mode };
  Wish wish = Wish::none;
  Ending ending = Ending::goes_on;
};

/// A time inside a step at which a model asks for its inputs.
struct Moment {
  enum class Solution { tentative, accepted };
  double time = 0.0;
  Solution solution = Solution::tentative;  ///< whether the states are those of this time, so that outputs can be read
};

/// What instance and environment agreed on when the instance was made.
struct Agreement {
  enum class Events { inside, reported };
  enum class Returns { at_the_end, early };
  Events events = Events::inside;                          ///< who handles the events of a step
  Returns returns = Returns::at_the_end;                   ///< whether a step may end where an event is
  std::function<void(const Moment&)> intermediate_update;  ///< none: inputs are those of the start of a step
  std::vector<int> intermediate_inputs;                    ///< those that are set in intermediate updates
};

/// What modelDescription.xml says besides the variables.
struct Traits {
  enum class Instances { many, one };
  enum class StepSizes { any, constant };
  enum class Names { structured, flat };
  enum class CompletedSteps { ignored, needed };
  std::string description;
  Instances instances = Instances::many;
  StepSizes step_sizes = StepSizes::any;
  Names names = Names::structured;
  CompletedSteps completed_steps = CompletedSteps::ignored;  ///< whether complete_step() matters
  double stop = 1.0;                                         ///< s; the default experiment, as its step
  std::optional<double> step = 0.01;
  std::optional<double> internal_step = std::nullopt;  ///< s; FMI 3: of a solver that knows no other
};

class Model {
 public:
  /// How FMI 2's logger, which works like printf, is to take a message.
  enum class LogForm { text, format };
  using Log = std::function<void(Status, const std::string& message, LogForm)>;

  /// The first variable is time.
  explicit Model(Version version);
  virtual ~Model() = default;
  Model& operator=(const Model&) = delete;

  Version version() const { return version_; }
  const std::vector<Variable>& variables() const { return lists_->variables; }
  /// Places of the continuous states (in the order of memory().states), their derivatives, and the event indicators.
  const std::vector<int>& states() const { return lists_->states; }
  const std::vector<int>& derivatives() const { return lists_->derivatives; }
  const std::vector<int>& event_indicators() const { return lists_->event_indicators; }
  const std::vector<int>& clocks() const { return lists_->clocks; }
  /// The times of the clock at this place.
  ClockTime& time_of(int clock);
  bool ticks(int clock) const { return memory_.integers[offset(clock)] != 0; }
  /// The first ticks of all time-based clocks, from the start of the run.
  void start_clocks();
  /// Every clock that ticks stops, and time-based ones are due again: the end of an instant (FMI 3.0.2, 2.3.5).
  void stop_clocks();
  virtual Traits traits() const { return {}; }
  /// Changes whenever the variables do, so that a library and a modelDescription.xml that do not belong together are
  /// found out.
  std::string token() const;

  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  /// The variable that functions of this family (see family()) know by this value reference; null if there is none.
  const Variable* find(Type family, std::uint32_t reference) const {
    const std::vector<int>& known = lists_->known[static_cast<std::size_t>(family)];
    if (reference >= known.size() || known[reference] < 0) return nullptr;
    return &variables()[static_cast<std::size_t>(known[reference])];
  }
  int place(const Variable& variable) const { return static_cast<int>(&variable - variables().data()); }

  void reset();   ///< all variables to their start values
  void resize();  ///< arrays to the sizes the structural parameters say; what was in them stays
  void set_time(double t);

  /// A new instance: what it is given besides the token. False: it does not want to live.
  virtual bool created(const std::string& /*resources*/) { return true; }
  virtual bool accepts(const std::string& given) const { return given == token(); }
  /// The states at the start, from the parameters.
  virtual void initialise() {}
  /// Parameters may have changed, the states stay.
  virtual void retune() {}
  /// Outputs, derivatives and event indicators at memory().time. Discrete ones change only where switches().
  virtual void evaluate() {}
  /// The discrete states take the values that were evaluated; continuous states may be reset.
  virtual EventReport update() { return {}; }
  /// Whether what was evaluated last asks for an update; time events apart.
  virtual bool event_due() const;
  virtual CompletionReport complete_step() { return {}; }
  /// A time-based clock is started or has ticked: its interval, where the model decides it; see reschedule().
  virtual void schedule(int /*clock*/) {}
  virtual double nominal_of_state(std::size_t /*state*/) const { return 1.0; }
  /// Event Mode by itself: updates until nothing changes any more.
  EventReport settle();
  virtual StepReport step(double t, double h) = 0;
  /// Throws if these are no values of this model's variables.
  virtual void restore(const Memory& saved);
  /// What calls return that succeeded.
  virtual Status usual_status() const { return Status::ok; }

  /// Prepares partial(); false: this model has no derivatives to give.
  virtual bool linearise() { return false; }
  virtual std::optional<double> partial(int /*unknown*/, int /*known*/) const { return std::nullopt; }
  /// The derivative with respect to time, inputs held.
  virtual std::optional<double> output_derivative(int /*output*/) const { return std::nullopt; }

  Log log;  ///< set by the code that runs the model
  Agreement agreement;

 protected:
  /// The same variables, which both share; see another().
  Model(const Model&) = default;

  /// Whether discrete equations are active (FMI 3.0.2, 2.3.3 and 2.3.5), relations not frozen.
  bool switches() const { return memory_.phase == Phase::initialization || memory_.phase == Phase::event; }

  /// The place of the variable in variables(). Only in constructors; structural parameters before all others.
  int add(Variable variable);
  Variable& variable(int place) { return lists_->variables[static_cast<std::size_t>(place)]; }

  /// A new interval of a time-based clock, counted from memory().time unless it is periodic; infinite: not known yet.
  void reschedule(int clock, double interval);

  double& real(int place, std::size_t element = 0) { return memory_.reals[offset(place) + element]; }
  double real(int place) const { return memory_.reals[offset(place)]; }
  std::int64_t& integer(int place) { return memory_.integers[offset(place)]; }
  std::int64_t integer(int place) const { return memory_.integers[offset(place)]; }
  std::string& text(int place) { return memory_.texts[offset(place)]; }

 private:
  /// What follows from the constructor alone, but for places and sizes of arrays.
  struct Lists {
    std::vector<Variable> variables;
    std::array<std::vector<int>, type_count> known;
    std::vector<int> states, derivatives, event_indicators, clocks;
    std::string token;  ///< empty: not found out yet
  };
  template <class Kind>
  friend std::unique_ptr<Model> another(Version version);

  std::size_t offset(int place) const { return variables()[static_cast<std::size_t>(place)].offset; }
  /// How far the lists of the memory are filled.
  struct Ends {
    std::size_t reals = 0, integers = 0, texts = 0;
  };
  std::size_t size_of(const Variable& variable) const;
  void locate(std::size_t place, Ends& ends);
  std::string found_token() const;
  void grow(const Ends& ends);
  bool relocate();
  void start(const Variable& variable);
  /// Gives the variable its place behind all others, with its start value.
  void begin(std::size_t place, Ends& ends);

  Version version_;
  std::shared_ptr<Lists> lists_;
  Memory memory_;
};

/// A copy of the first model of this kind: for models with thousands of variables, of which instances then share one
/// list.
template <class Kind>
std::unique_ptr<Model> another(Version version) {
  static const std::unique_ptr<const Kind> first = [&] {
    auto made = std::make_unique<Kind>(version);
    made->lists_->token = made->found_token();
    return made;
  }();
  return std::make_unique<Kind>(*first);
}

/// The one function a model's source defines.
std::unique_ptr<Model> make_model(Version version);

}  // namespace seam::fmus
