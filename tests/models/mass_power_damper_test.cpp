#include "seam/models/mass_power_damper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "seam/models/mass_chain.hpp"

namespace seam::models {
namespace {

/// Subsystem II of Haid et al. 2019, Table 1, with the damper of eq. 38.
MassPowerDamper published() { return {10.0, 1e7, 2.0, 2e5, 2e2, -0.5, 1e5, 0.1, 0.0}; }

std::vector<double> outputs(const Model& model, const std::vector<double>& x, const std::vector<double>& u) {
  std::vector<double> y(4);
  model.ode->outputs(0.0, x, u, y);
  return y;
}

TEST(MassPowerDamper, force_of_the_damper_is_the_square_root_of_the_speed) {
  const Model model = mass_power_damper(published());
  for (const double speed : {-30.0, -1.0, -1e-3, 1e-5, 0.04, 2.5}) {
    const double expected = std::copysign(2e2 * std::sqrt(std::abs(speed)), speed);
    EXPECT_NEAR(outputs(model, {0.3, 1.0 + speed}, {0.0, 0.3, 1.0})[3], expected, 1e-9 * std::abs(expected)) << speed;
  }
}

TEST(MassPowerDamper, limit_makes_it_a_linear_damper_near_rest) {
  const Model model = mass_power_damper(published());
  for (const double speed : {-4e-6, -1e-7, 0.0, 1e-300, 3.9e-6})
    EXPECT_DOUBLE_EQ(outputs(model, {0.0, speed}, {0.0, 0.0, 0.0})[3], 1e5 * speed) << speed;
}

// Published: dF/d(speed) is half the factor, and the limit below 4e-6 m/s.
TEST(MassPowerDamper, slope_is_half_the_factor_and_the_limit_at_rest) {
  const Model model = mass_power_damper(published());
  const auto slope = [&](double speed) {
    ode::Jacobians J;
    model.ode->jacobians(0.0, std::vector<double>{0.1, speed}, std::vector<double>{0.0, 0.1, 0.0}, J);
    EXPECT_DOUBLE_EQ(J.D[11], -J.C[7]);
    return J.C[7];
  };
  EXPECT_DOUBLE_EQ(slope(0.0), 1e5);
  EXPECT_DOUBLE_EQ(slope(-3.9e-6), 1e5);
  EXPECT_NEAR(slope(4.1e-6), 100.0 / std::sqrt(4.1e-6), 1e-9);
  EXPECT_NEAR(slope(-0.25), 200.0, 1e-12);
}

TEST(MassPowerDamper, exponent_0_is_the_mass_chain_with_a_spring_to_its_partner) {
  MassPowerDamper linear = published();
  linear.exponent = 0.0;
  const Model model = mass_power_damper(linear);
  const Model chain =
      mass_chain({{10}, {}, {}, {1e7}, {2}, {0.1}, {0}, {{ChainCoupling::Kind::spring, 0, 2e5, 2e2, 0, ""}}});
  EXPECT_EQ(model.ode->nature(), ode::Ode::Nature::linear);
  ASSERT_EQ(model.inputs.size(), chain.inputs.size());
  for (std::size_t i = 0; i < model.inputs.size(); ++i) EXPECT_EQ(model.inputs[i].name, chain.inputs[i].name);
  ASSERT_EQ(model.outputs.size(), chain.outputs.size());
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    EXPECT_EQ(model.outputs[i].name, chain.outputs[i].name);
    EXPECT_EQ(model.outputs[i].unit, chain.outputs[i].unit);
  }
  EXPECT_EQ(model.state_names, chain.state_names);
  EXPECT_EQ(model.x0, chain.x0);
  const std::vector<double> x = {0.02, -3.0}, u = {50.0, 0.07, 1.5};
  const auto own = outputs(model, x, u), its = outputs(chain, x, u);
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], its[i], 1e-10 * std::abs(its[i])) << i;
}

TEST(MassPowerDamper, without_damping_nothing_is_infinite_at_rest) {
  MassPowerDamper undamped = published();
  undamped.damping = 0.0;
  const Model model = mass_power_damper(undamped);
  EXPECT_EQ(outputs(model, {0.0, 0.0}, {0.0, 0.0, 0.0})[3], 0.0);
  ode::Jacobians J;
  model.ode->jacobians(0.0, std::vector<double>{0.0, 0.0}, std::vector<double>{0.0, 0.0, 0.0}, J);
  EXPECT_EQ(J.C[7], 0.0);
}

// Dry friction: the force has the size of the factor, whatever the speed.
TEST(MassPowerDamper, exponent_minus_1_is_friction_of_constant_size) {
  MassPowerDamper dry = published();
  dry.exponent = -1.0;
  dry.spring = 0.0;
  const Model model = mass_power_damper(dry);
  for (const double speed : {-20.0, 0.5, 3.0})
    EXPECT_NEAR(outputs(model, {0.0, speed}, {0.0, 0.0, 0.0})[3], std::copysign(200.0, speed), 1e-12);
}

}  // namespace
}  // namespace seam::models
