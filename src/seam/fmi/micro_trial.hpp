// Does an FMU honour small steps? Compared with one long step on instances of its own before anybody relies on it.
#pragma once

#include <chrono>

#include "seam/fmi/restore_trial.hpp"

namespace seam::fmi {

struct MicroTrial {
  enum class Ending { compared, refused } ending = Ending::compared;
  std::string what;         ///< why it was refused
  double difference = 0.0;  ///< largest, relative to the size of the output
  double cost = 1.0;        ///< time of the small steps in that of the long ones
};

/// Largest |a - b| / max(|a|, |b|) over the outputs; 0 where both are 0.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

/// Both instances are in Initialization Mode; the first makes long steps under held inputs, the second `calls` small
/// ones for each.
template <class Instance>
MicroTrial try_micro_steps(Instance& in_one, Instance& in_many, int calls, const TrialStep& step, const Ports& ports,
                           PortBatches inputs, PortBatches outputs) {
  using Clock = std::chrono::steady_clock;
  constexpr int steps = 4;
  const auto cross = [&](Instance& instance, int calls_a_step, std::vector<double>& reached) {
    instance.exit_initialisation();
    const auto begin = Clock::now();
    for (int n = 0; n < steps * calls_a_step; ++n) {
      set_ports(instance, inputs, step.inputs.data());
      const double h = step.length / calls_a_step;
      if (instance.do_step(step.start + n * h, h).outcome != base::Outcome::accepted)
        throw base::Error(base::Failure::subsystem, fmt::format("it does not accept a step of {} s", h));
    }
    const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
    reached.resize(system::count_reals(ports.outputs));
    get_reals(instance, outputs, reached.data());
    return taken;
  };
  MicroTrial trial;
  try {
    std::vector<double> long_way, short_way;
    const double long_time = cross(in_one, 1, long_way), short_time = cross(in_many, calls, short_way);
    trial.difference = relative_difference(long_way, short_way);
    trial.cost = long_time > 0.0 ? short_time / long_time : 1.0;
  } catch (const base::Error& error) {
    if (error.failure() != base::Failure::subsystem) throw;
    trial = {MicroTrial::Ending::refused, error.what(), 0.0, 1.0};
  }
  return trial;
}

}  // namespace seam::fmi
