// All that a plain step of a co-simulation FMU needs, apart from everything else: the blocks of many FMUs lie side by
// side.
#pragma once

#include <cmath>
#include <type_traits>

#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/call_watch.hpp"
#include "seam/fmi/host_guard.hpp"
#include "seam/fmi/real_step.hpp"

namespace seam::fmi {

/// Visits one after another that none can be around: there is nothing to go back to.
class OutermostVisits {
 public:
  OutermostVisits() = default;
  /// The FMU that is called next.
  [[gnu::always_inline]] static void enter(const char* identity) {
    call_watch.visits.store(call_watch.visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    call_watch.identity.store(identity, std::memory_order_relaxed);
  }
  [[gnu::always_inline]] ~OutermostVisits() { call_watch.identity.store(nullptr, std::memory_order_relaxed); }
  OutermostVisits(const OutermostVisits&) = delete;
  OutermostVisits& operator=(const OutermostVisits&) = delete;
};

template <class Instance, class Owner>
struct HotStep {
  RealStep<Instance> real_step;
  bool is_plain = false;   ///< nothing of what follows applies: asked once a step
  bool needs_care = true;  ///< real_step does not do
  bool tells_derivatives = false;
  bool inputs_in_place = false;
  bool remembers = false;  ///< inputs and outputs of the last step, where derivatives start from
  Arithmetic arithmetic = Arithmetic::now();
  const char* identity = nullptr;
  Owner* self = nullptr;

  /// To be asked whenever one of them changed.
  void look_whether_it_is_plain() { is_plain = !needs_care && !tells_derivatives && inputs_in_place && !remembers; }

  static bool arrived(const assembly::Step& step, const StepResult& result) {
    if (result.outcome != base::Outcome::accepted) [[unlikely]]
      return false;
    if constexpr (std::is_same_v<Instance, Instance2>) return true;  // FMI 2 does not tell where a step ended
    const double end = step.begin + step.length;
    if (result.reached == end) [[likely]]
      return true;
    return std::abs(result.reached - end) <= 1e-9 * step.length;
  }
};

}  // namespace seam::fmi
