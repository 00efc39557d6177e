// Every way to couple that the catalog offers: couplings, correctors that are fixed or learn, schedules and rates.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "seam/analysis/transition.hpp"
#include "seam/coupling/catalog.hpp"
#include "support/random_system.hpp"
#include "support/rhythm.hpp"

namespace seam::testing {

struct Way {
  std::string name;
  system::Coupling coupling;
  system::Feedthrough feedthrough = system::Feedthrough::held;
  Rhythm rhythm;
  system::Corrector corrector = {};
};

/// Whether a corrector works with these samples and steps.
inline bool fits(const system::Corrector& corrector, const system::Coupling& coupling, const Rhythm& rhythm) {
  const coupling::CorrectorShape shape = coupling::make_corrector(corrector)->shape();
  if (shape.addition == coupling::Addition::polynomial)
    return rhythm.multiples.size() == 1 && coupling::is_plain_hold(coupling);
  if (shape.looks == 1) return true;
  return rhythm.multiples.size() == 1 && coupling.samples == system::Samples::macro;
}

inline std::vector<Way> ways_without_corrector() {
  std::vector<Way> all;
  for (const system::Coupling& coupling : all_couplings()) {
    for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh}) {
      const std::string sent = feedthrough == system::Feedthrough::held ? ", held" : ", fresh";
      for (const Rhythm& rhythm : all_rhythms)
        all.push_back({coupling::describe(coupling) + ", " + rhythm.name + sent, coupling, feedthrough, rhythm});
    }
  }
  return all;
}

inline std::vector<Way> ways_with(const std::vector<system::Corrector>& correctors) {
  std::vector<Way> all;
  for (const system::Corrector& corrector : correctors) {
    for (const system::Coupling& coupling : all_holds()) {
      for (const Rhythm& rhythm : all_rhythms) {
        if (!fits(corrector, coupling, rhythm)) continue;
        all.push_back({coupling::describe(coupling) + " with " + coupling::describe(corrector) + ", " + rhythm.name,
                       coupling, system::Feedthrough::held, rhythm, corrector});
      }
    }
  }
  return all;
}

inline std::vector<Way> every_way() {
  std::vector<Way> all = ways_without_corrector();
  for (const auto& correctors : {all_correctors(), all_choosing_correctors(), all_learning_correctors()}) {
    const std::vector<Way> more = ways_with(correctors);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

inline engine::System with(const engine::System& system, const Way& way) {
  engine::System result = with(with(system, way.coupling, way.feedthrough), way.rhythm);
  result.plan.corrector = way.corrector;
  return result;
}

inline double size_of(const std::vector<double>& z) {
  double largest = 0.0;
  for (const double v : z) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace seam::testing
