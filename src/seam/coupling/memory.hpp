// All that changes while a program runs, apart from the subsystems themselves. Copying it is a checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "seam/base/grid.hpp"
#include "seam/base/numbers.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "seam/system/discrete_value.hpp"

namespace seam::coupling {

struct Memory {
  /// Port values, samples and the room methods work in; Program::signals says which of them carry something to the next
  /// step.
  base::Numbers values;
  /// Counters and other things that are no signals; frozen while analysis probes.
  std::vector<std::int64_t> knowledge;
  /// Models of the corrector with what is solved from them: knowledge too. Then room it works in.
  base::Numbers models;
  /// Finds those that are learned from samples.
  std::optional<Learning> learning;
  /// Values of ports that are no reals: knowledge too.
  std::vector<system::DiscreteValue> discrete_values;
  /// Room for the map of a step: it carries nothing from one call of `advance` to the next.
  base::Numbers workspace;
  base::Tick tick = 0;
};

}  // namespace seam::coupling
