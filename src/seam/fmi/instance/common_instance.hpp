// What FMI 2 and FMI 3 do alike under other names and types: termination, saved states, log categories.
#pragma once

#include "seam/fmi/instance/instance.hpp"

namespace seam::fmi {

/// `Api` names a version's functions and types: Api2, Api3.
template <class Api>
class CommonInstance : public InstanceBase {
 public:
  void exit_initialisation();
  void terminate();

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

  CallWords::History history() const {
    return never_goes_back_ ? CallWords::History::is_over : CallWords::History::may_return;
  }

  void* handle_ = nullptr;
  typename Api::Boolean never_goes_back_ = 1;  // until a state is saved

 private:
  using Status = typename Api::Status;
  struct Functions {
    void (*free_instance)(void*);
    Status (*set_debug_logging)(void*, typename Api::Boolean, std::size_t, const char* const*);
    Status (*exit_initialisation)(void*);
    Status (*terminate)(void*);
    Status (*get_state)(void*, void**);
    Status (*set_state)(void*, void*);
    Status (*free_state)(void*, void**);
    Status (*state_size)(void*, void*, std::size_t*);
    Status (*serialise)(void*, void*, typename Api::Byte*, std::size_t);
    Status (*deserialise)(void*, const typename Api::Byte*, std::size_t, void**);
  };
  struct SavedState {
    void* handle;
    Mode mode;
    int number;  ///< counts from 1, for the call log
  };
  void* keep(void* state, Mode mode);
  const SavedState& kept(void* state) const;
  static std::string words(const SavedState& state) { return "state=" + std::to_string(state.number); }

  Functions call_{};
  std::vector<SavedState> states_;
  int states_so_far_ = 0;
};

}  // namespace seam::fmi
