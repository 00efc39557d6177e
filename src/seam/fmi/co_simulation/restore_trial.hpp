// Does an FMU come back to a state it saved? Tried on an instance of its own before a run relies on it.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "seam/base/error.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

struct Trial {
  enum class Ending { agrees, differs, did_not_step } ending = Ending::agrees;
  std::string what;  ///< what differs
};

/// A remark, or none; throws base::Error(subsystem) if the state does not come back: retries cannot rely on it.
std::string judged(const Trial& trial, const std::string& identity);

struct TrialStep {
  double start = 0.0, length = 0.0;
  std::vector<double> inputs;  ///< flat reals: something that moves the outputs
};

/// Inputs one away from their start values, on the side where that is allowed.
std::vector<double> lively_inputs(const Ports& ports);

/// The first output that is not the same twice, as a phrase; empty if there is none.
std::string difference(const std::vector<double>& once, const std::vector<double>& again, const Ports& ports,
                       const char* when);

/// The instance is in Initialization Mode.
template <class Instance>
Trial try_a_restore(Instance& instance, const TrialStep& step, const Ports& ports, PortBatches inputs,
                    PortBatches outputs) {
  const auto read = [&] {
    std::vector<double> values(system::count_reals(ports.outputs));
    get_reals(instance, outputs, values.data());
    return values;
  };
  const auto make_step = [&] {
    set_ports(instance, inputs, step.inputs.data());
    return instance.do_step(step.start, step.length).outcome == base::Outcome::accepted;
  };
  try {
    instance.exit_initialisation();
    const std::vector<double> before = read();
    void* const state = instance.save_state();
    if (!make_step()) return {Trial::Ending::did_not_step, {}};
    const std::vector<double> after = read();
    instance.restore_state(state);
    std::string what = difference(before, read(), ports, "right after it went back");
    if (what.empty() && !make_step()) what = "it does not make the same step again";
    if (what.empty()) what = difference(after, read(), ports, "after it made the same step again");
    return {what.empty() ? Trial::Ending::agrees : Trial::Ending::differs, what};
  } catch (const base::Error& error) {
    if (error.failure() != base::Failure::subsystem) throw;
    return {Trial::Ending::did_not_step, error.what()};
  }
}

}  // namespace seam::fmi
