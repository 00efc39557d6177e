// The pair with the nonlinear damper, as it is shipped, against the same equations written out by hand: nothing of seam
// is in those.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/run/memory_run.hpp"

namespace seam::engine {
namespace {

using State = std::array<double, 4>;  // x1, v1, x2, v2
const std::string example = std::string(SEAM_SOURCE_DIR) + "/examples/dual-oscillator-nonlinear.yaml";

double damper_force(double speed) {
  const double size = std::abs(speed);
  return size <= 4e-6 ? 1e5 * speed : std::copysign(200.0 * std::sqrt(size), speed);
}

double coupling_force(double x2, double v2, double x1, double v1) { return 2e5 * (x2 - x1) + damper_force(v2 - v1); }

State mass_1(const State& s, double F) { return {s[1], (-1e6 * s[0] - s[1] + F) / 10.0, 0.0, 0.0}; }
State mass_2(const State& s, double F) { return {0.0, 0.0, s[3], (-1e7 * s[2] - 2.0 * s[3] - F) / 10.0}; }

/// The classical Runge-Kutta method.
State rk4(const std::function<State(const State&)>& f, const State& s, double h) {
  const auto moved = [](const State& a, const State& slope, double by) {
    State result = a;
    for (std::size_t i = 0; i < 4; ++i) result[i] += by * slope[i];
    return result;
  };
  const State k1 = f(s), k2 = f(moved(s, k1, h / 2)), k3 = f(moved(s, k2, h / 2)), k4 = f(moved(s, k3, h));
  State result = s;
  for (std::size_t i = 0; i < 4; ++i) result[i] += h / 6.0 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return result;
}

struct Row {
  State state;
  double F;
};

/// Zero-order hold, feed-through held: both step with what the other sent at the communication point.
std::vector<Row> coupled(int steps, double H) {
  std::vector<Row> rows = {{{0.1, 0.0, 0.1, 0.0}, 0.0}};
  const int parts = static_cast<int>(std::lround(H / 1e-5));
  for (int n = 0; n < steps; ++n) {
    State s = rows.back().state;
    const double x_in = s[0], v_in = s[1], F_in = rows.back().F;
    const auto one = [&](const State& z) { return mass_1(z, F_in); };
    const auto two = [&](const State& z) { return mass_2(z, coupling_force(z[2], z[3], x_in, v_in)); };
    for (int i = 0; i < 4 * parts; ++i) s = rk4(one, s, H / (4 * parts));
    for (int i = 0; i < parts; ++i) s = rk4(two, s, H / parts);
    rows.push_back({s, coupling_force(s[2], s[3], x_in, v_in)});
  }
  return rows;
}

System opened(const std::string& step) {
  Changes changes;
  changes.step = step;
  changes.variables = {"*.outputs"};
  return open(example, changes);
}

const std::vector<double>& column(const formats::Table& table, const std::string& name) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i].starts_with(name)) return table.columns[i];
  }
  ADD_FAILURE() << name;
  return table.columns.front();
}

TEST(PowerDamper, coupled_by_a_zero_order_hold_is_the_recursion_by_hand) {
  for (const int microseconds : {500, 1000, 4000}) {
    const MemoryRun run = run_in_memory(opened(fmt::format("{} us", microseconds)), {});
    const auto expected = coupled(30, microseconds * 1e-6);
    for (std::size_t n = 0; n <= 30; ++n) {
      // Rounding of 200 sqrt(dv) grows with the stiffness where the masses meet.
      EXPECT_NEAR(column(run.table, "I.x1")[n], expected[n].state[0], 1e-10) << microseconds << " " << n;
      EXPECT_NEAR(column(run.table, "I.v1")[n], expected[n].state[1], 1e-7) << microseconds << " " << n;
      EXPECT_NEAR(column(run.table, "II.x1")[n], expected[n].state[2], 1e-10) << microseconds << " " << n;
      EXPECT_NEAR(column(run.table, "II.v1")[n], expected[n].state[3], 1e-7) << microseconds << " " << n;
      EXPECT_NEAR(column(run.table, "II.F")[n], expected[n].F, 1e-4) << microseconds << " " << n;
    }
  }
}

TEST(PowerDamper, solved_together_is_the_monolithic_solution_by_hand) {
  const ReferenceTable reference = reference_in_memory(opened("1 ms"), {}, {});
  State s = {0.1, 0.0, 0.1, 0.0};
  const auto whole = [](const State& z) {
    const double F = coupling_force(z[2], z[3], z[0], z[1]);
    const State a = mass_1(z, F), b = mass_2(z, F);
    return State{a[0], a[1], b[2], b[3]};
  };
  for (std::size_t n = 1; n <= 135; ++n) {
    for (int i = 0; i < 500; ++i) s = rk4(whole, s, 2e-6);
    EXPECT_NEAR(column(reference.table, "I.x1")[n], s[0], 2e-7) << n;   // it moves by 0.1 m
    EXPECT_NEAR(column(reference.table, "II.v1")[n], s[3], 1e-4) << n;  // and 100 m/s
  }
}

class PowerDamperFmu : public FmuWorkshop {
 protected:
  static std::string text(const std::string& second) {
    return "seam: 1\nsubsystems:\n"
           "  I: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e6, d: 1}, coupling: {kind: force}, x0: "
           "[0.1]}}\n  II: " +
           second +
           "\nconnections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
           "experiment: {stop: 0.05}\nplan: {step: 0.5 ms}\nrecord: {variables: [\"*.*\"]}\n";
  }
};

TEST_F(PowerDamperFmu, is_the_native_model_to_the_bit) {
  const formats::Table native = table_of(
      text("{model: mass-power-damper, solver: rk4, solver_step: 0.01 ms, input_signal: stepped, set: {mass: 10, "
           "to_ground: {k: 1e7, d: 2}, k: 2e5, d: 200, x0: 0.1}}"));
  ASSERT_EQ(native.rows(), 101u);
  for (const char* name : {"mass-power-damper", "mass-power-damper-poor"}) {
    for (const int version : {2, 3}) {
      const formats::Table table =
          table_of(text(fmt::format("{{fmu: {}, set: {{solver_step: 0.01 ms}}}}", fmu(version, name))));
      ASSERT_EQ(table.names, native.names);
      for (std::size_t i = 0; i < native.columns.size(); ++i)
        EXPECT_EQ(table.columns[i], native.columns[i]) << name << version << " " << native.names[i];
    }
  }
}

}  // namespace
}  // namespace seam::engine
