// One instance of an FMU: a model and its life. What FMI 2.0 and 3.0 have in common lies here.
#pragma once

#include <exception>
#include <span>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

enum class Interface : unsigned { co_simulation = 1, model_exchange = 2 };

constexpr unsigned in(Phase phase) { return static_cast<unsigned>(phase); }
constexpr unsigned of(Interface kind) { return static_cast<unsigned>(kind); }
constexpr unsigned of_any_interface = of(Interface::co_simulation) | of(Interface::model_exchange);

/// A function of the C interface, and in which phases of which interface the standard allows it.
struct Call {
  const char* name;
  unsigned phases;
  unsigned interfaces = of_any_interface;
};

/// Not after fatal, nor inside a callback.
constexpr unsigned in_any_phase = 0xfff & ~in(Phase::fatal) & ~in(Phase::intermediate);
constexpr unsigned while_it_runs = in(Phase::step) | in(Phase::event) | in(Phase::continuous);
constexpr unsigned initialised =
    in(Phase::initialization) | while_it_runs | in(Phase::failed) | in(Phase::terminated) | in(Phase::error);

using References = std::span<const std::uint32_t>;

/// Sensitivities of unknowns to knowns; `seed` has one entry a known (directional) or an unknown (adjoint).
struct Direction {
  enum class Kind { directional, adjoint };
  References unknowns, knowns;
  std::span<const double> seed;
  std::span<double> sensitivity;
  Kind kind = Kind::directional;
};

/// What the environment may do inside the callback of a step.
struct Inside {
  bool readable = false;
  bool touched = false;  ///< something was set, so that nothing may be read any more
};

class Instance {
 public:
  Instance(std::string name, Interface kind, std::unique_ptr<Model> model)
      : name_(std::move(name)), kind_(kind), model_(std::move(model)) {}

  const std::string& name() const { return name_; }
  Interface kind() const { return kind_; }
  Model& model() { return *model_; }
  Phase phase() const { return model_->memory().phase; }
  void enter(Phase phase) { model_->memory().phase = phase; }

  Status setup(const Experiment& experiment);
  Status enter_initialization();
  Status exit_initialization();
  Status exit_configuration();
  Status reset();
  Status terminate();
  Status step(const Call& call, double t, double h);
  const StepReport& last_step() const { return last_; }

  Status enter_events(const Call& call);
  Status update_discrete_states(const Call& call, EventReport& report);
  /// Continuous-Time Mode or Step Mode.
  Status leave_events(const Call& call);
  Status set_time(const Call& call, double t);
  Status set_states(const Call& call, std::span<const double> values);
  /// The values of these real variables, evaluated if need be: states, derivatives, event indicators.
  Status show(const Call& call, const std::vector<int>& places, std::span<double> values);
  Status get_nominals(const Call& call, std::span<double> values);
  Status complete_step(const Call& call, CompletionReport& report);

  /// `count` is the number of values, more than references where there are arrays.
  template <typename Value>
  Status get(const Call& call, Type family, References references, Value* values, std::size_t count);
  template <typename Value>
  Status set(const Call& call, Type family, References references, const Value* values, std::size_t count);
  Status get_texts(const Call& call, Type family, References references, std::span<const char*> values,
                   std::size_t* sizes);
  /// Strings end with a zero byte where there are no sizes.
  Status set_texts(const Call& call, Type family, References references, std::span<const char* const> values,
                   const std::size_t* sizes);
  Status derive(const Direction& direction);
  /// FMI 2: for the next step alone; orders above what the FMU takes are a warning.
  Status set_input_derivatives(const Call& call, References references, const std::int32_t* orders,
                               const double* values);
  Status output_derivatives(References references, std::span<const std::int32_t> orders, double* values);

  /// Intervals and shifts of clocks (FMI 3.0.2, 2.2.8.4), in seconds. Qualifiers in the order of FMI's enumeration.
  enum class Qualifier { not_yet_known, unchanged, changed };
  enum class Timing { interval, shift };
  Status get_timing(const Call& call, Timing timing, References references, double* values, Qualifier* qualifiers);
  Status set_timing(const Call& call, Timing timing, References references, const double* values);

  Memory* save() const { return new Memory(model_->memory()); }
  Status restore(const Memory& saved);

  std::vector<int> required;  ///< FMI 3: the variables that intermediate updates are about
  Inside inside;

  Status refuse(const char* call, const std::string& why) const;

  /// Runs one function of the C interface: nothing is thrown past it, and an error is remembered.
  template <typename Work>
  Status run(const Call& call, const Work& work) noexcept {
    Status status = Status::error;
    try {
      status = work(*this);
    } catch (const std::exception& problem) {
      status = refuse(call.name, problem.what());
    } catch (...) {
      status = refuse(call.name, "an unknown exception");
    }
    if (status == Status::ok) return model_->usual_status();
    if (status == Status::error) enter(Phase::error);
    if (status == Status::fatal) enter(Phase::fatal);
    return status;
  }

 private:
  const Variable* find(const Call& call, Type family, std::uint32_t reference) const;
  bool may_get(const Call& call, const Variable& variable) const;
  bool may_set(const Call& call, const Variable& variable) const;
  void refresh();
  void touched(const Variable& variable);

  std::string name_;
  Interface kind_;
  std::unique_ptr<Model> model_;
  StepReport last_;
  bool tuned_ = false;  ///< a parameter was set after initialisation
};

}  // namespace seam::fmus
