// A method remembers only what lies in the memory: runs repeat, and a copy of memory and snapshots goes back to the
// bit.
#include <gtest/gtest.h>

#include "seam/analysis/transition.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/catalog.hpp"
#include "support/random_system.hpp"

namespace seam {
namespace {

TEST(Memory, the_same_run_twice_gives_the_same_bits) {
  testing::RandomSystems random(11);
  const engine::System system = random.next();
  for (const system::Coupling& coupling : testing::all_couplings()) {
    std::vector<double> first;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const engine::Live live =
          engine::make_live(testing::with(system, coupling, system::Feedthrough::fresh), {engine::Horizon::none});
      coupling::Memory memory = coupling::start(live.program);
      coupling::advance(live.program, memory, 50);
      const std::vector<double> z = analysis::read_state(live.program, memory);
      if (repeat == 0) first = z;
      EXPECT_EQ(first, z) << coupling::describe(coupling);
    }
  }
}

TEST(Memory, a_copy_and_snapshots_bring_a_run_back_to_the_bit) {
  testing::RandomSystems random(12);
  const engine::System system = random.next();
  for (const system::Coupling& coupling : testing::all_couplings()) {
    const engine::Live live =
        engine::make_live(testing::with(system, coupling, system::Feedthrough::held), {engine::Horizon::none});
    coupling::Memory memory = coupling::start(live.program);
    for (const auto& member : live.assembly->members) {
      for (double& x : member.subsystem->states()) x = random.uniform(-1.0, 1.0);
    }
    coupling::advance(live.program, memory, 2);  // still in start-up: the counters go back too
    const coupling::Memory kept = memory;
    std::vector<assembly::Snapshot> snapshots;
    for (const auto& member : live.assembly->members) snapshots.push_back(member.subsystem->save());
    coupling::advance(live.program, memory, 5);
    const std::vector<double> once = analysis::read_state(live.program, memory);

    memory = kept;
    for (std::size_t m = 0; m < snapshots.size(); ++m) live.assembly->members[m].subsystem->restore(snapshots[m]);
    coupling::advance(live.program, memory, 5);
    EXPECT_EQ(once, analysis::read_state(live.program, memory)) << coupling::describe(coupling);
  }
}

TEST(Memory, five_steps_at_once_are_five_single_steps) {
  testing::RandomSystems random(13);
  const engine::System system = random.next();
  for (const system::Coupling& coupling : testing::all_couplings()) {
    std::vector<double> at_once;
    for (const base::Tick count : {base::Tick{5}, base::Tick{1}}) {
      const engine::Live live =
          engine::make_live(testing::with(system, coupling, system::Feedthrough::held), {engine::Horizon::none});
      coupling::Memory memory = coupling::start(live.program);
      for (base::Tick done = 0; done < 5; done += count) coupling::advance(live.program, memory, count);
      if (count == 5) at_once = analysis::read_state(live.program, memory);
      EXPECT_EQ(at_once, analysis::read_state(live.program, memory)) << coupling::describe(coupling);
    }
  }
}

TEST(Memory, probing_leaves_the_subsystems_as_they_were) {
  testing::RandomSystems random(14);
  const engine::System system = random.next();
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, 3);
  const std::vector<double> before = analysis::read_state(live.program, memory);
  std::string reason;
  ASSERT_TRUE(analysis::transition(live.program, memory, reason));
  EXPECT_EQ(before, analysis::read_state(live.program, memory));
}

}  // namespace
}  // namespace seam
