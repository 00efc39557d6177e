// What must hold for every model's equations, whatever they are.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "seam/models/blocks.hpp"
#include "seam/models/delay.hpp"
#include "seam/models/linear_ode.hpp"
#include "seam/models/mass_chain.hpp"
#include "seam/models/mass_power_damper.hpp"
#include "seam/models/pid.hpp"
#include "seam/models/state_space.hpp"

namespace seam::models {
namespace {

struct Named {
  std::string name;
  std::function<Model()> make;
};

Model chain_of_three() {
  MassChain chain{{1, 2, 3}, {100, 200}, {0.1, 0.2}, {5, 0, 7}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {}};
  chain.couplings.push_back({ChainCoupling::Kind::spring, 2, 300, 0.3, 0, "_a"});
  chain.couplings.push_back({ChainCoupling::Kind::spring_velocity, 0, 40, 0.4, 0, "_b"});
  chain.couplings.push_back({ChainCoupling::Kind::force, 1, 0, 0, 0, "_c"});
  return mass_chain(chain);
}

Model two_by_two() {
  lti::StateSpace system{lti::Matrix(2, 2), lti::Matrix(2, 2), lti::Matrix(2, 2), lti::Matrix(2, 2)};
  system.A << 0.1, 1.2, -3.4, -0.5;
  system.B << 1, 2, 3, 4;
  system.C << -1, 0.5, 0.25, 8;
  system.D << 0, 2, 0, 0;
  return state_space(system, {0, 0}, {"a", "b"}, {"c", "d"});
}

std::vector<Named> models() {
  return {
      {"state_space", two_by_two},
      {"mass_chain", chain_of_three},
      {"mass_power_damper",
       [] {
         return mass_power_damper({2.0, 30.0, 0.4, 5.0, 0.6, -0.5, 1e5});
       }},
      {"mass_quadratic_damper",
       [] {
         return mass_power_damper({2.0, 30.0, 0.4, 5.0, 0.6, 1.0, 0.5});
       }},
      {"gain", [] { return gain(-2.5); }},
      {"sum",
       [] {
         return sum({1.0, -1.0, 0.0});
       }},
      {"polynomial",
       [] {
         return polynomial({0.5, -1.0, 0.25, 2.0});
       }},
      {"limiter", [] { return limiter(-0.5, 0.7, "N"); }},
      {"delay_of_some_steps",
       [] {
         return delay({0.3, 0.1, 0.0, ""});
       }},
      {"delay_between_steps",
       [] {
         return delay({0.37, 0.1, 0.0, ""});
       }},
      {"delay_shorter_than_a_step",
       [] {
         return delay({0.04, 0.1, 0.0, ""});
       }},
      {"no_delay",
       [] {
         return delay({0.0, 0.1, 0.0, ""});
       }},
      {"transfer_function",
       [] {
         return transfer_function({2, 1, 5}, {1, 0.4, 3});
       }},
      {"strictly_proper",
       [] {
         return transfer_function({1, 5}, {2, 1, 0.4, 3});
       }},
      {"table",
       [] {
         return table(
             Piecewise({-1, 0.1, 0.6}, {0, 1, -2}, Piecewise::Between::linear, Piecewise::Outside::extrapolate));
       }},
      {"pid",
       [] {
         return pid({2.0, 3.0, 0.1, 0.05});
       }},
      {"pi",
       [] {
         return pid({2.0, 3.0});
       }},
      {"limited_pid",
       [] {
         return pid({2.0, 3.0, 0.1, 0.05, -1.0, 1.5});
       }},
  };
}

class EveryModel : public testing::TestWithParam<Named> {
 protected:
  std::vector<double> random(int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<double>(engine_()) / 2147483648.0 - 1.0);
    return values;
  }

