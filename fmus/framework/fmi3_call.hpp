// How a function of FMI 3.0's C interface reaches the instance.
#pragma once

#include <fmi3.h>

#include "fmus/framework/instance.hpp"
#include "fmus/strict/rules.hpp"

#define SEAM_FMI3 extern "C" __attribute__((visibility("default")))

namespace seam::fmus::fmi3 {

struct Handle final : Instance {
  using Instance::Instance;
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback logger = nullptr;
  bool logging = false;
};

// The lists of allowed calls in 3.0.2, 2.3, 3.2.1 and 4.2. An error leads to the state Terminated (2.3.1), so values
// can be read after it.
constexpr unsigned readable = in(Phase::instantiated) | initialised;
constexpr unsigned readable_reals = readable | in(Phase::intermediate);
constexpr unsigned writable =
    in(Phase::instantiated) | in(Phase::configuration) | in(Phase::initialization) | in(Phase::step) | in(Phase::event);
constexpr unsigned writable_reals = writable | in(Phase::continuous) | in(Phase::intermediate);
constexpr unsigned simulation = of(Interface::co_simulation);
constexpr unsigned exchange = of(Interface::model_exchange);

template <typename Work>
fmi3Status perform(fmi3Instance handle, const Call& call, const Work& work) noexcept {
  if (!handle || (strict && !rules::alive(handle, call))) return fmi3Error;
  return static_cast<fmi3Status>(static_cast<Instance*>(handle)->run(call, work));
}

/// The same, where pointers must not be null.
template <typename Work, typename... Pointers>
fmi3Status perform_with(fmi3Instance handle, const Call& call, const Work& work, Pointers... pointers) noexcept {
  return perform(handle, call, [&](Instance& instance) {
    if ((... && (pointers != nullptr))) return work(instance);
    if (strict) rules::broken(call.name, instance.name(), "a null pointer");
    return instance.refuse(call.name, "a null pointer");
  });
}

/// For perform_with: arrays of length 0 may be null.
template <typename Pointer>
const void* needed(Pointer pointer, std::size_t count) {
  return count > 0 ? static_cast<const void*>(pointer) : "";
}

}  // namespace seam::fmus::fmi3
