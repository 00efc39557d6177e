// Which inputs of an FMU are connected.
#pragma once

#include <algorithm>
#include <vector>

#include "seam/fmi/description/ports.hpp"

namespace seam::fmi {

/// Sorted once: an FMU may have thousands of inputs, all of them fed.
class FedPorts {
 public:
  explicit FedPorts(std::vector<int> fed) : fed_(std::move(fed)) { std::sort(fed_.begin(), fed_.end()); }

  /// Whether an element of the variable is among them.
  bool feed(const PortVariable& variable) const {
    const auto found = std::lower_bound(fed_.begin(), fed_.end(), static_cast<int>(variable.first));
    return found != fed_.end() && *found < static_cast<int>(variable.first + variable.elements);
  }

 private:
  std::vector<int> fed_;
};

}  // namespace seam::fmi