 private:
  std::mt19937 engine_{11};
};

TEST_P(EveryModel, has_a_name_for_each_port_and_state) {
  const Model model = GetParam().make();
  const auto sizes = model.ode->sizes();
  EXPECT_EQ(static_cast<int>(model.inputs.size()), sizes.inputs);
  EXPECT_EQ(static_cast<int>(model.outputs.size()), sizes.outputs);
  EXPECT_EQ(static_cast<int>(model.state_names.size()), sizes.states);
  EXPECT_EQ(static_cast<int>(model.x0.size()), sizes.states);
}

void expect_near(const std::vector<double>& analytic, const std::vector<double>& differences, const char* which) {
  ASSERT_EQ(analytic.size(), differences.size()) << which;
  for (std::size_t i = 0; i < analytic.size(); ++i) {
    EXPECT_NEAR(analytic[i], differences[i], 1e-7 * (1.0 + std::abs(analytic[i]))) << which << " entry " << i;
  }
}

TEST_P(EveryModel, jacobians_are_the_differences) {
  const Model model = GetParam().make();
  const auto sizes = model.ode->sizes();
  EXPECT_EQ(model.ode->jacobian_source(), ode::Ode::JacobianSource::analytic);
  for (int trial = 0; trial < 20; ++trial) {
    const auto x = random(sizes.states);
    const auto u = random(sizes.inputs);
    ode::Jacobians analytic;
    ode::Jacobians differences;
    model.ode->jacobians(0.0, x, u, analytic);
    model.ode->Ode::jacobians(0.0, x, u, differences);
    expect_near(analytic.A, differences.A, "A");
    expect_near(analytic.B, differences.B, "B");
    expect_near(analytic.C, differences.C, "C");
    expect_near(analytic.D, differences.D, "D");
  }
}

TEST_P(EveryModel, feeds_through_exactly_where_an_output_follows_an_input) {
  const Model model = GetParam().make();
  const auto sizes = model.ode->sizes();
  for (int input = 0; input < sizes.inputs; ++input) {
    std::vector<int> moved(static_cast<std::size_t>(sizes.outputs), 0);
    for (int trial = 0; trial < 20; ++trial) {
      const auto x = random(sizes.states);
      auto u = random(sizes.inputs);
      std::vector<double> before(static_cast<std::size_t>(sizes.outputs));
      std::vector<double> after(before.size());
      model.ode->outputs(0.0, x, u, before);
      u[static_cast<std::size_t>(input)] += 0.1;
      model.ode->outputs(0.0, x, u, after);
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += before[i] != after[i] ? 1 : 0;
    }
    for (int output = 0; output < sizes.outputs; ++output) {
      EXPECT_EQ(model.ode->feeds_through(output, input), moved[static_cast<std::size_t>(output)] > 0)
          << "output " << output << " input " << input;
    }
  }
}

/// Multiplies a row of a row-major matrix.
double row_times(const std::vector<double>& M, int row, const std::vector<double>& v) {
  double sum = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) sum += M[row * v.size() + j] * v[j];
  return sum;
}

TEST_P(EveryModel, that_is_linear_is_its_matrices_and_no_other_is) {
  const Model model = GetParam().make();
  const auto sizes = model.ode->sizes();
  double largest = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const auto x = random(sizes.states);
    const auto u = random(sizes.inputs);
    const std::vector<double> zero_x(x.size(), 0.0), zero_u(u.size(), 0.0);
    ode::Jacobians J;
    model.ode->jacobians(0.0, zero_x, zero_u, J);
    std::vector<double> dx(x.size()), y(static_cast<std::size_t>(sizes.outputs));
    model.ode->derivatives(0.0, x, u, dx);
    model.ode->outputs(0.0, x, u, y);
    for (int i = 0; i < sizes.states; ++i) {
      largest = std::max(largest, std::abs(dx[i] - row_times(J.A, i, x) - row_times(J.B, i, u)));
    }
    for (int i = 0; i < sizes.outputs; ++i) {
      largest = std::max(largest, std::abs(y[i] - row_times(J.C, i, x) - row_times(J.D, i, u)));
    }
  }
  if (model.ode->nature() == ode::Ode::Nature::nonlinear) {
    EXPECT_GT(largest, 1e-3);
  } else {
    EXPECT_LT(largest, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryModel, testing::ValuesIn(models()),
                         [](const testing::TestParamInfo<Named>& named) { return named.param.name; });

TEST(Polynomial, has_the_value_of_its_powers) {
  const Model model = polynomial({7.0, -3.0, 0.0, 2.0});
  std::vector<double> y(1);
  for (const double u : {-2.0, 0.0, 0.5, 3.0}) {
    model.ode->outputs(0.0, {}, std::vector<double>{u}, y);
    EXPECT_DOUBLE_EQ(y[0], 7.0 - 3.0 * u + 2.0 * std::pow(u, 3)) << u;
  }
}

TEST(Limiter, keeps_the_output_between_its_limits) {
  const Model model = limiter(-0.5, 0.7, "N");
  std::vector<double> y(1);
  for (const auto& [in, out] : {std::pair{-2.0, -0.5}, std::pair{0.3, 0.3}, std::pair{0.7, 0.7}, std::pair{9.0, 0.7}}) {
    model.ode->outputs(0.0, {}, std::vector<double>{in}, y);
    EXPECT_EQ(y[0], out);
  }
  EXPECT_EQ(model.outputs[0].unit, "N");
}

TEST(Sum, numbers_its_inputs_only_if_there_are_several) {
  EXPECT_EQ(sum({1.0}).inputs[0].name, "u");
  const Model model = sum({1.0, -2.0});
  EXPECT_EQ(model.inputs[0].name, "u1");
  EXPECT_EQ(model.inputs[1].name, "u2");
  std::vector<double> y(1);
  model.ode->outputs(0.0, {}, std::vector<double>{5.0, 3.0}, y);
  EXPECT_EQ(y[0], -1.0);
}

}  // namespace
}  // namespace seam::models
