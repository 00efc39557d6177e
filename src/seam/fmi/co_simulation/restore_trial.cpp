#include "seam/fmi/co_simulation/restore_trial.hpp"

#include <algorithm>

#include "seam/fmi/co_simulation/micro_trial.hpp"

namespace seam::fmi {

std::vector<double> lively_inputs(const Ports& ports) {
  std::vector<double> inputs(system::count_reals(ports.inputs));
  for (const PortVariable& input : ports.input_variables) {
    for (std::size_t e = 0; e < input.elements && input.first + e < inputs.size(); ++e) {
      const double start = ports.inputs[input.first + e].start.value_or(0.0);
      const bool room_above = !input.variable->max || start + 1.0 <= *input.variable->max;
      const bool room_below = !input.variable->min || start - 1.0 >= *input.variable->min;
      inputs[input.first + e] = room_above ? start + 1.0 : room_below ? start - 1.0 : start;
    }
  }
  return inputs;
}

std::string difference(const std::vector<double>& once, const std::vector<double>& again, const Ports& ports,
                       const char* when) {
  constexpr double tolerance = 1e-9;  // a solver inside may have kept its own memory of step sizes
  for (std::size_t i = 0; i < once.size(); ++i) {
    if (once[i] == again[i] || (std::isnan(once[i]) && std::isnan(again[i]))) continue;
    if (std::abs(once[i] - again[i]) <= tolerance * std::max(std::abs(once[i]), std::abs(again[i]))) continue;
    return fmt::format("its output {} was {} and is {} {}", ports.outputs[i].name, once[i], again[i], when);
  }
  return {};
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double size = std::max(std::abs(a[i]), std::abs(b[i]));
    if (size > 0.0) largest = std::max(largest, std::abs(a[i] - b[i]) / size);
  }
  return largest;
}

std::string judged(const Trial& trial, const std::string& identity) {
  if (trial.ending == Trial::Ending::differs) {
    throw base::Error(base::Failure::subsystem,
                      fmt::format("{} says it can restore its state, but {}\n   retries cannot be used with it: remove "
                                  "them, and try a smaller --step",
                                  identity, trial.what));
  }
  if (trial.ending == Trial::Ending::agrees) return {};
  return identity + " did not make a trial step: whether it restores its state could not be tried";
}

}  // namespace seam::fmi
