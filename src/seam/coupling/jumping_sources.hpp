// Outputs that may jump or carry noise, as far as that can be known before the run.
#pragma once

#include <string>
#include <vector>

#include "seam/assembly/assembly.hpp"
#include "seam/system/plan.hpp"
#include "seam/system/timetable.hpp"

namespace seam::coupling {

/// What decides whether outputs jump.
struct Surroundings {
  const assembly::Assembly& assembly;
  const system::Plan& plan;
  const std::vector<system::Course>& courses;
  double start = 0.0;  ///< s
};

/// Why the source of a wire may jump or be noisy, as the second half of a sentence; empty: nothing says so.
std::string why_it_may_jump(const Surroundings& around, const assembly::Wire& wire);

}  // namespace seam::coupling
