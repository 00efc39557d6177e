#include "seam/coupling/step_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coupling/live.hpp"
#include "seam/coupling/micro_rows.hpp"

namespace seam::coupling {
namespace {

/// Three subsystems by fixed-step solvers, hit now and then, with an offset on the way and micro samples.
std::string masses(const std::string& plan, const std::string& step = "1 ms", const std::string& solver = "euler") {
  return "subsystems:\n"
         "  one: {model: mass-chain, solver: " +
         solver +
         ", solver_step: 1 ms, set: {masses: [2], to_ground: {k: 300, d: 4}, "
         "coupling: {kind: spring-velocity, k: 170, d: 0.3}, x0: [0.3], v0: [-1]}}\n"
         "  two: {model: mass-chain, solver: " +
         solver +
         ", solver_step: 1 ms, set: {masses: [0.7], to_ground: {k: 90, d: 1}, "
         "coupling: [{kind: force, name: one}, {kind: force, name: hit}]}}\n"
         "  three: {model: state-space, solver: " +
         solver +
         ", solver_step: 1 ms, set: {A: [[-3]], B: [[1]], C: [[2], [1]], D: [[0], [0.5]], x0: [0.5]}}\n"
         "  hit: {model: impulse, set: {area: 0.01, time: 40 ms, unit: N}}\n"
         "  push: {model: step, set: {time: 0.1 s, after: 3, unit: N}}\n"
         "connections: [one.F -> two.F_in_one, two.v1 -> one.v_in, hit.y -> two.F_in_hit, push.y -> two.f1, {from: "
         "two.a1, to: three.u, offset: 2}]\n"
         "record: {micro: [one.F, two.v1, three.y1]}\nexperiment: {stop: 0.3 s}\nplan: {step: " +
         step + ", subsystems: {one: {micro_step: 1 ms}, two: {micro_step: 1 ms}, three: {micro_step: 1 ms}}" + plan +
         "}\n";
}

engine::Live watched(const std::string& text, double limit = 1e12) {
  engine::LiveOptions options;
  options.horizon = engine::Horizon::none;
  options.growth_limit = limit;
  options.watching = engine::Watching::the_coupling;
  return engine::make_live(open(text), options);
}

/// All outputs, inputs, monitored numbers and micro samples: what can be recorded.
std::vector<double> observed(const Program& program, const Memory& memory) {
  std::vector<double> values;
  const auto add = [&](int place, int count) {
    for (int i = 0; i < count; ++i) values.push_back(memory.values[static_cast<std::size_t>(place + i)]);
  };
  for (const Lane& lane : program.lanes) {
    add(lane.values, lane.outputs);
    for (const int place : lane.now) add(place, 1);
  }
  for (const StepWatch& watch : program.watches) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(watch.lane)];
    add(watch.polynomials, (lane.degree + 1) * static_cast<int>(watch.inputs.size()));
    if (watch.points >= 0) add(watch.points, lane.segments * static_cast<int>(watch.outputs.size()));
  }
  for (const MicroRows& rows : program.micro_rows) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(rows.lane)];
    add(micro_rows_of_step(rows, lane, memory.tick), lane.segments * rows.width());
  }
  for (const Lane& lane : program.lanes) {
    for (const double x : lane.subsystem->states()) values.push_back(x);
  }
  return values;
}

void expect_near(const std::vector<double>& one, const std::vector<double>& other, const std::string& what) {
  ASSERT_EQ(one.size(), other.size()) << what;
  double size = 1.0;
  for (const double value : other) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], 1e-11 * size) << what << ": " << i;
}

TEST(StepMap, is_the_operations_with_every_solver_hold_and_schedule) {
  for (const char* solver : {"euler", "midpoint", "rk4", "exact"}) {
    for (const char* plan :
         {"", ", feedthrough: fresh", ", coupling: foh", ", coupling: {soh: {samples: micro}}", ", coupling: hinf",
          ", schedule: gauss-seidel", ", coupling: foh, schedule: gauss-seidel"}) {
      for (const char* step : {"1 ms", "10 ms"}) {
        const bool filters = std::string(plan).find("hinf") != std::string::npos;
        if (filters && std::string(step) == "1 ms") continue;  // needs micro steps
        const std::string text = masses(plan, step, solver), what = std::string(solver) + plan + " " + step;
        const engine::Live mapped = watched(text);
        engine::Live plain = watched(text);
        ASSERT_TRUE(mapped.program.map) << what;
        plain.program.map.reset();
        Memory memory = start(mapped.program), expected = start(plain.program);
        for (const base::Tick count : {1, 2, 30, 7, 1, 9, 20}) {
          EXPECT_EQ(advance(mapped.program, memory, count).done, count);
          advance(plain.program, expected, count);
          EXPECT_EQ(memory.tick, expected.tick);
          EXPECT_EQ(memory.knowledge, expected.knowledge) << what;
          expect_near(observed(mapped.program, memory), observed(plain.program, expected), what);
        }
      }
    }
  }
}

TEST(StepMap, gives_the_same_bits_however_many_steps_one_call_makes) {
  for (const char* plan : {"", ", coupling: soh", ", coupling: hinf", ", corrector: mbcorr"}) {
    const std::string text = masses(plan, "10 ms");
    const engine::Live at_once = watched(text), one_by_one = watched(text);
    ASSERT_TRUE(at_once.program.map) << plan;
    Memory a = start(at_once.program), b = start(one_by_one.program);
    advance(at_once.program, a, 30);
    for (int n = 0; n < 30; ++n) advance(one_by_one.program, b, 1);
    const std::vector<double> one = observed(at_once.program, a), other = observed(one_by_one.program, b);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], other[i]) << plan << ": number " << i;
  }
}

TEST(StepMap, diverges_at_the_step_at_which_the_operations_do_and_names_the_same_output) {
  for (const double limit : {0.4, 1.5, 5.0}) {
    const std::string text = masses(", feedthrough: fresh");
    const engine::Live mapped = watched(text, limit);
    engine::Live plain = watched(text, limit);
    ASSERT_TRUE(mapped.program.map);
    plain.program.map.reset();
    Memory memory = start(mapped.program), expected = start(plain.program);
    const Advance advanced = advance(mapped.program, memory, 300), same = advance(plain.program, expected, 300);
    EXPECT_EQ(advanced.outcome, same.outcome) << limit;
    EXPECT_EQ(advanced.done, same.done) << limit;
    EXPECT_EQ(memory.tick, expected.tick) << limit;
    EXPECT_EQ(advanced.member, same.member) << limit;
    EXPECT_EQ(advanced.output, same.output) << limit;
  }
}

TEST(StepMap, is_not_made_where_a_step_is_not_affine) {
  const auto has_map = [](const std::string& text) { return live(text).program.map.has_value(); };
  const std::string linear =
      "subsystems:\n  a: {model: gain, set: {k: 2}}\n  b: {model: transfer-function, set: {num: [1], den: [1, 1]}}\n";
  EXPECT_TRUE(has_map(linear + "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 1 ms}\n"));
  EXPECT_FALSE(
      has_map("subsystems:\n  a: {model: limiter, set: {low: -1, high: 1}}\n  b: {model: transfer-function, set: {num: "
              "[1], den: [1, 1]}}\n"
              "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 1 ms}\n"));
  EXPECT_FALSE(has_map(masses(", coupling: {hinf: {jump_limit: 0.1}}", "10 ms")));
  EXPECT_FALSE(
      has_map(linear + "connections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 1 ms, subsystems: {b: {step: 2 ms}}}\n"));
}

}  // namespace
}  // namespace seam::coupling
