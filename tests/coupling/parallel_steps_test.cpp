#include "seam/coupling/parallel_steps.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "coupling/live.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"

namespace seam::coupling {
namespace {

using assembly::ThreadTeam;
using base::Outcome;

/// Nine random subsystems with random wires between them, of all solvers.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  int whole(int low, int high) { return low + static_cast<int>(generator_() % static_cast<unsigned>(high - low + 1)); }
  double number() { return static_cast<double>(whole(-1000, 1000)) / 997.0; }

  std::string system(const std::string& plan) {
    const char* solvers[] = {"exact", "rk4", "euler", "cvode"};
    std::string subsystems, connections;
    for (int i = 0; i < 9; ++i) {
      subsystems += fmt::format(
          "  s{}: {{model: state-space, solver: {}, set: {{A: [[{}, {}], [{}, {}]], B: [[{}, {}], [{}, {}]], C: [[{}, "
          "{}]], D: [[0, 0]], x0: [{}, {}], inputs: [u1, u2], outputs: [y]}}}}\n",
          i, solvers[whole(0, 3)], number() - 2.0, number(), number(), number() - 2.0, number(), number(), number(),
          number(), number(), number(), number(), number());
      for (int u = 1; u <= 2; ++u)
        connections +=
            fmt::format("  - {{from: s{}.y, to: s{}.u{}, gain: {}}}\n", whole(0, 8), i, u, u == 1 ? 1.0 : number());
    }
    return fmt::format("subsystems:\n{}connections:\n{}{}", subsystems, connections, plan);
  }

 private:
  std::mt19937 generator_;
};

struct Reached {
  base::Numbers values;
  std::vector<std::int64_t> knowledge;
  base::Tick tick = 0;
};

Reached by_one(const std::string& text, base::Tick steps) {
  const engine::Live system = live(text, engine::Horizon::experiment);
  Memory memory = start(system.program);
  EXPECT_EQ(advance(system.program, memory, steps).done, steps);
  return {memory.values, memory.knowledge, memory.tick};
}

Reached by_many(const std::string& text, base::Tick steps, int threads, Random& random) {
  const engine::Live system = live(text, engine::Horizon::experiment);
  Memory memory = start(system.program);
  ThreadTeam team(threads);
  std::vector<int> thread_of_lane;
  for (std::size_t i = 0; i < system.program.lanes.size(); ++i) thread_of_lane.push_back(random.whole(0, threads - 1));
  ParallelSteps shares(system.program, team, thread_of_lane);
  for (base::Tick left = steps; left > 0;) {  // in pieces, as the run loop asks for it
    const base::Tick count = std::min<base::Tick>(left, random.whole(1, 7));
    EXPECT_EQ(shares.advance(memory, count).done, count);
    left -= count;
  }
  return {memory.values, memory.knowledge, memory.tick};
}

class SharedOut : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedOut, the_memory_is_the_same_to_the_bit_however_lanes_are_divided) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    const std::string text = random.system(GetParam());
    const Reached alone = by_one(text, 24);
    for (const int threads : {1, 2, 3, 8}) {
      const Reached together = by_many(text, 24, threads, random);
      EXPECT_EQ(together.values, alone.values) << threads << " threads\n" << text;
      EXPECT_EQ(together.knowledge, alone.knowledge);
      EXPECT_EQ(together.tick, 24);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Plans, SharedOut,
    ::testing::Values(
        "experiment: {stop: 2.4}\nplan: {step: 0.1}\n", "experiment: {stop: 2.4}\nplan: {step: 0.1, coupling: foh}\n",
        "experiment: {stop: 2.4}\nplan: {step: 0.1, coupling: {soh: {samples: micro}}, subsystems: {\"*\": "
        "{micro_step: 0.025}}}\n",
        "experiment: {stop: 2.4}\nplan: {step: 0.1, feedthrough: fresh}\n",
        "experiment: {stop: 2.4}\nplan: {step: 0.1, coupling: foh, subsystems: {s1: {step: 0.2}, s4: {step: 0.4}, s5: "
        "{step: 0.8}}}\n",
        "experiment: {stop: 2.4}\nplan: {step: 0.1, subsystems: {s0: {step: 0.2}, s7: {step: 0.3}}}\n",
        "experiment: {stop: 2.4, events: [{from: 0.3, to: 1, override: {s2.u1: 5}}, {from: 0.5, to: 0.9, override: "
        "{s3.u2: -1}}]}\n"
        "plan: {step: 0.1, coupling: foh}\n"));

