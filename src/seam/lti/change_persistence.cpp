#include "seam/lti/change_persistence.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"

namespace seam::lti {

ChangePersistence::ChangePersistence(int inputs, double least_ratio)
    : least_ratio_(least_ratio), memory_(2 + 2 * static_cast<std::size_t>(std::max(inputs, 0))) {
  restart();
}

void ChangePersistence::restart() {
  std::fill(memory_.begin(), memory_.end(), 0.0);
  memory_[1] = 1.0;
}

void ChangePersistence::observe(std::span<const double> inputs) {
  if (2 + 2 * inputs.size() != memory_.size()) {
    throw base::Error(base::Failure::internal, "persistence of changes: inputs of another size than announced");
  }
  const double seen = memory_[0];
  bool persists = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    double& latest = memory_[2 + i];
    double& change = memory_[2 + inputs.size() + i];
    const double now = inputs[i] - latest;
    if (seen >= 2.0)
      persists = persists && now * change >= least_ratio_ * change * change && (change != 0.0 || now == 0.0);
    if (seen >= 1.0) change = now;
    latest = inputs[i];
  }
  memory_[0] = std::min(seen + 1.0, 2.0);
  memory_[1] = persists ? 1.0 : 0.0;
}

}  // namespace seam::lti
