// The map of an affine macro step, over the whole catalog.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/step_probe.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

using coupling::describe;
using coupling::Memory;

void expect_near(const std::vector<double>& one, const std::vector<double>& other, const std::string& what) {
  ASSERT_EQ(one.size(), other.size()) << what;
  double size = 1.0;
  for (const double value : other) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], 1e-11 * size) << what << ": " << i;
}

TEST(StepMapConformance, is_the_operations_for_every_coupling_and_corrector_of_the_catalog) {
  testing::RandomSystems systems(11, testing::Drive::start_states);
  int mapped_ones = 0;
  for (int round = 0; round < 6; ++round) {
    const engine::System system = systems.next();
    const auto compare = [&](const engine::System& one, const std::string& what) {
      engine::Live mapped, plain;
      try {
        mapped = engine::make_live(one, {engine::Horizon::none});
        plain = engine::make_live(one, {engine::Horizon::none});
      } catch (const base::ProblemsFound&) {
        return;  // a combination that is refused
      }
      if (!mapped.program.map) return;
      ++mapped_ones;
      plain.program.map.reset();
      Memory memory = start(mapped.program), expected = start(plain.program);
      for (int n = 0; n < 12; ++n) {
        advance(mapped.program, memory, 1);
        advance(plain.program, expected, 1);
        expect_near(coupling::read_state(mapped.program, memory), coupling::read_state(plain.program, expected), what);
      }
    };
    for (const system::Coupling& coupling : testing::all_couplings()) {
      for (const auto feedthrough : {system::Feedthrough::held, system::Feedthrough::fresh})
        compare(testing::with(system, coupling, feedthrough), describe(coupling));
    }
    for (const system::Corrector& corrector : testing::all_correctors()) {
      engine::System corrected = system;
      corrected.plan.corrector = corrector;
      compare(corrected, describe(corrector));
    }
  }
  EXPECT_GT(mapped_ones, 100);
}

}  // namespace
}  // namespace seam
