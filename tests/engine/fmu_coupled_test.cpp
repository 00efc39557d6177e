// The same two masses native, as FMI 2 and as FMI 3, rich and poor, mixed in all ways: the same trajectories.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/coupling/advance.hpp"

namespace seam::engine {
namespace {

struct Case {
  const char* coupling;
  const char* solver;
  const char* solver_step;  ///< ms; the macro step is 10 ms
  const char* micro_step;   ///< ms
};

const Case cases[] = {{"zoh", "euler", "10", "10"},
                      {"zoh", "euler", "2.5", "10"},
                      {"zoh", "rk4", "10", "10"},
                      {"zoh", "rk4", "2.5", "10"},
                      {"foh", "euler", "2", "2"},
                      {"foh", "rk4", "2", "2"},
                      {"foh", "rk4", "1", "2.5"},
                      {"foh", "rk4", "10", "10"},
                      {"soh", "euler", "1", "1"},
                      {"soh", "rk4", "0.5", "2"},
                      {"soh", "midpoint", "2", "5"},
                      {"soh", "symplectic-euler", "2", "2"},
                      {"zoh", "symplectic-euler", "5", "10"},
                      {"hinf", "rk4", "1", "1"},
                      {"{hinf: {order: 2, static_gain: one}}", "rk4", "0.5", "1"},
                      {"{hinf: {solver: euler, jump_limit: 0.2}}", "euler", "2", "2"}};

enum class Made { natively, as_fmi2, as_fmi3, as_poor_fmi2, as_poor_fmi3 };
constexpr Made all_ways[] = {Made::natively, Made::as_fmi2, Made::as_fmi3, Made::as_poor_fmi2, Made::as_poor_fmi3};

const char* const native_parts[] = {"coupling: {kind: spring, k: 7, d: 0.3}, x0: [1], v0: [-0.5]",
                                    "coupling: {kind: force}, x0: [0.25], v0: [2]"};
const char* const fmu_parts[] = {"kc: 7, dc: 0.3, x0: 1, v0: -0.5", "x0: 0.25, v0: 2"};
const char* const names[] = {"two-mass-left", "two-mass-right"};

class Coupled : public FmuWorkshop, public ::testing::WithParamInterface<Case> {
 protected:
  std::string part(int side, Made made) const {
    const Case& c = GetParam();
    if (made == Made::natively) {
      return fmt::format(
          "{{model: mass-chain, solver: {}, solver_step: {} ms, input_signal: stepped, "
          "set: {{masses: [0.2], to_ground: {{k: 11, d: 0.4}}, {}}}}}",
          c.solver, c.solver_step, native_parts[side]);
    }
    const bool poor = made == Made::as_poor_fmi2 || made == Made::as_poor_fmi3;
    const int version = made == Made::as_fmi2 || made == Made::as_poor_fmi2 ? 2 : 3;
    return fmt::format("{{fmu: {}, set: {{m: 0.2, k: 11, d: 0.4, {}, solver: {}, solver_step: {} ms}}}}",
                       fmu(version, std::string(names[side]) + (poor ? "-poor" : "")), fmu_parts[side], c.solver,
                       c.solver_step);
  }
  std::string text(Made left, Made right) const {
    const Case& c = GetParam();
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 0.5}}\n"
        "plan: {{step: 10 ms, coupling: {}, feedthrough: held, subsystems: {{l: {{micro_step: {} ms}}, r: "
        "{{micro_step: {} ms}}}}}}\n"
        "record: {{variables: [\"*.*\"]}}\n",
        part(0, left), part(1, right), c.coupling, c.micro_step, c.micro_step);
  }
};
INSTANTIATE_TEST_SUITE_P(TwoMasses, Coupled, ::testing::ValuesIn(cases));

TEST_P(Coupled, every_mixture_of_native_fmi2_and_fmi3_agrees_to_1e_12_of_the_range) {
  const formats::Table native = table_of(text(Made::natively, Made::natively));
  ASSERT_EQ(native.rows(), 51u);
  for (const Made left : all_ways) {
    for (const Made right : all_ways) {
      const formats::Table mixed = table_of(text(left, right));
      ASSERT_EQ(mixed.names, native.names);
      for (std::size_t i = 0; i < native.columns.size(); ++i) {
        const std::vector<double>& expected = native.columns[i];
        const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
        for (std::size_t row = 0; row < expected.size(); ++row) {
          ASSERT_NEAR(mixed.columns[i][row], expected[row], 1e-12 * (*high - *low))
              << native.names[i] << " of " << text(left, right);
        }
      }
    }
  }
}

// Another coupling of the same FMUs is compiled in the middle of the run: with other micro steps and other evaluations.
TEST_P(Coupled, a_second_program_on_the_same_fmus_leaves_the_run_as_it_was) {
  for (const Made made : {Made::as_fmi2, Made::as_poor_fmi3}) {
    const System system = open_text(text(made, made), folder_.file("system.yaml"), {});
    const auto run = [&](bool second) {
      const Live live = make_live(system, {Horizon::none});
      coupling::Memory memory = coupling::start(live.program);
      coupling::advance(live.program, memory, 20);
      if (second) {
        Changes changes;
        changes.coupling = std::string(GetParam().coupling) == "soh" ? "foh" : "soh";
        changes.step = "20 ms";
        if (made == Made::as_fmi2) changes.feedthrough = "fresh";
        const System other = open_text(text(made, made), folder_.file("system.yaml"), changes);
        base::Problems problems;
        EXPECT_TRUE(coupling::compile(*live.assembly, other.plan, {}, problems)) << problems.text();
      }
      coupling::advance(live.program, memory, 20);
      return std::vector<double>(memory.values.begin(), memory.values.end());
    };
    EXPECT_EQ(run(false), run(true)) << text(made, made);
  }
}

