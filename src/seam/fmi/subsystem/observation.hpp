// Variables of an FMU that are read to be recorded, beside what its steps read.
#pragma once

#include <span>
#include <vector>

#include "seam/assembly/facets.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

/// All variables but the time: inputs, outputs, local variables, parameters; arrays element by element.
std::vector<assembly::Observable> observables_of(const ModelDescription& description, const Structure& structure);

/// Whether it may be read between two steps: a clocked variable may not (FMI 3.0.2, 2.2.7.2), and a clock is no value.
inline bool can_be_observed(const Variable& v) { return v.type != Type::clock && v.clocks.empty(); }

/// What was chosen, in one call a type.
class Observation {
 public:
  Observation() = default;
  /// `outputs` are flat ports, `variables` numbers in the list above.
  Observation(const ModelDescription& description, const Structure& structure, const Ports& ports,
              const std::vector<int>& outputs, const std::vector<int>& variables);

  /// Reals: the outputs, then the variables; discrete values in the same order.
  template <class Instance>
  void read(Instance& instance, std::span<double> reals, std::span<system::DiscreteValue> discrete_values) {
    if (are_whole_) {
      get_reals(instance, batches_, reals.data());
      get_discrete_values(instance, batches_, discrete_values);
      return;
    }
    get_reals(instance, batches_, reals_.data());
    get_discrete_values(instance, batches_, discrete_values_);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = reals_[picked_reals_[i]];
    for (std::size_t i = 0; i < discrete_values.size(); ++i) discrete_values[i] = discrete_values_[picked_discrete_[i]];
  }

 private:
  PortBatches batches_;
  bool are_whole_ = true;  // all elements of all variables that are read, in order
  // where only some elements of an array were chosen: all of them, and which of these are given
  std::vector<double> reals_;
  std::vector<system::DiscreteValue> discrete_values_;
  std::vector<std::size_t> picked_reals_, picked_discrete_;
};

}  // namespace seam::fmi
