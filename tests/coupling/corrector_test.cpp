// What a corrector does beside its numbers: what it refuses, what it leaves alone, what it shows.
#include <gtest/gtest.h>

#include <cmath>

#include "coupling/dual_oscillator.hpp"
#include "seam/assembly/thread_team.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compile.hpp"
#include "seam/coupling/parallel_steps.hpp"
#include "seam/engine/run/run.hpp"

namespace seam::coupling {
namespace {

std::string complaint(const std::string& plan) { return problems_of(dual_oscillator(plan, 1.0)); }

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Corrector, names_and_parameters_that_do_not_exist_are_problems) {
  EXPECT_TRUE(says(complaint("corrector: mbcor"), "did you mean \"mbcorr\"?"));
  EXPECT_TRUE(says(complaint("corrector: {mbcorr: {kernal: ramp}}"), "did you mean \"kernel\"?"));
  EXPECT_TRUE(says(complaint("corrector: {mbcorr: {kernel: rampe}}"), "did you mean \"ramp\"?"));
  EXPECT_TRUE(says(complaint("corrector: {mbcorr: {alpha: 3}}"), "from 0 to 2"));
  EXPECT_TRUE(says(complaint("corrector: {mbcorr: {alpha: much}}"), "from 0 to 2"));
  EXPECT_TRUE(says(complaint("corrector: {tracking: {micro_outputs: 2.5}}"), "whole number"));
  EXPECT_TRUE(says(complaint("corrector: {mbcorr: {over: [II.x_inn]}}"), "did you mean \"II.x_in\"?"));
  EXPECT_TRUE(says(complaint("corrector: {none: {alpha: 1}}"), "no parameter"));
  EXPECT_EQ(complaint("corrector: none"), "");
}

TEST(Corrector, needs_held_feedthrough_and_local_events) {
  EXPECT_TRUE(says(complaint("corrector: plc, feedthrough: fresh"), "sends its outputs fresh"));
  EXPECT_TRUE(says(complaint("corrector: plc, events: shared"), "where events are shared"));
}

TEST(Corrector, none_leaves_no_trace_in_the_program) {
  const engine::Live with = live(dual_oscillator("corrector: none", 1.0)),
                     without = live(dual_oscillator("coupling: zoh", 1.0));
  EXPECT_FALSE(with.program.correction);
  EXPECT_EQ(with.program.operations.size(), without.program.operations.size());
  EXPECT_EQ(with.program.initial.values.size(), without.program.initial.values.size());
}

TEST(Corrector, outputs_stay_as_they_are_and_sinks_get_what_was_mended) {
  const engine::Live mended = live(dual_oscillator("corrector: plc", 1.0)),
                     plain = live(dual_oscillator("coupling: zoh", 1.0));
  Memory a = start(mended.program), b = start(plain.program);
  advance(mended.program, a, 1);
  advance(plain.program, b, 1);
  EXPECT_EQ(output(mended.program, a, 1, 3), output(plain.program, b, 1, 3)) << "the first step is the same";
  // F feeds through x_in and v_in, which moved by so much in the step: y = y^ + D (u - u^)
  const double x = output(plain.program, b, 0, 0) - 0.1, v = output(plain.program, b, 0, 1);
  const double expected = output(plain.program, b, 1, 3) - 2e5 * x - 2e2 * v;
  EXPECT_NEAR(input(mended.program, a, 0, 1), expected, 1e-9 * std::abs(expected));
}

TEST(Corrector, over_limits_it_to_the_connections_that_are_named) {
  const engine::Live some = live(dual_oscillator("corrector: {mbcorr: {over: [\"II.*\"]}}", 1.0));
  ASSERT_TRUE(some.program.correction);
  EXPECT_EQ(some.program.correction->wires.size(), 2u);
  Memory memory = start(some.program);
  advance(some.program, memory, 5);
  EXPECT_EQ(input(some.program, memory, 0, 1), output(some.program, memory, 1, 3)) << "I.F_in is not among them";
}

TEST(Corrector, the_correction_is_a_column) {
  const engine::System system = open(dual_oscillator("corrector: mbcorr", 1.0) + "record: {coupling: [correction]}\n" +
                                     "experiment: {stop: 0.01}\n");
  engine::LiveOptions options;
  options.watching = engine::Watching::the_coupling;
  const engine::Live live = engine::make_live(system, options);
  Memory memory = start(live.program);
  advance(live.program, memory, 4);
  const auto columns = live.monitors.correction->columns();
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[2].name, "correction.I.F_in");
  EXPECT_EQ(memory.values[static_cast<std::size_t>(columns[2].place)],
            input(live.program, memory, 0, 1) - output(live.program, memory, 1, 3));
  EXPECT_NE(memory.values[static_cast<std::size_t>(columns[2].place)], 0.0);
}

