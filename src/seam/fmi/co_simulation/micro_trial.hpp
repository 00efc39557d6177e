// Does an FMU honour small steps? Compared with one long step on instances of its own before a run relies on it.
#pragma once

#include <chrono>

#include "seam/fmi/co_simulation/restore_trial.hpp"

namespace seam::fmi {

struct MicroTrial {
  enum class Ending {
    compared,
    not_compared,  ///< it does not take the long step
    refused        ///< it does not take the small ones
  } ending = Ending::compared;
  std::string what;            ///< why it was not compared, or refused
  double difference = 0.0;     ///< largest, relative to the size of the output
  std::optional<double> cost;  ///< time of the small steps in that of the long ones, where it could be measured
};

/// Largest |a - b| / max(|a|, |b|) over the outputs; 0 where both are 0.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

struct MicroTrialSetup {
  int calls = 1;  ///< small steps in a long one
  const TrialStep& step;
  const Ports& ports;
  PortBatches inputs, outputs;
};

/// Both instances are in Initialization Mode; the first makes long steps under held inputs, the second small ones.
template <class Instance>
MicroTrial try_micro_steps(Instance& in_one, Instance& in_many, MicroTrialSetup setup) {
  using Clock = std::chrono::steady_clock;
  constexpr int steps = 4;
  const auto cross = [&](Instance& instance, int calls_a_step, std::vector<double>& reached) {
    instance.exit_initialisation();
    const auto begin = Clock::now();
    for (int n = 0; n < steps * calls_a_step; ++n) {
      set_ports(instance, setup.inputs, setup.step.inputs.data());
      const double h = setup.step.length / calls_a_step;
      if (instance.do_step(setup.step.start + n * h, h).outcome != base::Outcome::accepted)
        throw base::Error(base::Failure::subsystem, fmt::format("it does not accept a step of {} s", h));
    }
    const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
    reached.resize(system::count_reals(setup.ports.outputs));
    get_reals(instance, setup.outputs, reached.data());
    return taken;
  };
  constexpr double measurable = 1e-3;  // s; what is shorter says more of the machine than of the FMU
  MicroTrial trial;
  std::vector<double> long_way, short_way;
  double long_time = 0.0, short_time = 0.0;
  try {
    short_time = cross(in_many, setup.calls, short_way);
  } catch (const base::Error& error) {
    if (error.failure() != base::Failure::subsystem || in_many.mode() == Mode::fatal) throw;
    return {MicroTrial::Ending::refused, error.what(), 0.0, std::nullopt};
  }
  try {
    long_time = cross(in_one, 1, long_way);
  } catch (const base::Error& error) {
    if (error.failure() != base::Failure::subsystem || in_one.mode() == Mode::fatal) throw;
    return {MicroTrial::Ending::not_compared, error.what(), 0.0, std::nullopt};
  }
  trial.difference = relative_difference(long_way, short_way);
  if (long_time > measurable) trial.cost = short_time / long_time;
  return trial;
}

}  // namespace seam::fmi
