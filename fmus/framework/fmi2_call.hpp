// How a function of FMI 2.0's C interface reaches the instance.
#pragma once

#include <fmi2.h>

#include "fmus/framework/instance.hpp"
#include "fmus/strict/rules.hpp"

#define SEAM_FMI2 extern "C" __attribute__((visibility("default")))

namespace seam::fmus::fmi2 {

struct Component final : Instance {
  using Instance::Instance;
  fmi2CallbackFunctions callbacks{};
  bool logging = false;
};

// The tables of 2.0.5: 3.2.3 for model exchange, 4.2.4 for co-simulation.
constexpr unsigned readable = initialised;
constexpr unsigned writable = in(Phase::instantiated) | in(Phase::initialization) | in(Phase::step) | in(Phase::event);
constexpr unsigned writable_reals = writable | in(Phase::continuous);
constexpr unsigned reached = in(Phase::step) | in(Phase::failed) | in(Phase::terminated);
constexpr unsigned simulation = of(Interface::co_simulation);
constexpr unsigned exchange = of(Interface::model_exchange);

/// Where the handle is good and the standard allows the call, does the work and returns its status.
template <typename Work>
fmi2Status perform(fmi2Component handle, const Call& call, const Work& work) noexcept {
  if (!handle || (strict && !rules::alive(handle, call))) return fmi2Error;
  return static_cast<fmi2Status>(static_cast<Instance*>(handle)->run(call, work));
}

/// The same, where pointers must not be null.
template <typename Work, typename... Pointers>
fmi2Status perform_with(fmi2Component handle, const Call& call, const Work& work, Pointers... pointers) noexcept {
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

}  // namespace seam::fmus::fmi2