TEST(Corrector, an_overridden_input_is_what_the_event_says_and_nothing_is_mended_for_it) {
  const std::string text = dual_oscillator("corrector: mbcorr", 1.0) + R"(
experiment: {stop: 0.05, events: [{from: 0.01, to: 0.02, override: {II.v_in: 3}}]}
)";
  const engine::Live live = coupling::live(text, engine::Horizon::experiment);
  Memory memory = start(live.program);
  advance(live.program, memory, 12);
  EXPECT_EQ(input(live.program, memory, 1, 2), 3.0);
  // Neither side of a wire into II is mended by v_in; with all of them replaced nothing would be. x_in still is.
  advance(live.program, memory, 30);
  EXPECT_TRUE(std::isfinite(input(live.program, memory, 1, 2)));
  EXPECT_NE(input(live.program, memory, 1, 2), 3.0);
}

/// The dual oscillator where I.F_in has a largest value.
struct Limited {
  std::unique_ptr<assembly::Assembly> assembly;
  Program program;
};
Limited limited(const std::string& corrector, double largest, double growth_limit = 1e30) {
  const engine::System system = open(dual_oscillator("corrector: " + corrector, 1.0) + "experiment: {stop: 0.5}\n");
  base::Problems problems;
  auto assembly =
      std::make_unique<assembly::Assembly>(std::move(*load::assemble(system.description, system.plan, {}, problems)));
  assembly->members[0].inputs.change([&](std::vector<system::Port>& ports) { ports[1].max = largest; });
  CompileOptions options;
  options.stop = 0.5;
  options.growth_limit = growth_limit;
  auto program = compile(*assembly, system.plan, options, problems);
  base::require_none(problems);
  return {std::move(assembly), std::move(*program)};
}

TEST(Corrector, what_it_sends_stays_within_the_limits_of_the_sink) {
  const auto [assembly, program] = limited("mbcorr", 5000.0);
  Memory memory = start(program);
  double largest = 0.0, largest_with_offset = 0.0;
  for (int n = 0; n < 50; ++n) {
    advance(program, memory, 1);
    largest = std::max(largest, input(program, memory, 0, 1));
    largest_with_offset =
        std::max(largest_with_offset, memory.values[static_cast<std::size_t>(program.lanes[0].coefficients + 1)]);
  }
  EXPECT_EQ(largest, 5000.0);
  EXPECT_LE(largest_with_offset, 5000.0);
  EXPECT_GT(memory.knowledge[static_cast<std::size_t>(program.correction->clamped)], 0);
  EXPECT_GT(memory.knowledge[static_cast<std::size_t>(program.correction->cut)], 0);
}

TEST(Corrector, an_output_that_grows_too_large_is_told_also_where_a_limit_hides_it_from_the_sink) {
  const auto [assembly, program] = limited("nepce", 5000.0, 6000.0);
  Memory memory = start(program);
  const Advance ended = advance(program, memory, 50);
  EXPECT_EQ(ended.outcome, base::Outcome::diverged);
  EXPECT_EQ(ended.member, 1);
}

TEST(Corrector, an_offset_that_a_limit_holds_back_does_not_add_up) {
  for (const char* const corrector : {"nepce", "{nepce: {alpha: 0.4}}"}) {
    const auto [assembly, program] = limited(corrector, -4e4);  // nearly always out of reach
    Memory memory = start(program);
    double most_owed = 0.0, largest = 0.0;
    for (int n = 0; n < 500; ++n) {
      ASSERT_EQ(advance(program, memory, 1).outcome, base::Outcome::accepted);
      most_owed = std::max(most_owed, std::abs(memory.values[static_cast<std::size_t>(program.correction->row(0))]));
      largest = std::max(largest, std::abs(output(program, memory, 1, 3)));
    }
    EXPECT_LT(most_owed, 2.0 * largest) << corrector;
  }
}

/// What is added to an input's slope belongs to one step, also where a wire writes its constant part.
TEST(Corrector, slopes_do_not_add_up_under_gauss_seidel) {
  for (const char* order : {"[I, II]", "[II, I]"}) {
    const engine::Live system =
        live(dual_oscillator("corrector: tracking, schedule: {gauss-seidel: " + std::string(order) + "}", 0.5));
    Memory memory = start(system.program);
    EXPECT_EQ(advance(system.program, memory, 270).outcome, base::Outcome::accepted) << order;
    EXPECT_LT(std::abs(output(system.program, memory, 1, 3)), 1e5) << order;
  }
}

