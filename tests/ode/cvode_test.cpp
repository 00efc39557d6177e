#include "seam/ode/cvode.hpp"

#include <gtest/gtest.h>

#include "ode/oscillator.hpp"
#include "seam/base/error.hpp"

namespace seam::ode {
namespace {

/// The van der Pol oscillator: stiff for large mu; analytic Jacobian on demand.
class VanDerPol : public Ode {
 public:
  VanDerPol(double mu, JacobianSource source) : mu_(mu), source_(source) {}
  Sizes sizes() const override { return {2, 0, 0}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, In x, In, Out dx) const override {
    dx[0] = x[1];
    dx[1] = mu_ * (1.0 - x[0] * x[0]) * x[1] - x[0];
  }
  void outputs(double, In, In, Out) const override {}
  bool feeds_through(int, int) const override { return false; }
  JacobianSource jacobian_source() const override { return source_; }
  void jacobians(double, In x, In, Jacobians& J) const override {
    J.A = {0.0, 1.0, -2.0 * mu_ * x[0] * x[1] - 1.0, mu_ * (1.0 - x[0] * x[0])};
    ++asked;
  }
  mutable int asked = 0;

 private:
  double mu_;
  JacobianSource source_;
};

/// x' = x²: leaves the numbers at t = 1/x0.
class Explosion : public Ode {
 public:
  Sizes sizes() const override { return {1, 0, 0}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, In x, In, Out dx) const override { dx[0] = x[0] * x[0]; }
  void outputs(double, In, In, Out) const override {}
  bool feeds_through(int, int) const override { return false; }
};

TEST(Cvode, damped_oscillator_matches_its_closed_form) {
  const Oscillator ode(4.0, 0.4);
  CvodeSolver solver(ode);
  std::vector<double> x = {1.0, 0.0};
  for (int n = 0; n < 10; ++n) solver.advance(0.5 * n, 0.5, constant_input(no_input, 0.5 * n, 0.5), x);
  const double w = std::sqrt(4.0 - 0.04);
  const double decay = std::exp(-0.2 * 5.0);
  EXPECT_NEAR(x[0], decay * (std::cos(w * 5.0) + 0.2 / w * std::sin(w * 5.0)), 1e-6);
  EXPECT_NEAR(x[1], -decay * 4.0 / w * std::sin(w * 5.0), 1e-6);
}

TEST(Cvode, tighter_tolerances_come_nearer) {
  const Oscillator ode(4.0, 0.0);
  const auto error = [&](double tolerance) {
    CvodeSolver solver(ode, {tolerance, tolerance});
    std::vector<double> x = {1.0, 0.0};
    solver.advance(0.0, 5.0, constant_input(no_input, 0.0, 5.0), x);
    return std::abs(x[0] - std::cos(10.0));
  };
  EXPECT_LT(error(1e-11), 0.01 * error(1e-6));
}

TEST(Cvode, polynomial_input_is_followed_to_the_end_of_the_step) {
  const Oscillator ode(0.0, 0.0);
  const std::array<double, 3> coefficients = {1.0, 0.0, 3.0};
  CvodeSolver solver(ode);
  std::vector<double> x = {0.0, 0.0};
  solver.advance(3.0, 2.0, {{coefficients.data(), 2, 1}, {}, 3.0, 2.0}, x);
  EXPECT_NEAR(x[1], 2.0 * (1.0 + 1.0), 1e-7);
  EXPECT_NEAR(x[0], 4.0 * (0.5 + 3.0 / 12.0), 1e-7);
}

TEST(Cvode, jump_inside_the_step_is_met_exactly) {
  const Oscillator ode(0.0, 0.0);
  const Jump jump(0.7312);
  const std::array<DrivenInput, 1> driven = {{{0, &jump, 1.0, 0.0}}};
  CvodeSolver solver(ode);
  std::vector<double> x = {0.0, 0.0};
  solver.advance(0.0, 1.0, {{&no_input, 0, 1}, driven, 0.0, 1.0}, x);
  const double rest = 1.0 - 0.7312;
  EXPECT_NEAR(x[1], rest, 1e-12);
  EXPECT_NEAR(x[0], 0.5 * rest * rest, 1e-8);
}

TEST(Cvode, jump_at_the_end_of_a_step_belongs_to_the_next) {
  const Oscillator ode(0.0, 0.0);
  const Jump jump(1.0);
  const std::array<DrivenInput, 1> driven = {{{0, &jump, 1.0, 0.0}}};
  CvodeSolver solver(ode);
  std::vector<double> x = {0.0, 0.0};
  solver.advance(0.0, 1.0, {{&no_input, 0, 1}, driven, 0.0, 1.0}, x);
  EXPECT_EQ(x[1], 0.0);
  solver.advance(1.0, 1.0, {{&no_input, 0, 1}, driven, 1.0, 1.0}, x);
  EXPECT_NEAR(x[1], 1.0, 1e-12);
}

TEST(Cvode, restored_states_repeat_to_the_bit_whatever_the_solver_did_before) {
  const VanDerPol ode(50.0, Ode::JacobianSource::analytic);
  CvodeSolver used(ode);
  std::vector<double> x = {2.0, 0.0};
  for (int n = 0; n < 20; ++n) used.advance(0.5 * n, 0.5, {}, x);
  const std::vector<double> saved = x;
  used.advance(10.0, 0.5, {}, x);
  const std::vector<double> first = x;
  for (int n = 21; n < 40; ++n) used.advance(0.5 * n, 0.5, {}, x);

  x = saved;
  used.advance(10.0, 0.5, {}, x);
  EXPECT_EQ(x, first);
  x = saved;
  CvodeSolver fresh(ode);
  fresh.advance(10.0, 0.5, {}, x);
  EXPECT_EQ(x, first);
}

TEST(Cvode, analytic_jacobian_is_used_where_offered_and_gives_the_same_solution) {
  const VanDerPol analytic(100.0, Ode::JacobianSource::analytic);
  const VanDerPol differences(100.0, Ode::JacobianSource::differences);
  std::vector<double> a = {2.0, 0.0};
  std::vector<double> b = a;
  CvodeSolver(analytic).advance(0.0, 50.0, {}, a);
  CvodeSolver(differences).advance(0.0, 50.0, {}, b);
  EXPECT_GT(analytic.asked, 0);
  EXPECT_EQ(differences.asked, 0);
  EXPECT_NEAR(a[0], b[0], 1e-5);
}

TEST(Cvode, solution_that_explodes_is_an_error_that_names_the_time_reached) {
  const Explosion ode;
  CvodeSolver solver(ode);
  std::vector<double> x = {1.0};
  try {
    solver.advance(0.0, 2.0, {}, x);
    FAIL() << "no error";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::subsystem);
    const std::string text = error.what();
    EXPECT_NE(text.find("on the way to 2 s"), std::string::npos) << text;
    EXPECT_NE(text.find("gave up at "), std::string::npos) << text;
    EXPECT_EQ(text.find("status"), std::string::npos) << "the reason is in words: " << text;
  }
}

TEST(Cvode, exception_of_the_model_comes_through) {
  class Broken : public Explosion {
    void derivatives(double, In, In, Out) const override { throw base::Error(base::Failure::subsystem, "mine"); }
  };
  const Broken ode;
  CvodeSolver solver(ode);
  std::vector<double> x = {1.0};
  try {
    solver.advance(0.0, 1.0, {}, x);
    FAIL() << "no error";
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "mine");
  }
}

TEST(Cvode, discrete_model_is_refused) {
  class Discrete : public Explosion {
    Nature nature() const override { return Nature::discrete; }
  };
  const Discrete ode;
  EXPECT_THROW(CvodeSolver{ode}, base::Error);
}

TEST(Cvode, model_without_states_has_nothing_to_solve) {
  class Static : public Explosion {
    Sizes sizes() const override { return {0, 0, 0}; }
  };
  const Static ode;
  std::vector<double> x;
  EXPECT_NO_THROW(CvodeSolver(ode).advance(0.0, 1.0, {}, x));
}

}  // namespace
}  // namespace seam::ode
