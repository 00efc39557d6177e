#include "seam/coupling/unison.hpp"

#include <gtest/gtest.h>

#include "coupling/live.hpp"
#include "seam/engine/memory_run.hpp"

namespace seam::coupling {
namespace {

/// Masses by Euler's rule with 1 ms, hit now and then; the micro samples split their steps.
std::string masses(const std::string& plan, const std::string& of_one = "") {
  return "subsystems:\n"
         "  one: {model: mass-chain, solver: euler, solver_step: 1 ms, set: {masses: [2], to_ground: {k: 300, d: 4}, "
         "coupling: {kind: spring-velocity, k: 170, d: 0.3}}}\n"
         "  two: {model: mass-chain, solver: euler, solver_step: 1 ms, set: {masses: [0.7], to_ground: {k: 90, d: 1}, "
         "coupling: [{kind: force, name: one}, {kind: force, name: hit}]}}\n"
         "  three: {model: state-space, solver: euler, solver_step: 1 ms, set: {A: [[-3]], B: [[1]], C: [[2], [1]], D: "
         "[[0], [0.5]]}}\n"
         "  hit: {model: impulse, set: {area: 0.01, time: 40 ms, unit: N}}\n"
         "  push: {model: step, set: {time: 0.1 s, after: 3, unit: N}}\n"
         "connections: [one.F -> two.F_in_one, two.v1 -> one.v_in, hit.y -> two.F_in_hit, push.y -> two.f1, two.a1 -> "
         "three.u]\n"
         "record: {micro: [one.F, two.v1, three.y1]}\nexperiment: {stop: 0.3 s}\nplan: {step: 1 ms, subsystems: "
         "{one: {micro_step: 1 ms" +
         of_one + "}, two: {micro_step: 1 ms}, three: {micro_step: 1 ms}}" + plan + "}\n";
}

engine::Live live_with_micro_samples(const std::string& text, double limit = 1e12) {
  engine::LiveOptions options;
  options.horizon = engine::Horizon::none;
  options.growth_limit = limit;
  options.watching = engine::Watching::the_coupling;
  engine::System system = open(text);
  system.description.bonds.clear();  // nobody watches energies
  return engine::make_live(system, options);
}

/// All but the places where signals wait.
std::vector<double> kept(const Unison& unison, const Memory& memory) {
  std::vector<double> values(memory.values.begin(), memory.values.end());
  values.erase(values.begin() + unison.saved,
               values.begin() + unison.saved + static_cast<std::ptrdiff_t>(unison.signals.size()));
  return values;
}

TEST(Unison, equals_operation_by_operation_to_the_bit) {
  for (const std::string& text : {masses(", feedthrough: fresh"), masses(""), masses("", ", feedthrough: fresh")}) {
    for (const auto sources : {assembly::Sources::live, assembly::Sources::silent}) {
      const engine::Live fast = live_with_micro_samples(text);
      engine::Live slow = live_with_micro_samples(text);
      ASSERT_TRUE(fast.program.unison) << text;
      slow.program.unison.reset();
      Memory memory = start(fast.program), expected = start(slow.program);
      for (const base::Tick count : {1, 2, 30, 7, 1, 90, 200}) {
        EXPECT_EQ(advance(fast.program, memory, count, sources).done, count);
        advance(slow.program, expected, count, sources);
        EXPECT_EQ(memory.tick, expected.tick);
        EXPECT_EQ(kept(*fast.program.unison, memory), kept(*fast.program.unison, expected)) << text << count;
      }
    }
  }
}

TEST(Unison, equals_subsystems_that_step_as_a_whole_to_the_bit) {
  for (const char* plan : {", feedthrough: fresh", ""}) {
    std::string text = masses(plan);
    const engine::Live fast = live_with_micro_samples(text);
    const engine::Live whole = live(text);
    ASSERT_TRUE(fast.program.unison);
    ASSERT_FALSE(whole.program.unison);
    EXPECT_EQ(count(whole.program, Action::step_in_segments), 0);
    Memory memory = start(fast.program), expected = start(whole.program);
    for (const base::Tick steps : {1, 38, 1, 1, 1, 100, 99}) {
      advance(fast.program, memory, steps);
      advance(whole.program, expected, steps);
      for (const int member : {0, 1, 2}) {
        const std::size_t outputs = whole.assembly->members[static_cast<std::size_t>(member)].outputs.size();
        for (int port = 0; port < static_cast<int>(outputs); ++port)
          EXPECT_EQ(output(fast.program, memory, member, port), output(whole.program, expected, member, port))
              << plan << " at " << memory.tick << ": " << member << "." << port;
      }
    }
  }
}

TEST(Unison, diverges_at_the_step_at_which_the_operations_do) {
  for (const double limit : {0.002, 0.05, 0.5}) {
    const engine::Live fast = live_with_micro_samples(masses(", feedthrough: fresh"), limit);
    engine::Live slow = live_with_micro_samples(masses(", feedthrough: fresh"), limit);
    ASSERT_TRUE(fast.program.unison);
    slow.program.unison.reset();
    Memory memory = start(fast.program), expected = start(slow.program);
    const Advance advanced = advance(fast.program, memory, 300), same = advance(slow.program, expected, 300);
    EXPECT_EQ(advanced.outcome, base::Outcome::diverged) << limit;
    EXPECT_EQ(same.outcome, base::Outcome::diverged) << limit;
    EXPECT_EQ(advanced.done, same.done) << limit;
    EXPECT_EQ(memory.tick, expected.tick) << limit;
    EXPECT_EQ(advanced.member, same.member) << limit;
    EXPECT_EQ(advanced.output, same.output) << limit;
  }
}

TEST(Unison, is_nothing_for_longer_steps_for_those_in_turn_and_for_correctors) {
  for (const char* plan : {", schedule: gauss-seidel", ", coupling: foh", ", corrector: nepce"})
    EXPECT_FALSE(live_with_micro_samples(masses(plan)).program.unison) << plan;
  std::string text = masses("");
  text.replace(text.find("plan: {step: 1 ms"), 17, "plan: {step: 2 ms");
  EXPECT_FALSE(live_with_micro_samples(text).program.unison);
}

}  // namespace
}  // namespace seam::coupling
