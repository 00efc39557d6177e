// Parameters of an FMU that change while it runs.
#pragma once

#include <vector>

#include "seam/fmi/description/values.hpp"
#include "seam/system/discrete_value.hpp"

namespace seam::fmi {

/// Scalars, in the order they were announced. FMI allows to set them between two steps (co-simulation) and in Event
/// Mode, if they are tunable.
class Tunables {
 public:
  explicit Tunables(const std::vector<const Variable*>& variables) {
    for (const Variable* variable : variables) {
      Values values;
      values.reals.resize(store_of(variable->type) == Store::reals ? 1 : 0);
      values.integers.resize(store_of(variable->type) == Store::integers ? 1 : 0);
      values.texts.resize(store_of(variable->type) == Store::texts ? 1 : 0);
      all_.push_back({variable, std::move(values), false});
    }
  }

  /// What it is to be from now on; told to the FMU by `tell`.
  void put(int which, double number, const system::DiscreteValue& discrete_value) {
    Tunable& one = all_[static_cast<std::size_t>(which)];
    for (double& real : one.values.reals) real = number;
    for (std::int64_t& integer : one.values.integers) integer = discrete_value.integer;
    for (std::string& text : one.values.texts) text = discrete_value.text;
    one.untold = true;
  }
  bool any_untold() const {
    for (const Tunable& one : all_) {
      if (one.untold) return true;
    }
    return false;
  }
  template <class Instance>
  void tell(Instance& instance) {
    for (Tunable& one : all_) {
      if (one.untold) instance.set(*one.variable, one.values);
      one.untold = false;
    }
  }
  /// Both at once, where the FMU allows it.
  template <class Instance>
  void change(Instance& instance, int which, double number, const system::DiscreteValue& discrete_value) {
    put(which, number, discrete_value);
    tell(instance);
  }

 private:
  struct Tunable {
    const Variable* variable = nullptr;
    Values values;
    bool untold = false;
  };
  std::vector<Tunable> all_;
};

}  // namespace seam::fmi
