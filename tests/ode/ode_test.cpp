#include "seam/ode/ode.hpp"

#include <gtest/gtest.h>

#include "ode/oscillator.hpp"

namespace seam::ode {
namespace {

/// x0' = x0 x1 + u0², x1' = sin x0; y = x0² u0.
class Curved : public Ode {
 public:
  Sizes sizes() const override { return {2, 1, 1}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, In x, In u, Out dx) const override {
    dx[0] = x[0] * x[1] + u[0] * u[0];
    dx[1] = std::sin(x[0]);
  }
  void outputs(double, In x, In u, Out y) const override { y[0] = x[0] * x[0] * u[0]; }
  bool feeds_through(int, int) const override { return true; }
};

TEST(Jacobians, default_differences_are_the_derivatives_of_a_curved_system) {
  const std::vector<double> x = {0.7, -1.2};
  const std::vector<double> u = {3.0};
  Jacobians J;
  Curved().jacobians(0.0, x, u, J);
  ASSERT_EQ(J.A.size(), 4u);
  EXPECT_NEAR(J.A[0], -1.2, 1e-9);
  EXPECT_NEAR(J.A[1], 0.7, 1e-9);
  EXPECT_NEAR(J.A[2], std::cos(0.7), 1e-9);
  EXPECT_NEAR(J.A[3], 0.0, 1e-9);
  EXPECT_NEAR(J.B[0], 6.0, 1e-9);
  EXPECT_NEAR(J.C[0], 2.0 * 0.7 * 3.0, 1e-9);
  EXPECT_NEAR(J.D[0], 0.49, 1e-9);
}

TEST(Jacobians, default_differences_scale_with_large_states) {
  const std::vector<double> x = {1e8, 2.0};
  const std::vector<double> u = {1.0};
  Jacobians J;
  Curved().jacobians(0.0, x, u, J);
  EXPECT_NEAR(J.C[0], 2e8, 1.0);
}

}  // namespace
}  // namespace seam::ode
