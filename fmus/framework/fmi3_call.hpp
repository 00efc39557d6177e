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

// After an error only a restored state, Reset and FreeInstance are allowed (3.0.2, 2.2.3).
constexpr unsigned sound = in_any_phase & ~in(Phase::error);
constexpr unsigned readable =
    in(Phase::instantiated) | in(Phase::initialization) | in(Phase::step) | in(Phase::terminated);
constexpr unsigned writable =
    in(Phase::instantiated) | in(Phase::configuration) | in(Phase::initialization) | in(Phase::step);

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

}  // namespace seam::fmus::fmi3
