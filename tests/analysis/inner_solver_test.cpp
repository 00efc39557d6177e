#include "seam/analysis/inner_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

namespace seam::analysis {
namespace {

using lti::Matrix;
using lti::StateSpace;
using lti::Vector;
using Method = InnerSolver::Method;
using Steps = InnerSolver::Steps;

StateSpace oscillator(double stiffness = 100.0) {
  StateSpace system{Matrix(2, 2), Matrix(2, 1), Matrix(1, 2), Matrix::Constant(1, 1, 0.25)};
  system.A << 0, 1, -stiffness, -1;
  system.B << 0, 1;
  system.C << 1, 0.1;
  return system;
}

/// x after a step from stages, as the methods are written in textbooks.
Vector stepped(Method method, const StateSpace& s, double h, const Vector& x, const Vector& u) {
  const auto f = [&](const Vector& at) -> Vector { return s.A * at + s.B * u; };
  const Matrix I = Matrix::Identity(x.size(), x.size());
  switch (method) {
    case Method::euler:
      return x + h * f(x);
    case Method::second_order:
      return x + h * f(x + 0.5 * h * f(x));  // midpoint
    case Method::third_order: {              // Heun's
      const Vector a = f(x), b = f(x + h / 3.0 * a), c = f(x + 2.0 * h / 3.0 * b);
      return x + h / 4.0 * (a + 3.0 * c);
    }
    case Method::fourth_order: {
      const Vector a = f(x), b = f(x + 0.5 * h * a), c = f(x + 0.5 * h * b), d = f(x + h * c);
      return x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    case Method::implicit_euler:
      return (I - h * s.A).partialPivLu().solve(x + h * s.B * u);
    case Method::trapezoidal:
      return (I - 0.5 * h * s.A).partialPivLu().solve(x + 0.5 * h * f(x) + 0.5 * h * s.B * u);
    case Method::exact:
      break;
  }
  return x;
}

/// x after a step of a variant under moving inputs: u at a part of the step, from stages as in textbooks.
Vector stepped(Method method, std::size_t variant, const StateSpace& s, double h, const Vector& x,
               const std::function<double(double)>& u) {
  const auto f = [&](const Vector& at, double part) -> Vector { return s.A * at + s.B * u(part); };
  const Matrix I = Matrix::Identity(x.size(), x.size());
  const auto solved = [&](double implicit, const Vector& right) -> Vector {
    return (I - implicit * h * s.A).partialPivLu().solve(right);
  };
  const Vector a = f(x, 0.0);
  if (method == Method::euler) return x + h * a;
  if (method == Method::second_order) {
    if (variant == 0) return x + h * f(x + 0.5 * h * a, 0.5);
    if (variant == 1) return x + h / 2.0 * (a + f(x + h * a, 1.0));
    return x + h / 4.0 * (a + 3.0 * f(x + 2.0 * h / 3.0 * a, 2.0 / 3.0));
  }
  if (method == Method::third_order) {
    if (variant == 0) {
      const Vector b = f(x + 0.5 * h * a, 0.5);
      return x + h / 6.0 * (a + 4.0 * b + f(x - h * a + 2.0 * h * b, 1.0));
    }
    if (variant == 1) {
      const Vector b = f(x + h / 3.0 * a, 1.0 / 3.0);
      return x + h / 4.0 * (a + 3.0 * f(x + 2.0 * h / 3.0 * b, 2.0 / 3.0));
    }
    const Vector b = f(x + 0.5 * h * a, 0.5), c = f(x + 0.75 * h * b, 0.75);
    return x + h / 9.0 * (2.0 * a + 3.0 * b + 4.0 * c);
  }
  if (method == Method::fourth_order) {
    if (variant == 0) {
      const Vector b = f(x + 0.5 * h * a, 0.5), c = f(x + 0.5 * h * b, 0.5), d = f(x + h * c, 1.0);
      return x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    const Vector b = f(x + h / 3.0 * a, 1.0 / 3.0), c = f(x - h / 3.0 * a + h * b, 2.0 / 3.0);
    return x + h / 8.0 * (a + 3.0 * b + 3.0 * c + f(x + h * (a - b + c), 1.0));
  }
  if (method == Method::implicit_euler) return solved(1.0, x + h * s.B * u(1.0));
  if (variant == 0) return solved(0.5, x + h / 2.0 * (a + s.B * u(1.0)));
  return solved(0.5, x + h / 2.0 * (s.A * x) + h * s.B * u(0.5));  // the implicit midpoint rule
}

/// Outputs of calls under inputs that jump, by so many steps each.
std::vector<double> record(Method method, const StateSpace& s, double length, int steps) {
  std::vector<double> outputs;
  Vector x = Vector::Zero(2), u(1);
  for (int call = 0; call < 60; ++call) {
    u(0) = (call * call) % 7 < 3 ? 1.0 : -0.5;
    for (int i = 0; i < steps; ++i) x = stepped(method, s, length / steps, x, u);
    outputs.push_back((s.C * x + s.D * u)(0));
  }
  return outputs;
}

std::vector<double> answers(const StepMap& map) {
  std::vector<double> outputs;
  Vector x = Vector::Zero(map.matrices.states()), u(1);
  for (int call = 0; call < 60; ++call) {
    u(0) = (call * call) % 7 < 3 ? 1.0 : -0.5;
    outputs.push_back((map.matrices.C * x + map.matrices.D * u)(0));
    x = map.matrices.A * x + map.matrices.B * u;
  }
  return outputs;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    squares += std::pow(a[i] - b[i], 2);
    size += b[i] * b[i];
  }
  return std::sqrt(squares / size);
}

CallsToExplain calls_of(Method method, const std::vector<double>& lengths, const std::vector<int>& steps) {
  CallsToExplain calls;
  for (const double length : lengths) calls.kinds.push_back({length});
  calls.allowed = 1e-9;
  std::vector<std::vector<double>> records;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    records.push_back(record(method, oscillator(), lengths[i], steps[i]));
  calls.error = [=](std::size_t i, const StepMap& map) { return distance(answers(map), records[i]); };
  return calls;
}

constexpr Method methods[] = {Method::euler,        Method::second_order,   Method::third_order,
                              Method::fourth_order, Method::implicit_euler, Method::trapezoidal};
const std::vector<double> lengths = {0.06, 0.03, 0.02};

TEST(InnerSolver, steps_are_those_of_the_textbook) {
  for (const Method method : methods) {
    for (const int steps : {1, 3, 10}) {
      const InnerSolver solver{.method = method, .a_call = steps};
      const auto map = solver.call(oscillator(), 0.06, 0);
      ASSERT_TRUE(map);
      EXPECT_LT(distance(answers(*map), record(method, oscillator(), 0.06, steps)), 1e-12) << words(solver);
    }
  }
}

TEST(InnerSolver, is_found_with_the_way_it_steps) {
  for (const Method method : methods) {
    const auto of_the_call = solver_of(oscillator(), calls_of(method, lengths, {2, 2, 2}));
    ASSERT_TRUE(of_the_call);
    EXPECT_EQ(of_the_call->method, method);
    EXPECT_EQ(of_the_call->steps, Steps::of_the_call);
    EXPECT_EQ(of_the_call->a_call, 2);
    const auto own = solver_of(oscillator(), calls_of(method, lengths, {6, 3, 2}));
    ASSERT_TRUE(own);
    EXPECT_EQ(own->method, method);
    EXPECT_EQ(own->steps, Steps::of_its_own);
    EXPECT_NEAR(own->step, 0.01, 1e-12);
    const auto at_most = solver_of(oscillator(), calls_of(method, lengths, {4, 2, 2}));
    ASSERT_TRUE(at_most);
    EXPECT_EQ(at_most->method, method);
    EXPECT_EQ(at_most->steps, Steps::varying);
  }
}

// All of them, and the exact solution, are allowed: in calls of 1 us an oscillator of 10 rad/s hardly moves.
TEST(InnerSolver, of_calls_that_are_short_is_the_one_that_misses_them_by_far_less) {
  for (const Method method : {Method::euler, Method::second_order, Method::implicit_euler}) {
    CallsToExplain calls = calls_of(method, {1e-3, 5e-4, 1e-3 / 3.0}, {1, 1, 1});
    calls.allowed = 0.1;
    const auto found = solver_of(oscillator(), calls);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->method, method);
    EXPECT_EQ(found->a_call, 1);
  }
}

TEST(InnerSolver, of_many_steps_is_found_too) {
  const auto found = solver_of(oscillator(), calls_of(Method::euler, lengths, {180, 90, 60}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->steps, Steps::of_its_own);
  EXPECT_NEAR(found->step, 0.06 / 180, 1e-12);
}

/// Of one input's polynomial in a call; powers above `followed` count for nothing.
double at(const std::vector<double>& polynomial, double part, std::size_t followed) {
  double sum = 0.0;
  for (std::size_t j = 0; j <= std::min(followed, polynomial.size() - 1); ++j)
    sum += polynomial[j] * std::pow(part, static_cast<double>(j));
  return sum;
}

std::vector<double> polynomial_of(int call, int degree) {
  std::vector<double> polynomial;
  for (int j = 0; j <= degree; ++j) polynomial.push_back(std::sin(1.7 * call + 2.3 * j * call + j));
  return polynomial;
}

std::vector<double> answers_to_moving_inputs(const StepMap& map) {
  std::vector<double> outputs;
  Vector x = Vector::Zero(map.matrices.states());
  for (int call = 0; call < 60; ++call) {
    const auto polynomial = polynomial_of(call, map.degree);
    const Vector c = Eigen::Map<const Vector>(polynomial.data(), static_cast<Eigen::Index>(polynomial.size()));
    outputs.push_back((map.matrices.C * x + map.matrices.D * c)(0));
    x = map.matrices.A * x + map.matrices.B * c;
  }
  return outputs;
}

std::vector<double> record_of_moving_inputs(Method method, std::size_t variant, double length, int steps, int degree,
                                            std::size_t followed) {
  const StateSpace s = oscillator();
  std::vector<double> outputs;
  Vector x = Vector::Zero(2);
  for (int call = 0; call < 60; ++call) {
    const auto polynomial = polynomial_of(call, degree);
    for (int i = 0; i < steps; ++i) {
      const auto u = [&](double part) { return at(polynomial, (i + part) / steps, followed); };
      x = stepped(method, variant, s, length / steps, x, u);
    }
    outputs.push_back((s.C * x)(0) + s.D(0, 0) * at(polynomial, 1.0, followed));
  }
  return outputs;
}

constexpr std::size_t variants[] = {1, 3, 3, 2, 1, 2};  // of the methods, in their order

TEST(InnerSolver, steps_under_moving_inputs_are_those_of_the_textbook) {
  for (std::size_t m = 0; m < std::size(methods); ++m) {
    for (std::size_t variant = 0; variant < variants[m]; ++variant) {
      for (const int steps : {1, 4}) {
        const InnerSolver solver{.method = methods[m], .variant = variant, .a_call = steps};
        const auto map = solver.call(oscillator(), 0.06, 2);
        ASSERT_TRUE(map);
        EXPECT_LT(
            distance(answers_to_moving_inputs(*map), record_of_moving_inputs(methods[m], variant, 0.06, steps, 2, 2)),
            1e-12)
            << words(solver) << ", variant " << variant;
      }
    }
  }
}

TEST(InnerSolver, is_found_under_moving_inputs_with_the_powers_that_it_follows) {
  for (std::size_t m = 0; m < std::size(methods); ++m) {
    for (std::size_t variant = 0; variant < variants[m]; ++variant) {
      for (const std::size_t followed : {2U, 1U, 0U}) {
        CallsToExplain calls;
        for (const double length : lengths) calls.kinds.push_back({length, 2});
        calls.allowed = 1e-9;
        std::vector<std::vector<double>> records;
        for (const double length : lengths)
          records.push_back(record_of_moving_inputs(methods[m], variant, length, 2, 2, followed));
        calls.error = [&](std::size_t i, const StepMap& map) {
          return distance(answers_to_moving_inputs(map), records[i]);
        };
        const auto found = solver_of(oscillator(), calls);
        ASSERT_TRUE(found) << words({.method = methods[m]}) << " " << variant << ", powers up to " << followed;
        EXPECT_EQ(found->method, methods[m]);
        EXPECT_EQ(found->follows, followed == 2 ? std::nullopt : std::optional<int>(static_cast<int>(followed)));
        const auto shorter = found->call(oscillator(), 0.015, 2);  // as what was found tells it
        ASSERT_TRUE(shorter);
        EXPECT_LT(distance(answers_to_moving_inputs(*shorter),
                           record_of_moving_inputs(methods[m], variant, 0.015, 2, 2, followed)),
                  1e-12);
      }
    }
  }
}

TEST(InnerSolver, equations_behind_one_step_are_those_that_were_stepped) {
  const StateSpace s = oscillator();
  for (const InnerSolver& solver : one_step_solvers()) {
    for (const double length : {1e-4, 0.01, 0.06}) {
      const auto found = equations_behind(*solver.call(s, length, 0), solver.method);
      ASSERT_TRUE(found) << words(solver);
      const double rounding = 1e-12 / length;
      EXPECT_LT((found->A - s.A).norm(), rounding * s.A.norm()) << words(solver) << " of " << length;
      EXPECT_LT((found->B - s.B).norm(), rounding) << words(solver) << " of " << length;
      EXPECT_LT((found->C - s.C).norm(), rounding) << words(solver) << " of " << length;
      EXPECT_LT((found->D - s.D).norm(), rounding) << words(solver) << " of " << length;
    }
  }
}

TEST(InnerSolver, does_not_explain_other_equations) {
  for (const Method method : methods) {
    for (const double stiffness : {90.0, 101.0, 150.0})
      EXPECT_FALSE(solver_of(oscillator(stiffness), calls_of(method, lengths, {1, 1, 1}))) << stiffness;
  }
}

TEST(InnerSolver, is_not_told_by_calls_of_one_length_unless_it_is_exact) {
  EXPECT_FALSE(solver_of(oscillator(), calls_of(Method::euler, {0.06}, {3})));
  CallsToExplain exact;
  exact.kinds = {{0.06}};
  exact.allowed = 1e-9;
  exact.error = [](std::size_t, const StepMap& map) {
    return distance(answers(map), answers(step_map(oscillator(), 0.06, 0)));
  };
  const auto found = solver_of(oscillator(), exact);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->method, Method::exact);
}

TEST(InnerSolver, with_steps_of_its_own_tells_calls_that_are_multiples_of_them_alone) {
  const InnerSolver solver{.method = Method::euler, .steps = Steps::of_its_own, .step = 0.01};
  EXPECT_TRUE(solver.call(oscillator(), 0.05, 0));
  EXPECT_FALSE(solver.call(oscillator(), 0.055, 0));
  EXPECT_FALSE(solver.call(oscillator(), 0.005, 0));
  EXPECT_FALSE(solver.call(oscillator(), 0.05, 1)) << "when its inputs are read in a step is not known";
}

}  // namespace
}  // namespace seam::analysis
