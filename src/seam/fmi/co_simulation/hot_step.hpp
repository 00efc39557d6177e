// All that a plain step of a co-simulation FMU needs, apart from everything else: the blocks of many FMUs lie side by
// side.
#pragma once

#include <cmath>
#include <type_traits>

#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/co_simulation/real_step.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/host_guard.hpp"

namespace seam::fmi {

/// Visits to FMUs in a row that none can be around: there is nothing to go back to.
class RowOfVisits {
 public:
  [[gnu::always_inline]] RowOfVisits() {
    asm("" : "+r"(watch_));  // the compiler would find out again and again where it lies
    watch_->visits.store(watch_->visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  [[gnu::always_inline]] ~RowOfVisits() { watch_->identity.store(nullptr, std::memory_order_relaxed); }
  RowOfVisits(const RowOfVisits&) = delete;
  RowOfVisits& operator=(const RowOfVisits&) = delete;

  /// The watch that the visit is to be shown by.
  [[gnu::always_inline]] CallWatch& enter(const char* identity) const {
    watch_->identity.store(identity, std::memory_order_relaxed);
    return *watch_;
  }

 private:
  CallWatch* watch_ = &call_watch;
};

template <class Instance, class Owner>
struct HotStep {
  RealStep<Instance> real_step;
  bool is_plain = false;   ///< nothing of what follows applies: asked once a step
  bool needs_care = true;  ///< real_step does not do
  bool tells_derivatives = false;
  bool values_in_place = false;  ///< inputs and outputs: nothing to gather or scatter
  bool remembers = false;        ///< inputs and outputs of the last step, where derivatives start from
  Arithmetic arithmetic = Arithmetic::now();
  const char* identity = nullptr;
  Owner* self = nullptr;

  /// To be asked whenever one of them changed.
  void look_whether_it_is_plain() { is_plain = !needs_care && !tells_derivatives && values_in_place && !remembers; }

  /// As assembly::StepFunction wants them.
  static base::Outcome make_step(void* who, const assembly::Step& step, const assembly::InputPolynomials& input,
                                 assembly::Out outputs) {
    const RowOfVisits visits;
    Report report{};
    return static_cast<const HotStep*>(who)->visit({visits, step, report}, input, outputs);
  }
  static assembly::RowEnd make_row(const assembly::StepCall* call, const assembly::StepCall* end,
                                   const assembly::Step& step, double* values) {
    const RowOfVisits visits;
    Report report{};
    for (; call != end; ++call) {
      const auto* const hot = static_cast<const HotStep*>(call->step.who);
      const base::Outcome outcome = hot->visit({visits, step, report}, call->input(values), call->output(values));
      if (outcome != base::Outcome::accepted) [[unlikely]]
        return {call, outcome};
    }
    return {end, base::Outcome::accepted};
  }

  static bool arrived(const assembly::Step& step, const StepResult& result) {
    if (result.outcome != base::Outcome::accepted) [[unlikely]]
      return false;
    if constexpr (std::is_same_v<Instance, Instance2>) return true;  // FMI 2 does not tell where a step ended
    const double end = step.begin + step.length;
    if (result.reached == end) [[likely]]
      return true;
    return std::abs(result.reached - end) <= 1e-9 * step.length;
  }

 private:
  using Report = typename RealStep<Instance>::Report;
  struct Row {
    const RowOfVisits& visits;
    const assembly::Step& step;
    Report& report;
  };
  [[gnu::always_inline]] base::Outcome visit(const Row& row, const assembly::InputPolynomials& input,
                                             assembly::Out outputs) const {
    CallWatch& watch = row.visits.enter(identity);
    const ArithmeticGuard guard(arithmetic);
    if (!is_plain) [[unlikely]]
      return self->make_step_of_its_kind(row.step, input, outputs);
    const StepResult result = real_step(row.step, input.coefficients, outputs.data(), watch, row.report);
    return arrived(row.step, result) ? base::Outcome::accepted : self->judge(row.step, result, outputs);
  }
};

}  // namespace seam::fmi
