// Our good FMUs against the native equations, to the bit.
#include <gtest/gtest.h>

#include "fmus/fmu.hpp"
#include "fmus/native.hpp"
#include "seam/models/mass_chain.hpp"
#include "seam/models/pid.hpp"
#include "seam/models/state_space.hpp"

namespace seam::fmus {
namespace {

class Life : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Fmu> open(const std::string& name) { return open_fmu(GetParam(), name); }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Life, testing::Values(2, 3));

/// Runs both for a while with inputs that change every step and expects the same bits.
void expect_same(Fmu& fmu, Native& native, double h, int solver_steps) {
  for (int n = 0; n < 50; ++n) {
    for (std::size_t i = 0; i < native.u.size(); ++i) {
      native.u[i] = 0.3 * static_cast<double>(i + 1) - 0.017 * n;
      ASSERT_EQ(fmu.set(native.model.inputs[i].name, native.u[i]), Result::ok);
    }
    const double t = n * h;
    ASSERT_EQ(fmu.step(t, h), Result::ok);
    native.step(t, h, solver_steps);
    for (std::size_t i = 0; i < native.y.size(); ++i) {
      ASSERT_EQ(fmu[native.model.outputs[i].name], native.y[i]) << native.model.outputs[i].name << " after step " << n;
    }
  }
}

TEST_P(Life, left_mass_equals_the_native_equations_with_every_solver) {
  using ode::Method;
  for (const Method method : {Method::euler, Method::midpoint, Method::rk4, Method::symplectic_euler}) {
    auto fmu = open("two-mass-left");
    ASSERT_EQ(fmu->choose("solver", static_cast<int>(method) + 1), Result::ok);
    fmu->start();
    Native native(left(0.1, 10.0, 1.0), method);
    expect_same(*fmu, native, 0.01, 1);
  }
}

TEST_P(Life, parameters_and_solver_steps_set_before_initialisation_are_used) {
  auto fmu = open("two-mass-left");
  fmu->set("m", 0.37);
  fmu->set("kc", 123.0);
  fmu->set("x0", -0.2);
  fmu->set("solver_step", 0.002);
  fmu->start();
  Native native(left(0.37, 123.0, -0.2), ode::Method::rk4);
  EXPECT_EQ((*fmu)["x1"], -0.2);
  expect_same(*fmu, native, 0.01, 5);
}

TEST_P(Life, poor_fmus_compute_the_same) {
  auto fmu = open("two-mass-left-poor");
  fmu->start();
  Native native(left(0.1, 10.0, 1.0), ode::Method::rk4);
  expect_same(*fmu, native, 0.01, 1);
  EXPECT_EQ(fmu->terminate(), Result::ok);
}

TEST_P(Life, right_mass_equals_the_native_equations) {
  models::MassChain chain;
  chain.masses = {0.1};
  chain.ground_springs = {10.0};
  chain.ground_dampers = {0.1};
  chain.couplings = {{models::ChainCoupling::Kind::force, 0, 0.0, 0.0, 0.0, ""}};
  chain.x0 = {0.0};
  chain.v0 = {0.0};
  auto fmu = open("two-mass-right");
  fmu->start();
  Native native(models::mass_chain(chain), ode::Method::rk4);
  expect_same(*fmu, native, 0.01, 1);
}

TEST_P(Life, blocks_equal_the_native_equations) {
  lti::Matrix A(2, 2), B(2, 2), C(2, 2), D(2, 2);
  A << 0.0, 1.0, -4.0, -0.4;
  B.setIdentity();
  C.setIdentity();
  D << 0.0, 0.5, 0.0, 0.0;
  struct Block {
    const char* name;
    models::Model model;
  };
  std::vector<Block> blocks;
  blocks.push_back({"state-space", models::state_space({A, B, C, D}, {1.0, 0.0}, {"u1", "u2"}, {"y1", "y2"})});
  blocks.push_back({"pid", models::pid({.kp = 1.0, .ki = 1.0, .kd = 0.1, .filter_time = 0.01})});
  blocks.push_back({"transfer-function", models::transfer_function({0.0, 0.0, 1.0}, {1.0, 0.4, 4.0})});
  for (Block& block : blocks) {
    auto fmu = open(block.name);
    fmu->start();
    Native native(std::move(block.model), ode::Method::rk4);
    expect_same(*fmu, native, 0.01, 1);
  }
}

TEST_P(Life, integrator_of_a_constant_is_a_ramp) {
  auto fmu = open("integrator");
  fmu->set("x0", 2.0);
  fmu->start();
  fmu->set("u", 0.5);
  for (int n = 0; n < 4; ++n) fmu->step(n * 0.25, 0.25);
  EXPECT_DOUBLE_EQ((*fmu)["y"], 2.5);
  EXPECT_EQ((*fmu)["der(x)"], 0.5);
  EXPECT_EQ((*fmu)["time"], 1.0);
}

TEST_P(Life, gain_answers_in_initialization_mode_and_holds_its_output_between_steps) {
  auto fmu = open("gain");
  fmu->set("k", 3.0);
  fmu->setup({0.0, 1.0});
  fmu->enter();
  fmu->set("u", 2.0);
  EXPECT_EQ((*fmu)["y"], 6.0);
  fmu->leave();
  fmu->set("u", 5.0);
  EXPECT_EQ((*fmu)["y"], 6.0) << "a co-simulation FMU answers with the old value";
  fmu->step(0.0, 0.1);
  EXPECT_EQ((*fmu)["y"], 15.0);
  EXPECT_EQ(fmu->set("k", -1.0), Result::ok) << "k is tunable";
  fmu->step(0.1, 0.1);
  EXPECT_EQ((*fmu)["y"], -5.0);
}

TEST_P(Life, limiter_refuses_limits_that_cross) {
  auto fmu = open("limiter");
  fmu->set("low", 2.0);
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(fmu->leave(), Result::error);
  EXPECT_EQ(fmu->messages.size(), 1u);
}

TEST_P(Life, sine_follows_its_formula) {
  auto fmu = open("sine");
  fmu->set("frequency", 2.0);
  fmu->set("phase", 0.25);
  fmu->start();
  EXPECT_DOUBLE_EQ((*fmu)["y"], std::sin(0.25));
  fmu->step(0.0, 0.1);
  EXPECT_DOUBLE_EQ((*fmu)["y"], std::sin(2.0 * M_PI * 2.0 * 0.1 + 0.25));
}

TEST_P(Life, counters_count_and_trivial_adds_one) {
  auto counter = open("counter");
  counter->start();
  for (int n = 0; n < 7; ++n) counter->step(n * 0.1, 0.1);
  int count = 0;
  EXPECT_EQ(counter->get_int("count", count), Result::ok);
  EXPECT_EQ(count, 7);
  auto trivial = open("trivial");
  trivial->start();
  trivial->set("u", 41.0);
  trivial->step(0.0, 0.1);
  EXPECT_EQ((*trivial)["y"], 42.0);
  EXPECT_EQ(trivial->get_int("steps", count), Result::ok);
  EXPECT_EQ(count, 1);
  auto heavy = open("heavy");
  heavy->start();
  heavy->set("u", 2.0);
  heavy->step(0.0, 0.5);
  EXPECT_EQ((*heavy)["y"], 1.0);
}

TEST_P(Life, reset_begins_again_with_the_start_values) {
  auto fmu = open("two-mass-left");
  fmu->set("x0", 7.0);
  fmu->start();
  fmu->step(0.0, 0.01);
  ASSERT_EQ(fmu->reset(), Result::ok);
  fmu->start();
  EXPECT_EQ((*fmu)["x1"], 1.0);
  Native native(left(0.1, 10.0, 1.0), ode::Method::rk4);
  expect_same(*fmu, native, 0.01, 1);
}

TEST_P(Life, a_state_can_be_restored_and_moved_to_another_instance) {
  auto fmu = open("two-mass-left");
  fmu->set("kc", 55.0);
  fmu->start();
  for (int n = 0; n < 5; ++n) fmu->step(n * 0.01, 0.01);
  void* state = nullptr;
  ASSERT_EQ(fmu->save(state), Result::ok);
  fmu->step(0.05, 0.01);
  const double after = (*fmu)["x1"];
  ASSERT_EQ(fmu->restore(state), Result::ok);
  fmu->step(0.05, 0.01);
  EXPECT_EQ((*fmu)["x1"], after);

  std::vector<char> bytes;
  ASSERT_EQ(fmu->write(state, bytes), Result::ok);
  auto other = open("two-mass-left");
  void* moved = nullptr;
  ASSERT_EQ(other->read(bytes, moved), Result::ok);
  ASSERT_EQ(other->restore(moved), Result::ok);
  other->step(0.05, 0.01);
  EXPECT_EQ((*other)["x1"], after) << "parameters travel with the state";
  EXPECT_EQ(fmu->forget(state), Result::ok);
  EXPECT_EQ(other->forget(moved), Result::ok);
  EXPECT_EQ(moved, nullptr);
  bytes.pop_back();
  EXPECT_EQ(other->read(bytes, moved), Result::error) << "a truncated state is no state";
}

TEST_P(Life, directional_derivatives_are_the_matrices) {
  auto fmu = open("state-space");
  fmu->start();
  fmu->step(0.0, 0.1);
  const auto slope = [&](const char* unknown, const char* known) {
    double value = -99.0;
    EXPECT_EQ(fmu->slope(unknown, known, value), Result::ok);
    return value;
  };
  EXPECT_EQ(slope("der(x2)", "x1"), -4.0);
  EXPECT_EQ(slope("der(x1)", "u1"), 1.0);
  EXPECT_EQ(slope("y2", "x2"), 1.0);
  EXPECT_EQ(slope("y1", "u2"), 0.5);
}

TEST_P(Life, wrong_references_values_and_times_are_errors) {
  auto fmu = open("two-mass-left");
  EXPECT_EQ(fmu->choose("solver", 6), Result::error);
  fmu->reset();
  EXPECT_EQ(fmu->set("x1", 1.0), Result::error) << "an output cannot be set";
  fmu->reset();
  fmu->set("m", 0.0);
  fmu->setup({0.0, 1.0});
  fmu->enter();
  EXPECT_EQ(fmu->leave(), Result::error) << "a mass of 0 has no equations";
  fmu->reset();
  fmu->start();
  EXPECT_EQ(fmu->set("x0", 1.0), Result::error) << "x0 is fixed after initialisation";
  fmu->reset();
  fmu->start();
  EXPECT_EQ(fmu->step(0.9, 0.2), Result::error) << "a step must not end after the stop time";
}

TEST(Poor, libraries_lack_what_a_plain_run_does_not_need) {
  auto poor = open_fmu(2, "two-mass-left-poor");
  for (const char* name : {"fmi2Reset", "fmi2GetFMUstate", "fmi2GetDirectionalDerivative", "fmi2GetString"}) {
    EXPECT_FALSE(poor->library().has(name)) << name;
  }
  EXPECT_TRUE(poor->library().has("fmi2DoStep"));
  EXPECT_FALSE(open_fmu(3, "two-mass-left-poor")->library().has("fmi3Reset"));
}

}  // namespace
}  // namespace seam::fmus