TEST(Corrector, threads_change_nothing) {
  for (const std::string plan : {"corrector: mbcorr", "coupling: foh, corrector: tracking"}) {
    const engine::Live alone = live(dual_oscillator(plan, 1.0)), shared = live(dual_oscillator(plan, 1.0));
    Memory a = start(alone.program), b = start(shared.program);
    assembly::ThreadTeam team(2);
    ParallelSteps shares(shared.program, team, {0, 1});
    advance(alone.program, a, 50);
    shares.advance(b, 50);
    EXPECT_EQ(a.values, b.values) << plan;
  }
}

/// The inputs after so many steps are those of the operations one by one, relative to their size or to 1.
void expect_the_operations(const std::string& text, base::Tick steps, double tolerance) {
  const engine::Live mapped = live(text);
  engine::Live plain = live(text);
  ASSERT_TRUE(mapped.program.map) << text;
  plain.program.map.reset();
  Memory a = start(mapped.program), b = start(plain.program);
  advance(mapped.program, a, steps);
  advance(plain.program, b, steps);
  for (const assembly::Wire& wire : mapped.assembly->wires) {
    const double expected = input(plain.program, b, wire.to, wire.input);
    EXPECT_NEAR(input(mapped.program, a, wire.to, wire.input), expected, tolerance * std::max(1.0, std::abs(expected)))
        << text;
  }
}

TEST(Corrector, the_map_of_a_step_is_its_operations) {
  for (const std::string corrector :
       {"plc", "nepce", "{nepce: {residual: printed, feedthrough: ignored}}", "mbcorr",
        "{mbcorr: {kernel: first-order}}", "{mbcorr: {residual: plain}}", "{mbcorr: {over: [\"II.*\"]}}",
        "{tracking: {offset: none}}", "tracking", "{tracking: {over: [\"II.*\"]}}", "{tracking: {offset: cumulative}}",
        "{tracking: {offset: plain}}", "{tracking: {micro_outputs: 5}}"}) {
    for (const std::string hold : {"zoh", "foh", "soh", "zoh, schedule: gauss-seidel"}) {
      const std::string text = dual_oscillator("coupling: " + hold + ", corrector: " + corrector, 1.0);
      const engine::Live at_once = live(text), one_by_one = live(text);
      expect_the_operations(text, 40, 1e-9);
      Memory a = start(at_once.program), b = start(one_by_one.program);
      advance(at_once.program, a, 40);
      for (int n = 0; n < 40; ++n) advance(one_by_one.program, b, 1);
      for (const int place : at_once.program.signals)
        EXPECT_EQ(a.values[static_cast<std::size_t>(place)], b.values[static_cast<std::size_t>(place)])
            << corrector << " " << hold;
    }
  }
}

/// Pairs of masses that do not hear of each other, with conversions between their units. The offset is large, as from
/// degrees to kelvins.
std::string pairs(int count, const std::string& corrector) {
  std::string subsystems, connections;
  for (int i = 0; i < count; ++i) {
    const std::string left = fmt::format(
        "  l{0}: {{model: state-space, set: {{A: [[0, 1], [-200, -2]], B: [[0, 0], [100, 1]], C: [[10, 0.1]], "
        "D: [[-10, -0.1]], x0: [{0}, 1], inputs: [x, v], outputs: [F]}}}}\n",
        i);
    const std::string right = fmt::format(
        "  r{0}: {{model: state-space, set: {{A: [[0, 1], [-100, -1]], B: [[0], [10]], C: [[1, 0], [0, 1]], "
        "D: [[0], [0]], x0: [0, 0], inputs: [F], outputs: [x, v]}}}}\n",
        i);
    subsystems += left + right;
    connections += fmt::format(
        "  - {{from: l{0}.F, to: r{0}.F, gain: 0.5, offset: 273.15}}\n  - r{0}.x -> l{0}.x\n"
        "  - r{0}.v -> l{0}.v\n",
        i);
  }
  return fmt::format("subsystems:\n{}connections:\n{}plan: {{step: 1 ms, corrector: {}}}\n", subsystems, connections,
                     corrector);
}

