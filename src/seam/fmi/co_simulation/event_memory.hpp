// What an FMU with events does not keep itself: the part of its state that is ours, as bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "seam/system/discrete_value.hpp"

namespace seam::fmi {

struct EventMemory {
  std::vector<double> numbers;
  std::vector<system::DiscreteValue> discrete_values;

  std::string bytes() const;
  /// Takes its bytes from the front of `text`. Throws base::Error(subsystem) if they are not there, or are for others
  /// than these counts.
  static EventMemory read(std::string_view& text, std::size_t numbers, std::size_t discrete_values);
};

}  // namespace seam::fmi
