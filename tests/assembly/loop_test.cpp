// Loops of direct feed-through at the start: solved, or explained.
#include <cmath>
#include <cstdio>

#include "assembly/small_system.hpp"

namespace seam::assembly {
namespace {

/// u_1 -> g_1 -> g_2 -> … -> g_n -> back, `offset` added on the way back.
System ring(const std::vector<NativeModel>& models, double offset) {
  System system;
  const int n = static_cast<int>(models.size());
  for (int i = 0; i < n; ++i) system.add("g" + std::to_string(i + 1), models[static_cast<std::size_t>(i)]);
  for (int i = 0; i < n; ++i) system.wire(i, (i + 1) % n, 1.0, i == n - 1 ? offset : 0.0);
  return system;
}

TEST(Loop, of_2_linear_has_its_closed_form) {
  System system = ring({gain(-3), gain(2)}, 14.0);  // u = 14 - 6 u
  const PortValues ports = system.start();
  EXPECT_DOUBLE_EQ(ports.outputs[0][0], -6.0);
  EXPECT_DOUBLE_EQ(ports.outputs[1][0], -12.0);
}

TEST(Loop, of_20_linear_has_its_closed_form) {
  std::vector<NativeModel> models;
  double around = 1.0;
  for (int i = 0; i < 20; ++i) {
    const double k = (i % 2 ? -1.0 : 1.0) * (0.7 + 0.05 * i);
    models.push_back(gain(k));
    around *= k;
  }
  System system = ring(models, 3.0);
  const PortValues ports = system.start();
  const double u = 3.0 / (1.0 - around);
  EXPECT_NEAR(ports.inputs[0][0] / u, 1.0, 1e-12);
  double y = u;
  for (int i = 0; i < 20; ++i) {
    y *= (i % 2 ? -1.0 : 1.0) * (0.7 + 0.05 * i);
    EXPECT_NEAR(ports.outputs[static_cast<std::size_t>(i)][0] / y, 1.0, 1e-12) << i;
  }
}

// u = 2 - u^2/2, whose positive root is sqrt(5) - 1; 0 lies nearer to it than to the negative one.
TEST(Loop, of_2_nonlinear_has_its_closed_form) {
  System system = ring({polynomial({0.0, 0.0, 0.5}), gain(-1)}, 2.0);
  EXPECT_NEAR(system.start().inputs[0][0], std::sqrt(5.0) - 1.0, 1e-13);
}

TEST(Loop, of_2_nonlinear_without_derivatives_has_its_closed_form) {
  System system = ring({curve([](double u) { return 0.5 * u * u; }), gain(-1)}, 2.0);
  EXPECT_NEAR(system.start().inputs[0][0], std::sqrt(5.0) - 1.0, 1e-13);
}

/// Of y = c u + u^3/10 twenty times in a row, then -1: falling as a whole, so there is one fixed point of the ring.
double bisected(const std::vector<double>& slopes, double offset) {
  const auto around = [&](long double u) {
    for (const double c : slopes) u = c * u + u * u * u / 10.0L;
    return offset - u;
  };
  long double low = -10.0L, high = 10.0L;
  for (int i = 0; i < 200; ++i) {
    const long double middle = 0.5L * (low + high);
    (around(middle) > middle ? low : high) = middle;
  }
  return static_cast<double>(low);
}

TEST(Loop, of_20_nonlinear_is_what_bisection_finds) {
  std::vector<NativeModel> models;
  std::vector<double> slopes;
  for (int i = 0; i < 20; ++i) slopes.push_back(0.8 + 0.02 * i);
  for (int i = 0; i < 20; ++i) {
    const double sign = i == 19 ? -1.0 : 1.0;
    models.push_back(polynomial({0.0, sign * slopes[static_cast<std::size_t>(i)], 0.0, sign * 0.1}));
  }
  const double expected = bisected(slopes, 1.5);
  System with = ring(models, 1.5);
  EXPECT_NEAR(with.start().inputs[0][0] / expected, 1.0, 1e-12);
  for (int i = 0; i < 20; ++i) {
    const double c = slopes[static_cast<std::size_t>(i)], sign = i == 19 ? -1.0 : 1.0;
    models[static_cast<std::size_t>(i)] = curve([=](double u) { return sign * (c * u + 0.1 * u * u * u); });
  }
  System without = ring(models, 1.5);
  EXPECT_NEAR(without.start().inputs[0][0] / expected, 1.0, 1e-12);
}

// 1e9 and 1e-9 in one loop: y1 = 1e9 u1, y2 = 1e-9 (c - u2), so y1 = 1e9 * y2 and y2 = 1e-9 c - 1e-9 y1.
TEST(Loop, of_1e9_and_1e_minus_9_is_solved_to_all_digits_in_both) {
  const double c = 6e9;
  for (const bool with_derivatives : {true, false}) {
    System system;
    system.add("large", with_derivatives ? gain(1e9) : curve([](double u) { return 1e9 * u; }));
    system.add("small",
               with_derivatives ? polynomial({1e-9 * c, -1e-9}) : curve([=](double u) { return 1e-9 * c - 1e-9 * u; }));
    system.wire(0, 1).wire(1, 0);
    const PortValues ports = system.start();
    EXPECT_NEAR(ports.outputs[0][0] / 3e9, 1.0, 1e-12) << with_derivatives;
    EXPECT_NEAR(ports.outputs[1][0] / 3.0, 1.0, 1e-12) << with_derivatives;
  }
}

// x = 1e-9 in one variable and its image 1e9 in the other, and a square between them: x = 2e-9 - 1e-27 w^2 with
// w = 1e18 x, so x/1e-9 = 2 - (x/1e-9)^2, which is 1.
TEST(Loop, nonlinear_of_1e9_and_1e_minus_9_is_solved_to_all_digits_in_both) {
  for (const bool with_derivatives : {true, false}) {
    System system;
    system.add("large", gain(1e18));
    system.add("small", with_derivatives ? polynomial({2e-9, 0.0, -1e-27})
                                         : curve([](double w) { return 2e-9 - 1e-27 * w * w; }));
    system.wire(0, 1).wire(1, 0);
    const PortValues ports = system.start();
    EXPECT_NEAR(ports.outputs[0][0] / 1e9, 1.0, 1e-12) << with_derivatives;
    EXPECT_NEAR(ports.outputs[1][0] / 1e-9, 1.0, 1e-12) << with_derivatives;
  }
}

TEST(Loop, tiny_everywhere_is_not_taken_for_zero) {
  System system = ring({polynomial({3e-20, -2.0}), gain(1)}, 0.0);  // y = 3e-20 - 2 y
  EXPECT_NEAR(system.start().outputs[0][0] / 1e-20, 1.0, 1e-12);
}

TEST(Loop, whose_solution_is_zero_is_solved) {
  System system = ring({polynomial({5.0, -1.0}), gain(2)}, 5.0);  // u = 5 + 2 (5 - u) = 5: y = 0
  EXPECT_NEAR(system.start().outputs[0][0], 0.0, 1e-14);
}

TEST(Loop, that_contradicts_itself_is_explained_with_its_variables) {
  System system = ring({gain(1), gain(1)}, 1.0);  // u = u + 1
  const std::string error = system.error();
  EXPECT_NE(error.find("singular and contradict each other"), std::string::npos) << error;
  EXPECT_NE(error.find("g1.y1 -> g2.u1, g2.y1 -> g1.u1"), std::string::npos) << error;
  EXPECT_NE(error.find("g1.y1, g2.y1 can change together"), std::string::npos) << error;
  EXPECT_NE(error.find("g1.y1 = 0, but what follows from it is 1: off by 1\n"), std::string::npos) << error;
  EXPECT_NE(error.find("g2.y1 = 0, which fits\n"), std::string::npos) << error;
  EXPECT_NE(error.find("Try: "), std::string::npos) << error;
}

TEST(Loop, with_many_solutions_is_explained_and_not_guessed) {
  System system = ring({gain(2), gain(0.5)}, 0.0);  // u = u
  EXPECT_NE(system.error().find("many solutions"), std::string::npos) << system.error();
}

TEST(Loop, with_many_solutions_is_not_guessed_from_start_values_that_fit) {
  System system;
  system.add("third", gain(1.0 / 3.0), 0.1).add("thrice", gain(3.0), 0.7);
  system.wire(0, 1).wire(1, 0);
  EXPECT_NE(system.error().find("many solutions"), std::string::npos) << system.error();
}

TEST(Loop, of_20_that_is_singular_is_explained) {
  std::vector<NativeModel> models;
  for (int i = 0; i < 10; ++i) {
    models.push_back(gain(1.0 / (3.0 + i)));
    models.push_back(gain(3.0 + i));
  }
  EXPECT_NE(ring(models, 1.0).error().find("contradict"), std::string::npos);
  EXPECT_NE(ring(models, 0.0).error().find("many solutions"), std::string::npos);
}

TEST(Loop, without_derivatives_that_is_singular_is_explained) {
  const auto third = curve([](double u) { return u / 3.0; });
  const auto thrice = curve([](double u) { return 3.0 * u; });
  EXPECT_NE(ring({third, thrice}, 0.7).error().find("contradict"), std::string::npos);
}

// y = 1 + u^2 with u = y has no real solution.
TEST(Loop, nonlinear_without_solution_is_explained_with_values_and_residuals) {
  System system = ring({polynomial({1.0, 0.0, 1.0})}, 0.0);
  const std::string error = system.error();
  EXPECT_NE(error.find("found no solution"), std::string::npos) << error;
  double value = 0.0, computed = 0.0, off = 0.0;
  const std::size_t line = error.find("g1.y1 = ");
  ASSERT_NE(line, std::string::npos) << error;
  ASSERT_EQ(std::sscanf(error.c_str() + line, "g1.y1 = %lf, but what follows from it is %lf: off by %lf", &value,
                        &computed, &off),
            3);
  EXPECT_NEAR(computed, 1.0 + value * value, 1e-6 * computed);
  EXPECT_NEAR(off, computed - value, 1e-2 * off);
}

TEST(Loop, that_is_not_finite_is_explained) {
  System system = ring({curve([](double u) { return std::sqrt(u - 1.0); }), gain(0.5)}, 0.0);
  EXPECT_NE(system.error().find("does not give finite numbers"), std::string::npos) << system.error();
}

TEST(Loop, at_fault_is_the_only_one_that_is_named) {
  System system;
  system.add("good", gain(-3)).add("fine", gain(2)).add("bad", gain(1)).add("worse", gain(1));
  system.wire(0, 1).wire(1, 0, 1.0, 14.0).wire(2, 3).wire(3, 2, 1.0, 1.0);
  const std::string error = system.error();
  EXPECT_NE(error.find("bad.y1"), std::string::npos) << error;
  EXPECT_EQ(error.find("good"), std::string::npos) << error;
  EXPECT_EQ(error.find("fine"), std::string::npos) << error;
}

TEST(Loop, behind_another_gets_its_solution) {
  const lti::StateSpace sum{lti::Matrix(0, 0), lti::Matrix(0, 2), lti::Matrix(1, 0),
                            (lti::Matrix(1, 2) << 1, -1).finished()};
  System system;
  system.add("second", linear(sum, {})).add("first", gain(-3)).add("back", gain(2));
  system.wire(1, 2).wire(2, 1, 1.0, 14.0);                                // first.u = 2, first.y = -6
  system.wire(1, 0).wire({.from = 0, .output = 0, .to = 0, .input = 1});  // y = -6 - y
  EXPECT_NEAR(system.start().outputs[0][0], -3.0, 1e-14);
}

TEST(Loop, singular_only_at_the_start_is_solved_from_elsewhere) {
  System system = ring({limiter(-0.5, 0.5), gain(1)}, 0.3);  // y = limited(y + 0.3): at the limit
  EXPECT_NEAR(system.start().outputs[0][0], 0.5, 1e-14);
}

}  // namespace
}  // namespace seam::assembly