TEST(Corrector, pairs_that_are_not_connected_are_mapped_each_by_itself) {
  for (const std::string corrector :
       {"plc", "nepce", "{nepce: {residual: plain}}", "mbcorr", "{mbcorr: {residual: printed}}", "tracking",
        "{tracking: {offset: cumulative}}", "{tracking: {offset: none}}"}) {
    const std::string text = pairs(6, corrector);
    expect_the_operations(text, 40, 1e-11);
    const engine::Live system = live(text);
    for (const StepMap::Group& group : system.program.map->groups)
      EXPECT_LE(group.rows.columns(), 40) << corrector << ": no more columns than two pairs have";
  }
}

// A step hardly moves these states: what the offset leaves of an error is small beside the terms it is the difference
// of, and real.
TEST(Corrector, the_map_of_a_step_is_its_operations_where_a_step_hardly_moves_the_states) {
  const std::string text =
      "subsystems:\n"
      "  a: {model: state-space, set: {A: [[-1.6e-5, 6e-6, -7e-6, -6e-7], [-8e-6, -2.5e-5, 4e-7, -2.4e-6], "
      "[-1.5e-6, -1.5e-6, -1.7e-5, -6.6e-6], [-7e-6, -3e-6, -1.2e-6, -7e-6]], "
      "B: [[0, 0.3], [0.56, -0.16], [-0.23, 0], [0.7, 0]], C: [[0.15, 0, -0.76, 1.2], [0.46, 0, -0.11, 0.84]], "
      "D: [[0.1, -0.0125], [0.19, 0.15]], x0: [0.7, -0.9, 0.02, 1], inputs: [u, v], outputs: [y, z]}}\n"
      "  b: {model: state-space, set: {A: [[-3e-6]], B: [[0, 0.4]], C: [[0.46], [0]], D: [[0, 0], [0, 0]], "
      "x0: [-0.1], inputs: [u, v], outputs: [y, z]}}\n"
      "connections: [{from: b.y, to: a.u, offset: -135}, {from: b.z, to: a.v, gain: 0.125}, a.y -> b.u, a.z -> b.v]\n"
      "plan: {step: 10 ms, corrector: tracking}\n";
  expect_the_operations(text, 400, 1e-5);
}

TEST(Corrector, a_plan_that_is_written_with_every_parameter_can_be_read_again) {
  for (const char* corrector : {"plc", "nepce", "mbcorr", "tracking", "{mbcorr: {model: identified, window: 30}}",
                                "{tracking: {model: identified, micro_outputs: 2}}"}) {
    const engine::System first = open(dual_oscillator(std::string("corrector: ") + corrector, 1.0));
    const engine::System again = engine::open_text(engine::resolved_text(first), "again.yaml", {});
    EXPECT_EQ(describe(again.plan.corrector), describe(first.plan.corrector));
  }
}

TEST(Corrector, a_connection_that_passes_nothing_but_its_offset_is_no_divergence) {
  std::string text = pairs(1, "nepce");
  const std::string gain = "gain: 0.5";
  const engine::Live cut = live(text.replace(text.find(gain), gain.size(), "gain: 0"));
  ASSERT_TRUE(cut.program.map);
  Memory memory = start(cut.program);
  EXPECT_EQ(advance(cut.program, memory, 10).outcome, base::Outcome::accepted);
  EXPECT_EQ(input(cut.program, memory, 1, 0), 273.15);
}

TEST(Corrector, the_map_of_a_large_corrected_ring_leaves_out_what_is_zero) {
  std::string subsystems, connections;
  for (int i = 0; i < 40; ++i) {
    subsystems += fmt::format(
        "  m{}: {{model: state-space, set: {{A: [[0, 1], [-400, -4]], B: [[0, 0], [100, 1]], C: [[1, 0], [0, 1]], "
        "D: [[0, 0], [0, 0]], x0: [1, 0], inputs: [x, v], outputs: [x, v]}}}}\n",
        i);
    connections += fmt::format("  - m{0}.x -> m{1}.x\n  - m{0}.v -> m{1}.v\n", i, (i + 1) % 40);
  }
  const std::string text =
      "subsystems:\n" + subsystems + "connections:\n" + connections + "plan: {step: 1 ms, corrector: mbcorr}\n";
  expect_the_operations(text, 100, 1e-11);
  const engine::Live ring = live(text);
  int rows = 0, products = 0;
  for (const StepMap::Group& group : ring.program.map->groups) {
    rows += group.rows.rows();
    products += group.rows.rows() * group.rows.columns();
  }
  EXPECT_LT(products, rows * rows / 4);
}

}  // namespace
}  // namespace seam::coupling