/// Does as it is told in one of its steps.
class Told final : public assembly::Subsystem {
 public:
  enum class Way { accept, reject, end, fail };
  explicit Told(Way way, std::string name) : way_(way), name_(std::move(name)) {}

  assembly::Capabilities capabilities() const override { return {}; }
  bool feeds_through(int, int, assembly::Phase) const override { return false; }
  assembly::StepFunction prepare(const assembly::Calls&) override { return assembly::StepFunction::of(*this); }
  void initialise(double) override {}
  Outcome advance(const assembly::Step& step, const assembly::InputPolynomials&, assembly::Out outputs) {
    outputs[0] = step.begin + step.length;
    if (step.begin < 2.0 || way_ == Way::accept) return Outcome::accepted;
    if (way_ == Way::fail) throw base::Error(base::Failure::subsystem, name_ + " failed");
    return way_ == Way::reject ? Outcome::rejected : Outcome::ended;
  }
  void evaluate(double t, assembly::Sources, assembly::In, assembly::Out outputs) override { outputs[0] = t; }
  assembly::Snapshot save() override { return {}; }
  void restore(const assembly::Snapshot&) override {}

 private:
  Way way_;
  std::string name_;
};
using Way = Told::Way;

/// How a run of these ends: outcome, who, and how far it came; or what was thrown.
std::string ending_of(const std::vector<Way>& ways, const std::vector<int>& thread_of_lane) {
  assembly::Assembly parts;
  system::Plan plan;
  plan.step = 1.0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    assembly::Member member;
    member.name = "m" + std::to_string(i);
    system::Port port;
    port.name = "y";
    member.outputs = {port};
    member.subsystem = std::make_unique<Told>(ways[i], member.name);
    parts.members.push_back(std::move(member));
    plan.subsystems.emplace_back();
  }
  base::Problems problems;
  const auto program = compile(parts, plan, {}, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  Memory memory = start(*program);
  std::string words;
  try {
    Advance advanced;
    if (thread_of_lane.empty()) {
      advanced = advance(*program, memory, 5);
    } else {
      ThreadTeam team(3);
      advanced = ParallelSteps(*program, team, thread_of_lane).advance(memory, 5);
    }
    words =
        fmt::format("outcome {} of {} after {}", static_cast<int>(advanced.outcome), advanced.member, advanced.done);
  } catch (const base::Error& error) {
    words = error.what();
  }
  return words + fmt::format(" at tick {}", memory.tick);
}

TEST(ParallelSteps, of_several_that_do_not_accept_the_first_counts_as_with_one_thread) {
  constexpr Way all[] = {Way::accept, Way::reject, Way::end, Way::fail};
  for (int code = 0; code < 4 * 4 * 4 * 4; ++code) {
    const std::vector<Way> ways = {all[code % 4], all[code / 4 % 4], all[code / 16 % 4], all[code / 64]};
    const std::string alone = ending_of(ways, {});
    EXPECT_EQ(ending_of(ways, {0, 1, 2, 0}), alone) << code;
    EXPECT_EQ(ending_of(ways, {2, 1, 0, 1}), alone) << code;
  }
}

TEST(ParallelSteps, divergence_is_found_where_one_thread_finds_it) {
  const std::string text =
      "subsystems:\n  a: {model: state-space, set: {A: [[1]], x0: [1]}}\n  b: {model: state-space, set: {A: [[0]], B: "
      "[[1]]}}\nconnections: [a.y -> b.u]\nplan: {step: 1}\n";
  const engine::Live system = engine::make_live(open(text), {engine::Horizon::none, 100.0});
  Memory memory = start(system.program);
  ThreadTeam team(2);
  const Advance advanced = ParallelSteps(system.program, team, {1, 0}).advance(memory, 50);
  EXPECT_EQ(advanced.outcome, Outcome::diverged);
  EXPECT_EQ(advanced.done, 5);  // e^5 is 148
  EXPECT_EQ(memory.tick, 5);
  EXPECT_EQ(advanced.member, 0);
}

TEST(WhySerial, one_after_the_other_only_where_it_must_be) {
  system::Plan plan;
  EXPECT_EQ(why_serial(plan, 2), nullptr);
  EXPECT_NE(why_serial(plan, 1), nullptr);
  plan.schedule = system::Schedule::Kind::gauss_seidel;
  EXPECT_NE(why_serial(plan, 2), nullptr);
  plan.schedule = system::Schedule::Kind::jacobi;
  plan.events = system::Events::shared;
  EXPECT_NE(why_serial(plan, 2), nullptr);
}

}  // namespace
}  // namespace seam::coupling
