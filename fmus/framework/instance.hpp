// One instance of an FMU: a model and its life. What FMI 2.0 and 3.0 have in common lies here.
#pragma once

#include <exception>
#include <span>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

/// A function of the C interface and the phases in which the standard allows it.
struct Call {
  const char* name;
  unsigned phases;
};

constexpr unsigned in(Phase phase) { return static_cast<unsigned>(phase); }
constexpr unsigned in_any_phase = 0x7f;  // not after fatal
constexpr unsigned initialised =
    in(Phase::initialization) | in(Phase::step) | in(Phase::failed) | in(Phase::terminated) | in(Phase::error);

using References = std::span<const std::uint32_t>;

/// Sensitivities of unknowns to knowns; `seed` has one entry a known (directional) or an unknown (adjoint).
struct Direction {
  enum class Kind { directional, adjoint };
  References unknowns, knowns;
  std::span<const double> seed;
  std::span<double> sensitivity;
  Kind kind = Kind::directional;
};

class Instance {
 public:
  Instance(std::string name, std::unique_ptr<Model> model) : name_(std::move(name)), model_(std::move(model)) {}

  const std::string& name() const { return name_; }
  Model& model() { return *model_; }
  Phase phase() const { return model_->memory().phase; }
  void enter(Phase phase) { model_->memory().phase = phase; }

  Status setup(const Experiment& experiment);
  Status enter_initialization();
  Status exit_initialization();
  Status exit_configuration();
  Status reset();
  Status step(double t, double h);
  const StepReport& last_step() const { return last_; }

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
  Status output_derivatives(References references, std::span<const std::int32_t> orders, double* values);

  Memory* save() const { return new Memory(model_->memory()); }
  Status restore(const Memory& saved);

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
  std::unique_ptr<Model> model_;
  StepReport last_;
  bool tuned_ = false;  ///< a parameter was set after initialisation
};

}  // namespace seam::fmus
