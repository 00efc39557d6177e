// What FMI 2 and FMI 3 do alike under other names and types: values, derivatives, termination, saved states, log
// categories.
#pragma once

#include "seam/fmi/instance/instance.hpp"

namespace seam::fmi {

/// `Api` names a version's functions and types: Api2, Api3.
template <class Api>
class CommonInstance : public InstanceBase {
 public:
  void exit_initialisation();
  void terminate();

  /// All references are scalar, or the arrays lie one after the other in `values`. FMI 2 has neither arrays nor floats.
  void set_reals(std::span<const Reference> references, const double* values, std::size_t count);
  void get_reals(std::span<const Reference> references, double* values, std::size_t count);
  void set_floats(std::span<const Reference> references, std::span<const float> values);
  void get_floats(std::span<const Reference> references, std::span<float> values);
  /// Many variables of one type, in the list that store_of(type) names, which has the right size. No allocation after
  /// the first call, but for strings and binaries.
  void set(Type type, std::span<const Reference> references, const Values& values);
  void get(Type type, std::span<const Reference> references, Values& values);
  void set(const Variable& variable, const Values& values) {
    set(variable.type, {&variable.value_reference, 1}, values);
  }
  Values get(const Variable& variable, std::size_t elements = 1);

  /// How the unknowns change if the knowns change by `seed`.
  void directional(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed,
                   std::span<double> sensitivity);
  /// Derivatives of outputs in time, after a step; order 1 to the largest that the FMU declares.
  void output_derivatives(std::span<const Reference> outputs, unsigned order, std::span<double> derivatives);

  /// States, for FMUs that can. What is not freed by free_state is freed with the instance, right before it.
  void* save_state();
  /// Brings back the phase the instance was in, too, even after an error.
  void restore_state(void* state);
  void free_state(void* state);
  /// A state as bytes that another instance of the same FMU understands; the first byte is ours, the phase.
  std::vector<std::byte> serialise(void* state);
  void* deserialise(std::span<const std::byte> bytes);

 protected:
  using InstanceBase::InstanceBase;
  ~CommonInstance() = default;

  /// The functions below, as far as the capabilities need them.
  void load_functions();
  /// Tells the FMU which categories of messages are wanted, if only some are wanted.
  void choose_categories();
  /// Terminates if it runs, frees the states, frees: for the destructor, while callbacks still work.
  void end() noexcept;

  /// A call without further arguments.
  template <class Function>
  void call(const char* name, const Function& function) {
    call_watch.now_in(name);
    finish(function(handle_), name);
  }
  CallWords::History history() const {
    return never_goes_back_ ? CallWords::History::is_over : CallWords::History::may_return;
  }

  void* handle_ = nullptr;
  typename Api::Boolean never_goes_back_ = 1;  // until a state is saved
  FmuFunction<typename Api::template Setter<double>> set_reals_;
  FmuFunction<typename Api::template Getter<double>> get_reals_;

 private:
  using Status = typename Api::Status;
  struct Functions {
    FmuFunction<void(void*)> free_instance;
    FmuFunction<Status(void*, typename Api::Boolean, std::size_t, const char* const*)> set_debug_logging;
    FmuFunction<Status(void*)> exit_initialisation;
    FmuFunction<Status(void*)> terminate;
    FmuFunction<Status(void*, void**)> get_state;
    FmuFunction<Status(void*, void*)> set_state;
    FmuFunction<Status(void*, void**)> free_state;
    FmuFunction<Status(void*, void*, std::size_t*)> state_size;
    FmuFunction<Status(void*, void*, typename Api::Byte*, std::size_t)> serialise;
    FmuFunction<Status(void*, const typename Api::Byte*, std::size_t, void**)> deserialise;
    FmuFunction<typename Api::Directional> directional;
    FmuFunction<typename Api::OutputDerivatives> output_derivatives;
  };
  struct SavedState {
    void* handle;
    Mode mode;
    int number;  ///< counts from 1, for the call log
  };
  /// FMI 2 has no arrays: throws unless there are as many numbers as variables.
  void require_scalars(std::size_t variables, std::size_t numbers) const {
    if constexpr (!Api::has_arrays) require_sizes(variables, numbers);
  }
  Status set_texts(const Access& by, std::span<const Reference> references, const std::vector<std::string>& texts);
  Status get_texts(const Access& by, std::span<const Reference> references, std::vector<std::string>& texts);
  Status set_numbers(const Access& by, std::span<const Reference> references, const Values& values);
  Status get_numbers(const Access& by, std::span<const Reference> references, Values& values);
  void* keep(void* state, Mode mode);
  const SavedState& kept(void* state) const;
  static std::string words(const SavedState& state) { return "state=" + std::to_string(state.number); }

  Functions call_{};
  std::vector<SavedState> states_;
  int states_so_far_ = 0;
};

}  // namespace seam::fmi