// One Euler step a macro step of 10 ms, written out by hand: nothing of seam is in it.
class Euler : public Coupled {};
INSTANTIATE_TEST_SUITE_P(TwoMasses, Euler, ::testing::Values(cases[0]));

TEST_P(Euler, every_way_to_make_the_masses_agrees_with_the_recursion_by_hand) {
  for (const Made made : all_ways) {
    const formats::Table table = table_of(text(made, made));
    const double h = 0.01;
    double x = 1.0, v = -0.5, x2 = 0.25, v2 = 2.0, F = 7.0 * (x - x2) + 0.3 * (v - v2);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      ASSERT_NEAR(column(table, "l.x1").at(i), x, 1e-12) << i;
      ASSERT_NEAR(column(table, "r.v1").at(i), v2, 1e-12) << i;
      ASSERT_NEAR(column(table, "l.F").at(i), F, 1e-12) << i;
      const double x_in = x2, v_in = v2, spring = 7.0 * (x - x_in) + 0.3 * (v - v_in);
      const double a = (-11.0 * x - 0.4 * v - spring) / 0.2, a2 = (-11.0 * x2 - 0.4 * v2 + F) / 0.2;
      x += h * v;
      v += h * a;
      x2 += h * v2;
      v2 += h * a2;
      F = 7.0 * (x - x_in) + 0.3 * (v - v_in);  // held: with the inputs of the step
    }
  }
}

// y + D (u_new - u_old) by one directional derivative: exact for linear feed-through, up to the last digits.
TEST_F(FmuWorkshop, fresh_feedthrough_by_directional_derivatives_equals_the_native_run) {
  const std::string native =
      "{model: mass-chain, solver: rk4, solver_step: 1 ms, input_signal: stepped, set: {masses: [0.2], to_ground: {k: "
      "11, "
      "d: 0.4}, coupling: {kind: spring, k: 7, d: 0.3}, x0: [1]}}";
  const std::string right =
      "{model: mass-chain, set: {masses: [0.2], to_ground: {k: 11}, coupling: {kind: force}, x0: [0.25]}}";
  for (const char* coupling : {"zoh", "foh", "soh"}) {
    const auto with = [&](const std::string& left) {
      return table_of(fmt::format(
          "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
          "experiment: {{stop: 0.5}}\nplan: {{step: 10 ms, coupling: {}, feedthrough: fresh}}\n",
          left, right, coupling));
    };
    const formats::Table expected = with(native);
    for (const int version : {2, 3}) {
      const formats::Table table = with(fmt::format(
          "{{fmu: {}, set: {{m: 0.2, k: 11, d: 0.4, kc: 7, dc: 0.3, x0: 1, solver: rk4, solver_step: 1 ms}}}}",
          fmu(version, "two-mass-left")));
      for (std::size_t i = 0; i < expected.rows(); ++i) {
        ASSERT_NEAR(column(table, "l.F").at(i), column(expected, "l.F").at(i), 1e-11) << coupling << version << i;
      }
    }
  }
}

TEST_F(FmuWorkshop, fresh_is_refused_for_an_fmu_without_derivatives) {
  for (const int version : {2, 3}) {
    try {
      run_text(
          fmt::format("seam: 1\nsubsystems:\n  l: {{fmu: {}}}\nexperiment: {{stop: 1}}\nplan: {{step: 10 ms, "
                      "feedthrough: fresh}}\n",
                      fmu(version, "two-mass-left-poor")));
      FAIL();
    } catch (const base::ProblemsFound& found) {
      EXPECT_NE(std::string(found.what()).find("fresh is not possible for \"l\""), std::string::npos) << found.what();
    }
  }
}

TEST_F(FmuWorkshop, same_system_twice_gives_the_same_bits) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  l: {{fmu: {}}}\n  r: {{fmu: {}}}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> "
      "l.v_in]\n"
      "experiment: {{stop: 1}}\nplan: {{step: 10 ms, coupling: soh}}\n",
      fmu(2, "two-mass-left"), fmu(3, "two-mass-right"));
  const formats::Table once = table_of(text), twice = table_of(text);
  EXPECT_EQ(once.columns, twice.columns);
}

// Two instances of one FMU in one process have nothing in common.
TEST_F(FmuWorkshop, instances_of_one_fmu_do_not_share_their_state) {
  for (const int version : {2, 3}) {
    const std::string file = fmu(version, "integrator");
    const formats::Table table = table_of(fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {0}, set: {{x0: 1, k: -1, u: 0}}}}\n  b: {{fmu: {0}, set: {{x0: 5, k: "
        "2}}}}\n"
        "connections: [a.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.5}}\nrecord: {{variables: [\"*.*\"]}}\n",
        file));
    EXPECT_EQ(column(table, "a.y"), (std::vector<double>{1.0, 1.0, 1.0}));
    EXPECT_EQ(column(table, "b.y"), (std::vector<double>{5.0, 6.0, 7.0}));
  }
}

}  // namespace
}  // namespace seam::engine
