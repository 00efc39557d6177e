#include "seam/analysis/linear_models.hpp"

#include <gtest/gtest.h>

#include "support/pair.hpp"

namespace seam::analysis {
namespace {

const lti::StateSpace oscillator{lti::Matrix{{0.0, 1.0}, {-25.0, -0.5}}, lti::Matrix{{0.0, 1.0}, {2.0, 0.0}},
                                 lti::Matrix{{1.0, 0.0}, {0.0, 1.0}}, lti::Matrix{{0.0, 0.0}, {0.3, 0.0}}};

double distance(const lti::StateSpace& a, const lti::StateSpace& b) {
  return (a.A - b.A).norm() + (a.B - b.B).norm() + (a.C - b.C).norm() + (a.D - b.D).norm();
}

TEST(StepMap, leads_back_to_the_equations_it_was_made_of) {
  for (const int degree : {0, 2}) {
    const auto equations = equations_behind(step_map(oscillator, 0.05, degree));
    ASSERT_TRUE(equations);
    EXPECT_LT(distance(*equations, oscillator), 1e-10);
  }
}

// y(h) and x(h) of x' = u with u = c0 + c1 theta + c2 theta^2: h (c0 + c1/2 + c2/3).
TEST(StepMap, of_an_integrator_is_the_integral_of_the_polynomial) {
  const lti::StateSpace integrator{lti::Matrix{{0.0}}, lti::Matrix{{1.0}}, lti::Matrix{{1.0}}, lti::Matrix{{0.0}}};
  const StepMap map = step_map(integrator, 0.1, 2);
  EXPECT_EQ(map.inputs(), 1);
  const double thirds[] = {0.1, 0.05, 0.1 / 3.0};
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(map.matrices.B(0, j), thirds[j], 1e-15);
    EXPECT_NEAR(map.matrices.D(0, j), thirds[j], 1e-15);
  }
}

TEST(StepMap, of_a_delay_has_no_equations_behind_it) {
  const StepMap delay{0.1, 0, {lti::Matrix{{0.0}}, lti::Matrix{{1.0}}, lti::Matrix{{1.0}}, lti::Matrix{{0.0}}}};
  EXPECT_FALSE(equations_behind(delay));
}

TEST(StepMap, of_a_delay_that_is_one_but_for_rounding_has_no_equations_either) {
  for (const double rounded : {-1e-16, 1e-16}) {
    const lti::Matrix shift{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {rounded, 0.0, 0.0}};
    const StepMap delay{
        0.1, 0, {shift, lti::Matrix{{0.0}, {0.0}, {1.0}}, lti::Matrix{{1.0, 0.0, 0.0}}, lti::Matrix{{0.0}}}};
    EXPECT_FALSE(equations_behind(delay)) << rounded;
  }
}

TEST(StepMap, by_calling_a_native_model_is_that_of_its_equations) {
  testing::PairOfMasses pair;
  pair.coupling = "foh";
  const engine::Live live = engine::make_live(pair.system(), {engine::Horizon::none});
  coupling::start(live.program);
  for (const coupling::Lane& lane : live.program.lanes) {
    auto& subsystem = *lane.subsystem;
    const std::vector<double> coefficients(static_cast<std::size_t>(lane.inputs * 2));
    const auto linear =
        assembly::linearised(subsystem, 0.0, {coefficients.data(), static_cast<std::size_t>(lane.inputs)});
    ASSERT_TRUE(linear);
    const std::vector<double> before(subsystem.states().begin(), subsystem.states().end());
    const StepMap called = step_map(subsystem, {{0.0, 1e-3}, 1, coefficients}, lane.outputs);
    EXPECT_LT(distance(called.matrices, step_map(linear->matrices, 1e-3, 1).matrices), 1e-11);
    EXPECT_EQ(before, std::vector<double>(subsystem.states().begin(), subsystem.states().end()));
  }
}

}  // namespace
}  // namespace seam::analysis
