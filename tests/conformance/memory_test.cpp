// A method remembers only what lies in the memory: runs repeat, a copy of memory and snapshots goes back to the bit,
// and it does not matter how many steps are asked for in one call. All systems have sources, offsets and start states
// that are not 0: nothing compares zeros.
#include <gtest/gtest.h>

#include "conformance/every_method.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/coupling/corrector/learning.hpp"

namespace seam {
namespace {

using testing::Drive;
using testing::every_way;
using testing::RandomSystems;
using testing::Way;

/// A state that moved: all that tests compare.
std::vector<double> moved_state(const engine::Live& live, const coupling::Memory& memory, const std::string& way) {
  const std::vector<double> z = analysis::read_state(live.program, memory);
  EXPECT_GT(testing::size_of(z), 1e-3) << way;
  return z;
}

std::vector<assembly::Snapshot> snapshots(const engine::Live& live) {
  std::vector<assembly::Snapshot> all;
  for (const coupling::Lane& lane : live.program.lanes) all.push_back(lane.subsystem->save());
  return all;
}

TEST(Memory, every_emitter_receiver_and_corrector_of_the_catalog_is_among_the_ways) {
  for (const coupling::Entry& entry : coupling::catalog()) {
    const std::vector<Way> ways = every_way();
    EXPECT_TRUE(std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
      return entry.name == (entry.part == coupling::Part::coupling   ? way.coupling.name
                            : entry.part == coupling::Part::emitter  ? way.coupling.emitter.name
                            : entry.part == coupling::Part::receiver ? way.coupling.receiver.name
                                                                     : way.corrector.name);
    })) << entry.name;
  }
}

TEST(Memory, the_same_run_twice_gives_the_same_bits) {
  RandomSystems random(11, Drive::full);
  const engine::System system = random.next();
  for (const Way& way : every_way()) {
    std::vector<double> first;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const engine::Live live = engine::make_live(with(system, way), {engine::Horizon::none, INFINITY});
      coupling::Memory memory = coupling::start(live.program);
      coupling::advance(live.program, memory, 50);
      const std::vector<double> z = moved_state(live, memory, way.name);
      if (repeat == 0) first = z;
      EXPECT_EQ(first, z) << way.name;
    }
  }
}

void expect_a_copy_goes_back(const engine::System& system, int before, const std::string& way) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none, INFINITY});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, before);
  const coupling::Memory kept = memory;
  const std::vector<assembly::Snapshot> saved = snapshots(live);
  coupling::advance(live.program, memory, 7);
  const std::vector<double> once = moved_state(live, memory, way);

  memory = kept;
  for (std::size_t i = 0; i < saved.size(); ++i) live.program.lanes[i].subsystem->restore(saved[i]);
  coupling::advance(live.program, memory, 7);
  EXPECT_EQ(once, analysis::read_state(live.program, memory)) << way;
}

// After 2 steps holds are still in start-up, so that the counters go back, too.
TEST(Memory, a_copy_and_snapshots_bring_a_run_back_to_the_bit) {
  RandomSystems random(12, Drive::full);
  const engine::System system = random.next();
  for (const Way& way : every_way()) {
    for (const int before : {2, 24}) expect_a_copy_goes_back(with(system, way), before, way.name);
  }
}

TEST(Memory, five_steps_at_once_are_five_single_steps) {
  RandomSystems random(13, Drive::full);
  const engine::System system = random.next();
  for (const Way& way : every_way()) {
    std::vector<double> at_once;
    for (const base::Tick count : {base::Tick{5}, base::Tick{1}}) {
      const engine::Live live = engine::make_live(with(system, way), {engine::Horizon::none, INFINITY});
      coupling::Memory memory = coupling::start(live.program);
      for (base::Tick done = 0; done < 40; done += count) coupling::advance(live.program, memory, count);
      const std::vector<double> z = moved_state(live, memory, way.name);
      if (count == 5) at_once = z;
      EXPECT_EQ(at_once, z) << way.name;
    }
  }
}

// Modes, trials and an analysis beside a run need that: what one program prepared stays as it is for the other.
TEST(Memory, a_second_program_on_the_same_subsystems_leaves_the_first_as_it_was) {
  RandomSystems random(15, Drive::full);
  const engine::System system = random.next();
  const auto run = [&](const Way& way, bool second) {
    const engine::System first = with(system, way);
    engine::Live live = engine::make_live(first, {engine::Horizon::none, INFINITY});
    coupling::Memory memory = coupling::start(live.program);
    coupling::advance(live.program, memory, 9);
    if (second) {
      const std::vector<assembly::Snapshot> saved = snapshots(live);
      engine::System other = system;
      other.plan.step *= 0.5;
      base::Problems problems;
      const auto program = coupling::compile(*live.assembly, other.plan, {}, problems);
      EXPECT_TRUE(program) << problems.text();
      coupling::Memory own = coupling::start(*program);
      coupling::advance(*program, own, 4);
      for (std::size_t i = 0; i < saved.size(); ++i) live.program.lanes[i].subsystem->restore(saved[i]);
    }
    coupling::advance(live.program, memory, 9);
    return moved_state(live, memory, way.name);
  };
  for (const Way& way : every_way()) EXPECT_EQ(run(way, false), run(way, true)) << way.name;
}

// Sources and offsets that a corrector does not see hide the models: these runs have none.
TEST(Memory, a_copy_brings_runs_with_identified_models_back_to_the_bit) {
  RandomSystems random(20261115, Drive::start_states);
  int used = 0;
  for (int i = 0; i < 3; ++i) {
    const engine::System system = random.next();
    for (const Way& way : testing::ways_with(testing::all_learning_correctors())) {
      expect_a_copy_goes_back(with(system, way), 24, way.name);
      const engine::Live live = engine::make_live(with(system, way), {engine::Horizon::none, INFINITY});
      coupling::Memory memory = coupling::start(live.program);
      coupling::advance(live.program, memory, 31);
      for (std::size_t lane = 0; lane < memory.learning->count(); ++lane)
        used += memory.learning->account(lane).used > 0 ? 1 : 0;
    }
  }
  std::printf("models in use: %d\n", used);
  EXPECT_GT(used, 0);
}

TEST(Memory, probing_leaves_the_subsystems_as_they_were) {
  RandomSystems random(14, Drive::full);
  const engine::System system = random.next();
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  coupling::Memory memory = coupling::start(live.program);
  coupling::advance(live.program, memory, 3);
  const std::vector<double> before = moved_state(live, memory, "probing");
  std::string reason;
  ASSERT_TRUE(analysis::transition(live.program, memory, reason));
  EXPECT_EQ(before, analysis::read_state(live.program, memory));
}

}  // namespace
}  // namespace seam
