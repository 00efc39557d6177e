// Schedules and steps of their own that couplings are tried under.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/open/system.hpp"

namespace seam::testing {

/// Who steps when: all together or in turn, all by one step or by steps of their own.
struct Rhythm {
  std::string name;
  system::Schedule::Kind schedule = system::Schedule::Kind::jacobi;
  std::vector<int> multiples = {1};  ///< of the subsystems in turn
};

inline const std::vector<Rhythm> all_rhythms = {
    {"jacobi"},
    {"gauss-seidel", system::Schedule::Kind::gauss_seidel},
    {"rates 1:2:4", system::Schedule::Kind::jacobi, {1, 2, 4}},
    {"rates 6:1:3", system::Schedule::Kind::jacobi, {6, 1, 3}},
    {"gauss-seidel, rates 4:1:2", system::Schedule::Kind::gauss_seidel, {4, 1, 2}}};

inline engine::System with(engine::System system, const Rhythm& rhythm) {
  system.plan.schedule = rhythm.schedule;
  system.plan.order.clear();
  for (std::size_t i = 0; i < system.plan.subsystems.size(); ++i) {
    if (system.description.subsystems[i].is_signal) continue;
    system.plan.subsystems[i].multiple = rhythm.multiples[i % rhythm.multiples.size()];
    system.plan.subsystems[i].micro_step *= system.plan.subsystems[i].multiple;
    if (rhythm.schedule == system::Schedule::Kind::gauss_seidel) system.plan.order.push_back(static_cast<int>(i));
  }
  return system;
}

}  // namespace seam::testing
