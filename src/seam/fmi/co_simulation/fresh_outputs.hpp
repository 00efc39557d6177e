// Outputs of a co-simulation FMU for inputs that have just arrived, before these are set: by directional derivatives.
#pragma once

#include <algorithm>

#include "seam/fmi/subsystem/sensitivity.hpp"

namespace seam::fmi {

/// y + D (u - u_last) in one call: the derivative in the direction of the change. D is that of the end of the last
/// step, since nothing has been set since.
class FreshOutputs {
 public:
  FreshOutputs(const ModelDescription& description, const Ports& ports, const std::vector<int>& fed)
      : sides_(DerivativeSides::of_feedthrough(description, ports, fed)),
        last_inputs_(system::count_reals(ports.inputs)),
        last_outputs_(system::count_reals(ports.outputs)),
        seed_(sides_.inputs.places.size()),
        change_(sides_.outputs.places.size()),
        held_(outputs_beyond(sides_, description, ports, fed)) {}

  /// Outputs that depend on inputs of other kinds (discrete, Float32): they stay as they are. Empty if no output was
  /// asked for.
  std::string what_is_held() const { return asked_ ? held_ : std::string(); }

  /// After every step.
  void remember(const double* inputs, const double* outputs) {
    std::copy_n(inputs, last_inputs_.size(), last_inputs_.begin());
    std::copy_n(outputs, last_outputs_.size(), last_outputs_.begin());
  }

  template <class Instance>
  void evaluate(Instance& instance, const double* inputs, double* outputs) {
    asked_ = true;
    std::copy(last_outputs_.begin(), last_outputs_.end(), outputs);
    bool changed = false;
    for (std::size_t i = 0; i < seed_.size(); ++i) {
      const auto place = static_cast<std::size_t>(sides_.inputs.places[i]);
      seed_[i] = inputs[place] - last_inputs_[place];
      changed = changed || seed_[i] != 0.0;
    }
    if (!changed || change_.empty()) return;
    instance.directional(sides_.outputs.references, sides_.inputs.references, seed_, change_);
    for (std::size_t i = 0; i < change_.size(); ++i) outputs[sides_.outputs.places[i]] += change_[i];
  }

 private:
  DerivativeSides sides_;
  std::vector<double> last_inputs_, last_outputs_;
  std::vector<double> seed_, change_;
  std::string held_;
  bool asked_ = false;
};

}  // namespace seam::fmi
