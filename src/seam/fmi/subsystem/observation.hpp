// Variables of an FMU that are read to be recorded, beside what its steps read.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "seam/assembly/facets.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

/// All variables but the time: inputs, outputs, local variables, parameters; arrays element by element. A variable is
/// followed by its other names (FMI 3.0.2, 2.4.7.5), which are neither states nor derivatives: these are listed once.
std::vector<assembly::Observable> observables_of(const ModelDescription& description, const Structure& structure);

/// What was chosen, in one call a type.
class Observation {
 public:
  Observation() = default;
  /// `outputs` are flat ports, `variables` numbers in the list above; both in ascending order.
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
    get_reals(instance, batches_, real_values_.data());
    get_discrete_values(instance, batches_, discrete_values_);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = real_values_[reals_[i]];
    for (std::size_t i = 0; i < discrete_values.size(); ++i) discrete_values[i] = discrete_values_[discrete_[i]];
  }

 private:
  /// Which elements of the variables that are read as a whole are given: of reals, or of discrete values.
  class Picked {
   public:
    void add(std::size_t element);
    /// All of them, in their order.
    bool is_whole() const { return is_all_ && count_ == size; }
    std::size_t operator[](std::size_t i) const { return is_all_ ? i : elements_[i]; }

    const Variable* last = nullptr;  ///< that was chosen
    std::size_t first = 0;           ///< its first element
    std::size_t size = 0;            ///< elements that are read

   private:
    bool is_all_ = true;  // the first `count_` of them so far, with nothing in the list
    std::size_t count_ = 0;
    std::vector<std::size_t> elements_;
  };
  void choose(const PortVariable& variable, std::size_t element);

  PortBatches batches_;
  Picked reals_, discrete_;
  bool are_whole_ = true;
  // where only some elements of an array were chosen: all of them
  std::vector<double> real_values_;
  std::vector<system::DiscreteValue> discrete_values_;
};

struct Choice {
  const std::vector<int>&outputs, &variables;
};

/// The same, made once for instances of one FMU that are asked for the same one after the other: a copy.
Observation observation_of(const ModelDescription& description, const Structure& structure,
                           const std::shared_ptr<const Ports>& ports, const Choice& choice);

}  // namespace seam::fmi
