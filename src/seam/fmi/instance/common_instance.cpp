#include "seam/fmi/instance/common_instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"

namespace seam::fmi {

template <class Api>
void CommonInstance<Api>::load_functions() {
  library_.require(call_.free_instance, Api::free_instance);
  library_.require(call_.exit_initialisation, Api::exit_initialisation);
  library_.require(call_.terminate, Api::terminate);
  library_.find(call_.set_debug_logging, Api::set_debug_logging);
  if (interface_.can_get_and_set_state) {
    library_.require(call_.get_state, Api::get_state);
    library_.require(call_.set_state, Api::set_state);
    library_.require(call_.free_state, Api::free_state);
  }
  if (interface_.can_serialize_state) {
    library_.require(call_.state_size, Api::state_size);
    library_.require(call_.serialise, Api::serialise);
    library_.require(call_.deserialise, Api::deserialise);
  }
}

template <class Api>
void CommonInstance<Api>::choose_categories() {
  if (logging_.state == Logging::off || logging_.categories.empty()) return;
  if (!call_.set_debug_logging) {
    log(Severity::warning, "",
        fmt::format("the FMU has no {}: its messages of all categories are shown", Api::set_debug_logging));
    return;
  }
  const auto* wanted = buffer_.put_texts(logging_.categories);
  call_watch.now_in(Api::set_debug_logging);
  const int status = call_.set_debug_logging(handle_, 1, logging_.categories.size(), wanted);
  const std::string words = fmt::format("on=true, {}", fmt::join(logging_.categories, ", "));
  if (severity(status) <= Severity::discard) return finish_quietly(status, Api::set_debug_logging, words);
  try {
    finish(status, Api::set_debug_logging, [&](Audience) -> const std::string& { return words; });
  } catch (...) {
    end();  // the constructor that called us will not be followed by a destructor
    throw;
  }
}

template <class Api>
void CommonInstance<Api>::exit_initialisation() {
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  call_watch.now_in(Api::exit_initialisation);
  finish(call_.exit_initialisation(handle_), Api::exit_initialisation);
  mode_ = Mode::stepping;
}

template <class Api>
void CommonInstance<Api>::terminate() {
  if (mode_ != Mode::stepping || is_corrupted()) return;
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  mode_ = Mode::terminated;
  call_watch.now_in(Api::terminate);
  finish(call_.terminate(handle_), Api::terminate);
}

// FMI 2.0.5 4.2.4 and FMI 3.0.2 2.3: after an error no Terminate, but states and instance are still freed; after a
// fatal error, of this or any other instance of the library, nothing may be called.
template <class Api>
void CommonInstance<Api>::end() noexcept {
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  if (mode_ == Mode::stepping && !is_corrupted()) {
    mode_ = Mode::terminated;
    call_watch.now_in(Api::terminate);
    finish_quietly(call_.terminate(handle_), Api::terminate);
  }
  while (!states_.empty()) free_state(states_.back().handle);
  if (!handle_ || is_corrupted()) return;
  call_watch.now_in(Api::free_instance);
  call_.free_instance(handle_);
  tell_end(Api::free_instance, "", "");
}

template <class Api>
void* CommonInstance<Api>::keep(void* state, Mode mode) {
  never_goes_back_ = 0;
  states_.push_back({state, mode, ++states_so_far_});
  return state;
}

template <class Api>
const typename CommonInstance<Api>::SavedState& CommonInstance<Api>::kept(void* state) const {
  const auto found =
      std::find_if(states_.begin(), states_.end(), [&](const SavedState& s) { return s.handle == state; });
  if (found != states_.end()) [[likely]]
    return *found;
  throw base::Error(base::Failure::internal, identity_ + ": this state was freed, or belongs to another instance");
}

template <class Api>
void* CommonInstance<Api>::save_state() {
  require_ability(call_.get_state, "saved states");
  void* state = nullptr;
  call_watch.now_in(Api::get_state);
  finish(call_.get_state(handle_, &state), Api::get_state,
         [&](Audience) { return fmt::format("state={}", states_so_far_ + 1); });
  return keep(state, mode_);
}

template <class Api>
void CommonInstance<Api>::restore_state(void* state) {
  const SavedState& saved = kept(state);
  if (is_corrupted()) fail("broke down before: nothing may be called any more");
  call_watch.now_in(Api::set_state);
  finish(call_.set_state(handle_, state), Api::set_state, [&](Audience) { return words(saved); });
  mode_ = saved.mode;
}

template <class Api>
void CommonInstance<Api>::free_state(void* state) {
  const SavedState saved = kept(state);
  std::erase_if(states_, [&](const SavedState& s) { return s.handle == state; });
  if (is_corrupted()) return;
  call_watch.now_in(Api::free_state);
  finish_quietly(call_.free_state(handle_, &state), Api::free_state, words(saved));
}

template <class Api>
std::vector<std::byte> CommonInstance<Api>::serialise(void* state) {
  const SavedState& saved = kept(state);
  require_ability(call_.serialise, "serialised states");
  std::size_t size = 0;
  call_watch.now_in(Api::state_size);
  finish(call_.state_size(handle_, state, &size), Api::state_size,
         [&](Audience) { return fmt::format("{}, size={}", words(saved), size); });
  std::vector<std::byte> bytes(size + 1);
  bytes[0] = static_cast<std::byte>(saved.mode);
  call_watch.now_in(Api::serialise);
  finish(call_.serialise(handle_, state, reinterpret_cast<typename Api::Byte*>(bytes.data() + 1), size), Api::serialise,
         [&](Audience) { return fmt::format("{}, size={}", words(saved), size); });
  return bytes;
}

template <class Api>
void* CommonInstance<Api>::deserialise(std::span<const std::byte> bytes) {
  require_ability(call_.deserialise, "serialised states");
  if (bytes.empty() || bytes[0] > static_cast<std::byte>(Mode::terminated))
    fail("cannot take these bytes for a state: nobody serialised them");
  void* state = nullptr;
  const std::span<const std::byte> own = bytes.subspan(1);
  call_watch.now_in(Api::deserialise);
  finish(call_.deserialise(handle_, reinterpret_cast<const typename Api::Byte*>(own.data()), own.size(), &state),
         Api::deserialise, [&](Audience) { return fmt::format("size={}, state={}", own.size(), states_so_far_ + 1); });
  return keep(state, static_cast<Mode>(bytes[0]));
}

template class CommonInstance<Api2>;
template class CommonInstance<Api3>;

}  // namespace seam::fmi
