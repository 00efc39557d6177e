// In which order outputs can be sent at a communication point when some are evaluated again with what has just arrived.
#pragma once

#include <optional>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/base/problem.hpp"
#include "seam/system/plan.hpp"
#include "seam/system/timetable.hpp"

namespace seam::coupling {

/// stage[member][output]: 0 is sent as the step left it, s > 0 after the s-th round of evaluations. Empty for a member
/// that sends all as its step left it.
struct ExchangeOrder {
  std::vector<std::vector<int>> stage;
  int stages = 1;

  int stage_of(int member, int output) const {
    const std::vector<int>& known = stage[static_cast<std::size_t>(member)];
    return known.empty() ? 0 : known[static_cast<std::size_t>(output)];
  }
};

/// None if direct feed-through that is to be sent fresh closes a loop; the problem names the ports around it. Inputs
/// that events change (`courses`) count as arriving with what is sent as the step left it.
std::optional<ExchangeOrder> exchange_order(const assembly::Assembly& assembly, const system::Plan& plan,
                                            const std::vector<system::Course>& courses, base::Problems& problems);

}  // namespace seam::coupling
