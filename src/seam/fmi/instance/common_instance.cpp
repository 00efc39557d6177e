#include "seam/fmi/instance/common_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "seam/base/error.hpp"
#include "seam/fmi/instance/host_guard.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"

namespace seam::fmi {
namespace {

/// Calls `with` with a null pointer of the C type that belongs to a numeric type.
template <class Api, class With>
typename Api::Status for_c_type(Type type, With with) {
  switch (type) {
    case Type::float32:
      return with(static_cast<float*>(nullptr));
    case Type::int8:
      return with(static_cast<std::int8_t*>(nullptr));
    case Type::uint8:
      return with(static_cast<std::uint8_t*>(nullptr));
    case Type::int16:
      return with(static_cast<std::int16_t*>(nullptr));
    case Type::uint16:
      return with(static_cast<std::uint16_t*>(nullptr));
    case Type::int32:
      return with(static_cast<std::int32_t*>(nullptr));
    case Type::uint32:
      return with(static_cast<std::uint32_t*>(nullptr));
    case Type::uint64:
      return with(static_cast<std::uint64_t*>(nullptr));
    case Type::boolean:
      return with(static_cast<typename Api::Boolean*>(nullptr));
    case Type::enumeration:
      return with(static_cast<typename Api::Enumeration*>(nullptr));
    default:
      return with(static_cast<std::int64_t*>(nullptr));
  }
}

}  // namespace

template <class Api>
void CommonInstance<Api>::load_functions() {
  for (const AccessNames& names : Api::access_names) find_access(names);
  if (has(Type::float64)) {
    set_reals_ = as<typename Api::template Setter<double>>(access(Type::float64).set);
    get_reals_ = as<typename Api::template Getter<double>>(access(Type::float64).get);
  }
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
  if (interface_.provides_directional_derivatives) library_.require(call_.directional, Api::directional);
  if (interface_.max_output_derivative_order > 0) library_.require(call_.output_derivatives, Api::output_derivatives);
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
  call(Api::exit_initialisation, call_.exit_initialisation);
  mode_ = Mode::stepping;
}

template <class Api>
void CommonInstance<Api>::terminate() {
  if (mode_ != Mode::stepping || is_corrupted()) return;
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  mode_ = Mode::terminated;
  call(Api::terminate, call_.terminate);
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
    const Status status = call_.terminate(handle_);
    finish_quietly(status, Api::terminate);
    say_last_words(status, Api::terminate);
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
    fail("cannot take these bytes for a state: they are no serialised state");
  void* state = nullptr;
  const std::span<const std::byte> own = bytes.subspan(1);
  call_watch.now_in(Api::deserialise);
  finish(call_.deserialise(handle_, reinterpret_cast<const typename Api::Byte*>(own.data()), own.size(), &state),
         Api::deserialise, [&](Audience) { return fmt::format("size={}, state={}", own.size(), states_so_far_ + 1); });
  return keep(state, static_cast<Mode>(bytes[0]));
}

template <class Api>
void CommonInstance<Api>::set_reals(std::span<const Reference> references, const double* values, std::size_t count) {
  call_watch.now_in(Api::set_reals);
  const auto status = Api::transfer(set_reals_, handle_, references, values, count);
  if (!is_plain(status)) [[unlikely]]
    finish_set_reals(status, references, {values, count});
}

template <class Api>
void CommonInstance<Api>::get_reals(std::span<const Reference> references, double* values, std::size_t count) {
  call_watch.now_in(Api::get_reals);
  const auto status = Api::transfer(get_reals_, handle_, references, values, count);
  if (!is_plain(status)) [[unlikely]]
    finish_get_reals(status, references, {values, count});
}

template <class Api>
void CommonInstance<Api>::set_floats(std::span<const Reference> references, std::span<const float> values) {
  const Access& by = access(Type::float32);
  call_watch.now_in(by.set_name);
  const auto call = as<typename Api::template Setter<float>>(by.set);
  finish(Api::transfer(call, handle_, references, values.data(), values.size()), by.set_name, [&](Audience audience) {
    return words_.values(audience, Type::float32, references, {{values.begin(), values.end()}, {}, {}});
  });
}

template <class Api>
void CommonInstance<Api>::get_floats(std::span<const Reference> references, std::span<float> values) {
  const Access& by = access(Type::float32);
  call_watch.now_in(by.get_name);
  const auto call = as<typename Api::template Getter<float>>(by.get);
  finish(Api::transfer(call, handle_, references, values.data(), values.size()), by.get_name, [&](Audience audience) {
    return words_.read(audience, Type::float32, references, {{values.begin(), values.end()}, {}, {}});
  });
}

template <class Api>
typename Api::Status CommonInstance<Api>::set_texts(const Access& by, std::span<const Reference> references,
                                                    const std::vector<std::string>& texts) {
  const auto* given = buffer_.put_texts(texts);
  if constexpr (Api::has_arrays) {
    const auto* bytes = reinterpret_cast<const fmi3Binary*>(given);
    if (by.type == Type::binary)
      return as<fmi3SetBinaryTYPE>(by.set)(handle_, references.data(), references.size(), buffer_.sizes(), bytes,
                                           texts.size());
  }
  const auto call = as<typename Api::template Setter<const char*>>(by.set);
  return Api::transfer(call, handle_, references, given, texts.size());
}

template <class Api>
typename Api::Status CommonInstance<Api>::get_texts(const Access& by, std::span<const Reference> references,
                                                    std::vector<std::string>& texts) {
  const char** into = buffer_.room_for_texts(texts.size());
  if constexpr (Api::has_arrays) {
    if (by.type == Type::binary) {
      auto* bytes = reinterpret_cast<fmi3Binary*>(into);
      const auto status = as<fmi3GetBinaryTYPE>(by.get)(handle_, references.data(), references.size(), buffer_.sizes(),
                                                        bytes, texts.size());
      if (severity(status) <= Severity::warning) buffer_.take_binaries(texts);
      return status;
    }
  }
  const auto call = as<typename Api::template Getter<const char*>>(by.get);
  const auto status = Api::transfer(call, handle_, references, into, texts.size());
  if (severity(status) <= Severity::warning) buffer_.take_strings(texts);
  return status;
}

// Booleans cross as Api::BooleanCell: the FMU's true may be more than 1, which a C++ bool must not see.
template <class Api>
typename Api::Status CommonInstance<Api>::set_numbers(const Access& by, std::span<const Reference> references,
                                                      const Values& values) {
  return for_c_type<Api>(by.type, [&]<class C>(C*) {
    const C* given = nullptr;
    if constexpr (std::is_floating_point_v<C>) {
      given = buffer_.template put<C>(values.reals);
    } else if (by.type == Type::boolean) {
      given = reinterpret_cast<const C*>(buffer_.template put_booleans<typename Api::BooleanCell>(values.integers));
    } else {
      this->template require_fit<C>(by.type, references, values.integers);
      given = buffer_.template put<C>(values.integers);
    }
    const auto call = InstanceBase::as<typename Api::template Setter<C>>(by.set);
    return Api::transfer(call, handle_, references, given, values.size(by.type));
  });
}

template <class Api>
typename Api::Status CommonInstance<Api>::get_numbers(const Access& by, std::span<const Reference> references,
                                                      Values& values) {
  return for_c_type<Api>(by.type, [&]<class C>(C*) {
    const std::size_t count = values.size(by.type);
    const auto call = InstanceBase::as<typename Api::template Getter<C>>(by.get);
    const auto status = Api::transfer(call, handle_, references, buffer_.template room<C>(count), count);
    if (InstanceBase::severity(status) > Severity::warning) return status;
    if constexpr (std::is_floating_point_v<C>) {
      buffer_.template take<C>(values.reals);
    } else if (by.type == Type::boolean) {
      buffer_.template take_booleans<typename Api::BooleanCell>(values.integers);
    } else {
      buffer_.template take<C>(values.integers);
    }
    return status;
  });
}

template <class Api>
void CommonInstance<Api>::set(Type type, std::span<const Reference> references, const Values& values) {
  if (references.empty()) return;
  require_scalars(references.size(), values.size(type));
  const Access& by = access(type);
  if (type == Type::float64) return set_reals(references, values.reals.data(), values.reals.size());
  call_watch.now_in(by.set_name);
  const auto status =
      store_of(type) == Store::texts ? set_texts(by, references, values.texts) : set_numbers(by, references, values);
  finish(status, by.set_name, [&](Audience audience) { return words_.values(audience, type, references, values); });
}

template <class Api>
void CommonInstance<Api>::get(Type type, std::span<const Reference> references, Values& values) {
  if (references.empty()) return;
  require_scalars(references.size(), values.size(type));
  const Access& by = access(type);
  if (type == Type::float64) return get_reals(references, values.reals.data(), values.reals.size());
  call_watch.now_in(by.get_name);
  const auto status =
      store_of(type) == Store::texts ? get_texts(by, references, values.texts) : get_numbers(by, references, values);
  finish(status, by.get_name, [&](Audience audience) { return words_.read(audience, type, references, values); });
}

template <class Api>
Values CommonInstance<Api>::get(const Variable& variable, std::size_t elements) {
  Values values = room_for(variable.type, elements);
  get(variable.type, {&variable.value_reference, 1}, values);
  return values;
}

template <class Api>
void CommonInstance<Api>::directional(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                      std::span<const double> seed, std::span<double> sensitivity) {
  require_ability(call_.directional, "directional derivatives");
  require_scalars(knowns.size(), seed.size());
  require_scalars(unknowns.size(), sensitivity.size());
  call_watch.now_in(Api::directional);
  const auto call = [&](auto... numbers) {
    return call_.directional(handle_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), numbers...);
  };
  Status status;
  if constexpr (Api::has_arrays) {
    status = call(seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  } else {
    status = call(seed.data(), sensitivity.data());
  }
  finish(status, Api::directional, [&](Audience audience) { return words_.derivative(audience, unknowns, knowns); });
}

template <class Api>
void CommonInstance<Api>::output_derivatives(std::span<const Reference> outputs, unsigned order,
                                             std::span<double> derivatives) {
  require_ability(call_.output_derivatives, "derivatives of outputs");
  require_scalars(outputs.size(), derivatives.size());
  const std::int32_t* const all = orders(order, outputs.size());
  call_watch.now_in(Api::output_derivatives);
  const auto call = [&](auto... count) {
    return call_.output_derivatives(handle_, outputs.data(), outputs.size(), all, derivatives.data(), count...);
  };
  Status status;
  if constexpr (Api::has_arrays) {
    status = call(derivatives.size());
  } else {
    status = call();
  }
  finish(status, Api::output_derivatives,
         [&](Audience audience) { return words_.slopes(audience, outputs, order, derivatives); });
}

template class CommonInstance<Api2>;
template class CommonInstance<Api3>;

}  // namespace seam::fmi
