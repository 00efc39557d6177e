#include "seam/models/state_space.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "seam/base/error.hpp"
#include "seam/ode/fixed_step.hpp"

namespace seam::models {
namespace {

using Complex = std::complex<double>;

Complex polynomial(const std::vector<double>& coefficients, Complex s) {
  Complex value = 0.0;
  for (const double c : coefficients) value = value * s + c;
  return value;
}

/// y/u at the frequency w, from the matrices.
Complex response(const Model& model, double w) {
  // In controllable canonical form x_1 = u/den with den monic, x_k = s^(k-1) x_1; y = C x + D u.
  const auto sizes = model.ode->sizes();
  ode::Jacobians J;
  model.ode->jacobians(0.0, {}, {}, J);
  const Complex s(0.0, w);
  Complex den = 1.0;
  for (int i = 0; i < sizes.states; ++i)
    den = den * s - J.A[(sizes.states - 1) * sizes.states + (sizes.states - 1 - i)];
  Complex y = J.D[0];
  for (int i = 0; i < sizes.states; ++i) y += J.C[i] * std::pow(s, i) / den;
  return y;
}

TEST(TransferFunction, frequency_response_is_numerator_over_denominator) {
  const std::vector<std::pair<std::vector<double>, std::vector<double>>> cases = {
      {{1}, {2, 1}}, {{3, 1}, {1, 0.4, 9}}, {{2, 1, 5}, {4, 0.4, 3}}, {{1}, {1, 0, 0}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}};
  for (const auto& [num, den] : cases) {
    const Model model = transfer_function(num, den);
    for (const double w : {0.1, 1.0, 7.0}) {
      const Complex expected = polynomial(num, Complex(0, w)) / polynomial(den, Complex(0, w));
      EXPECT_LT(std::abs(response(model, w) - expected), 1e-12 * std::abs(expected)) << "order " << den.size() - 1;
    }
  }
}

TEST(TransferFunction, step_response_of_a_lag_is_exponential) {
  const Model model = transfer_function({3}, {0.5, 1});
  ode::FixedStepSolver solver(*model.ode, ode::Method::rk4);
  std::vector<double> x = model.x0;
  const double input = 1.0;
  solver.advance(0.0, 1.0, 200, {{&input, 0, 1}, {}, 0.0, 1.0}, x);
  std::vector<double> y(1);
  model.ode->outputs(1.0, x, std::vector<double>{input}, y);
  EXPECT_NEAR(y[0], 3.0 * (1.0 - std::exp(-2.0)), 1e-9);
}

TEST(TransferFunction, biproper_one_feeds_through_and_strictly_proper_one_does_not) {
  EXPECT_TRUE(transfer_function({1, 2}, {1, 3}).ode->feeds_through(0, 0));
  EXPECT_FALSE(transfer_function({2}, {1, 3}).ode->feeds_through(0, 0));
}

TEST(TransferFunction, of_order_zero_is_a_gain) {
  const Model model = transfer_function({6}, {3});
  EXPECT_EQ(model.ode->sizes().states, 0);
  std::vector<double> y(1);
  model.ode->outputs(0.0, {}, std::vector<double>{5.0}, y);
  EXPECT_EQ(y[0], 10.0);
}

TEST(TransferFunction, improper_one_is_an_internal_error) { EXPECT_THROW(transfer_function({1, 0}, {1}), base::Error); }

}  // namespace
}  // namespace seam::models
