// Set, step and read where nothing but real numbers travels: the calls of an FMU without a detour.
#pragma once

#include <deque>
#include <mutex>
#include <type_traits>
#include <utility>

#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/instance/call_watch.hpp"
#include "seam/fmi/instance/instance2.hpp"
#include "seam/fmi/instance/instance3.hpp"
#include "seam/fmi/subsystem/real_ports.hpp"

namespace seam::fmi {

/// Copies what a step needs of an instance, so that it lies in one place and is small: with many FMUs the cache is what
/// counts. To be made anew when a state was saved, and not to be used where calls are logged.
template <class Instance>
class RealStep {
 public:
  RealStep() = default;  ///< not to be called
  RealStep(Instance& instance, const RealVariables& inputs, const RealVariables& outputs)
      : handle_(instance.handle_),
        calls_(shared({instance.set_reals_, instance.call_.do_step, instance.get_reals_})),
        instance_(&instance),
        inputs_(inputs),
        outputs_(outputs),
        never_goes_back_(instance.never_goes_back_) {}

  /// What an FMU reports of a step. One is enough for many steps: its flags are down before each of them.
  using Report = typename Instance::Report;

  /// Inputs and outputs are flat, or gathered: RealVariables::first is counted from their begin. The outputs are read
  /// if the step is accepted. `watch` is that of this thread.
  [[gnu::always_inline]] StepResult operator()(const assembly::Step& by, const double* inputs, double* outputs,
                                               CallWatch& watch, Report& report) const {
    if (inputs_.count() != 0) [[likely]] {
      const auto status = call(calls_->set, inputs_, inputs, Named{watch, set_name});
      if (status != 0) [[unlikely]]
        instance_->finish_set_reals(status, inputs_.span(), {inputs + inputs_.first(), inputs_.elements()});
    }
    const StepResult result = step(by, watch, report);
    if (result.outcome != base::Outcome::accepted) [[unlikely]]
      return result;
    if (outputs_.count() != 0) [[likely]] {
      const auto status = call(calls_->get, outputs_, outputs, Named{watch, get_name});
      if (status != 0) [[unlikely]]
        instance_->finish_get_reals(status, outputs_.span(), {outputs + outputs_.first(), outputs_.elements()});
    }
    return result;
  }

 private:
  static constexpr bool second = std::is_same_v<Instance, Instance2>;
  static constexpr const char* set_name = second ? "fmi2SetReal" : "fmi3SetFloat64";
  static constexpr const char* get_name = second ? "fmi2GetReal" : "fmi3GetFloat64";

  struct Calls {
    decltype(Instance::set_reals_) set;
    decltype(std::declval<typename Instance::Functions>().do_step) step;
    decltype(Instance::get_reals_) get;
    bool operator==(const Calls&) const = default;
  };
  /// The functions of one library are the same for all its instances; kept as long as the process lives.
  static const Calls* shared(const Calls& calls) {
    static std::mutex mutex;
    static std::deque<Calls> known;
    const std::lock_guard lock(mutex);
    const auto found = std::find(known.begin(), known.end(), calls);
    return found != known.end() ? &*found : &known.emplace_back(calls);
  }

  /// The name of a call for the watch.
  struct Named {
    CallWatch& watch;
    const char* name;
  };
  // Only FMI 3 is told the number of elements.
  template <class Function, class Number>
  [[gnu::always_inline]] int call(const Function& function, const RealPorts& ports, Number* numbers,
                                  const Named& named) const {
    const std::size_t count = ports.count();
    const std::uint32_t* references = ports.references();
    numbers += ports.first();
    named.watch.now_in(named.name);
    if constexpr (second) {
      return function(handle_, references, count, numbers);
    } else {
      return function(handle_, references, count, numbers, ports.elements());
    }
  }

  [[gnu::always_inline]] StepResult step(const assembly::Step& by, CallWatch& watch, Report& report) const {
    if constexpr (second) {
      watch.now_in("fmi2DoStep");
      const auto status = calls_->step(handle_, by.begin, by.length, never_goes_back_);
      if (status != 0) [[unlikely]]
        return instance_->unusual(status, by.begin, by.length);
      return {base::Outcome::accepted, by.begin + by.length};
    } else {
      report.reached = by.begin + by.length;
      watch.now_in("fmi3DoStep");
      const auto status = calls_->step(handle_, by.begin, by.length, never_goes_back_, &report.event_needed,
                                       &report.terminate, &report.early, &report.reached);
      if (status != 0 || (report.event_needed | report.terminate | report.early)) [[unlikely]]
        return instance_->unusual(status, by.begin, by.length, std::exchange(report, {}));
      return {base::Outcome::accepted, report.reached};
    }
  }

  void* handle_ = nullptr;
  const Calls* calls_ = nullptr;
  Instance* instance_ = nullptr;
  RealPorts inputs_, outputs_;
  decltype(Instance::never_goes_back_) never_goes_back_ = 1;
};

}  // namespace seam::fmi
