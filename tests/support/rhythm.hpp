// Schedules and steps of their own that couplings are tried under.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/system.hpp"

namespace seam::testing {

/// Who steps when: all together or in turn, all by one step or by steps of their own.
struct Rhythm {
  std::string name;
  system::Schedule::Kind schedule = system::Schedule::Kind::jacobi;
  std::vector<int> multiples = {1};  ///< of the subsystems in turn
};

inline engine::System with(engine::System system, const Rhythm& rhythm) {
  system.plan.schedule = rhythm.schedule;
  system.plan.order.clear();
  for (std::size_t i = 0; i < system.plan.subsystems.size(); ++i) {
    system.plan.subsystems[i].multiple = rhythm.multiples[i % rhythm.multiples.size()];
    system.plan.subsystems[i].micro_step *= system.plan.subsystems[i].multiple;
    if (rhythm.schedule == system::Schedule::Kind::gauss_seidel) system.plan.order.push_back(static_cast<int>(i));
  }
  return system;
}

}  // namespace seam::testing
