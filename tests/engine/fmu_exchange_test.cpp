// FMUs for model exchange in a run: to the tolerance that was asked for, against closed forms and CVODE on equations
// of our own.
#include "engine/exchange_workshop.hpp"
#include "seam/ode/cvode.hpp"

namespace seam::engine {
namespace {

class Exchange : public ExchangeWorkshop {
 protected:
  std::string alone(const std::string& part, double stop, double step, double tolerance) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: {}, tolerance: {}}}\nplan: {{step: {}}}\n"
        "record: {{variables: [\"*.*\"]}}\n",
        part, stop, tolerance, step);
  }
  double ball_error(double tolerance, double step) const {
    const formats::Table table = table_of(alone(exchanged("bouncing-ball"), 1.5, step, tolerance));
    const Ball ball;
    double largest = 0.0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const Ball::State expected = ball.at(column(table, "time").at(i));
      largest = std::max({largest, std::abs(column(table, "a.h").at(i) - expected.height),
                          std::abs(column(table, "a.v").at(i) - expected.speed)});
    }
    return largest;
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Exchange, ::testing::Values(2, 3));

// Four bounces; every located impact costs an error of about the tolerance, and v² makes it grow.
TEST_P(Exchange, the_bouncing_ball_keeps_the_tolerance_asked) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    EXPECT_LT(ball_error(tolerance, 0.03), 100.0 * tolerance) << tolerance;
    EXPECT_LT(ball_error(tolerance, 0.5), 100.0 * tolerance) << tolerance;  // several bounces in a step
  }
}

TEST_P(Exchange, the_ball_comes_to_rest_and_stays_there) {
  const formats::Table table = table_of(alone(exchanged("bouncing-ball", "e: 0.5"), 3.0, 0.1, 1e-8));
  EXPECT_EQ(column(table, "a.v").back(), 0.0);
  EXPECT_NEAR(column(table, "a.h").back(), 0.0, 1e-12);
}

/// The same equations as van der Pol's FMU, written here.
class VanDerPol final : public ode::Ode {
 public:
  explicit VanDerPol(double mu) : mu_(mu) {}
  Sizes sizes() const override { return {2, 0, 0}; }
  Nature nature() const override { return Nature::nonlinear; }
  void derivatives(double, ode::In x, ode::In, ode::Out dx) const override {
    dx[0] = x[1];
    dx[1] = mu_ * (1.0 - x[0] * x[0]) * x[1] - x[0];
  }
  void outputs(double, ode::In, ode::In, ode::Out) const override {}
  bool feeds_through(int, int) const override { return false; }

 private:
  double mu_;
};

// Slow on its branch, then a jump within a thousandth of the period. Errors of the time of the jump are errors of x
// times its speed there, so only points on the slow branches are compared at the tolerance's size.
TEST_P(Exchange, stiff_van_der_pol_is_what_cvode_makes_of_the_same_equations) {
  constexpr double mu = 1000.0, stop = 1200.0, step = 20.0;
  const VanDerPol equations(mu);
  for (const double tolerance : {1e-6, 1e-8}) {
    const RunSummary summary = run_text(alone(exchanged("van-der-pol", "mu: 1000"), stop, step, tolerance));
    ASSERT_EQ(summary.result.ending, stepping::Ending::completed);
    const formats::Table table = result();
    std::vector<double> x{2.0, 0.0};
    ode::CvodeSolver solver(equations, {1e-12, 1e-14});
    double previous = 2.0;
    for (std::size_t i = 1; i < table.rows(); ++i) {
      const ode::InputSignal none{{nullptr, 0, 0}, {}, 0.0, 0.0};
      solver.advance(step * static_cast<double>(i - 1), step, none, x);
      const bool slow = std::abs(x[0] - previous) < 0.05 && std::abs(x[0]) > 1.2;
      previous = x[0];
      if (!slow) continue;
      ASSERT_NEAR(column(table, "a.x").at(i), x[0], 1000.0 * tolerance) << tolerance << " row " << i;
    }
    EXPECT_LT(column(table, "a.x").back(), -1.2);  // it has jumped to the other branch
  }
}

// Steps far longer than the fast time constant of 1/mu: an explicit solver would need thousands of steps for each.
TEST_P(Exchange, the_stiff_equations_cost_few_steps) {
  const RunSummary summary = run_text(alone(exchanged("van-der-pol", "mu: 1000"), 500.0, 100.0, 1e-6));
  ASSERT_EQ(summary.notices.size(), 1u);
  const std::string& remark = summary.notices.front();
  const std::size_t at = remark.find("): ");
  ASSERT_NE(at, std::string::npos) << remark;
  EXPECT_LT(std::stol(remark.substr(at + 3)), 500) << remark;
}

TEST_P(Exchange, the_stair_goes_up_at_its_times) {
  for (const double step : {0.1, 0.3, 1.0}) {
    const formats::Table table = table_of(alone(exchanged("stair", "period: 0.25, height: 2"), 3.0, step, 1e-8));
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double n = std::floor(column(table, "time").at(i) / 0.25 + 1e-9);
      ASSERT_EQ(column(table, "a.counter").at(i), n) << step << " row " << i;
      ASSERT_EQ(column(table, "a.y").at(i), 2.0 * n) << step << " row " << i;
    }
  }
}

// u = sin(2 pi t) known ahead of time: on from asin(1/2)/2pi = 1/12 until it falls through -1/2 at 7/12.
TEST_P(Exchange, the_relay_switches_inside_the_step_where_its_input_crosses) {
  const formats::Table table =
      table_of(fmt::format("seam: 1\nsubsystems:\n  s: {{model: sine, set: {{amplitude: 1, frequency: 1}}}}\n  a: {}\n"
                           "connections: [s.y -> a.u]\nexperiment: {{stop: 3}}\nplan: {{step: 0.02}}\n"
                           "record: {{variables: [a.y, a.on]}}\n",
                           exchanged("relay")));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double phase = std::fmod(column(table, "time").at(i), 1.0);
    const double on = phase > 1.0 / 12.0 && phase < 7.0 / 12.0 ? 1.0 : 0.0;
    ASSERT_EQ(column(table, "a.on").at(i), on) << i;
    ASSERT_EQ(column(table, "a.y").at(i), on) << i;
  }
}

// The reference locates the switch exactly; the coupled run sees it one communication point late at most.
TEST_P(Exchange, the_relay_coupled_to_an_integrator_converges_to_the_reference_with_the_step) {
  const auto error = [&](double step) {
    const std::string text = fmt::format(
        "seam: 1\nsubsystems:\n  relay: {}\n  x: {}\nconnections: [relay.y -> x.u, x.y -> relay.u]\n"
        "experiment: {{stop: 2}}\nplan: {{step: {}, coupling: foh}}\n",
        exchanged("relay", "y_off: 1, y_on: -1"), exchanged_by_other("integrator"), step);
    const formats::Table table = table_of(text);
    double largest = 0.0;
    for (std::size_t i = 0; i < table.rows(); ++i)
      largest = std::max(largest, std::abs(column(table, "x.y").at(i) - triangle(column(table, "time").at(i))));
    return largest;
  };
  EXPECT_LT(error(0.01), 0.08);
  EXPECT_LT(error(0.001), 0.2 * error(0.01));
}

TEST_P(Exchange, strict_fmus_with_every_kind_of_event_see_no_illegal_call) {
  constexpr const char* text =
      "seam: 1\nsubsystems:\n  a: {}\n  b: {}\nconnections: [a.y -> b.u, b.z -> a.u, a.d_out -> b.d, a.counter -> "
      "b.mode]\nexperiment: {{stop: 2{}}}\nplan: {{step: 0.1, coupling: {}, feedthrough: {}}}\n"
      "record: {{variables: [\"*.*\"]}}\n";
  const std::string eventful = exchanged("strict-me", "limit: 0.5, period: 0.25, kick: 0.5, steps_to_event: 3");
  const std::string other = exchanged_by_other("strict-me", "period: 0.3, x0: 2, limit: 1");
  for (const char* coupling : {"zoh", "foh", "soh"}) {
    for (const char* feedthrough : {"held", "fresh"}) {
      run_text(fmt::format(text, eventful, other, ", tolerance: 1e-6", coupling, feedthrough));
      EXPECT_EQ(illegal_calls(), "") << coupling << feedthrough;
    }
  }
  run_text(alone(exchanged("strict-me", "terminate_at: 0.55, period: 0.1"), 1.0, 0.1, 1e-6));
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Exchange, strict_fmu_that_is_saved_and_taken_up_sees_no_illegal_call) {
  const std::string text = alone(exchanged("strict-me", "limit: 0.5, period: 0.25, kick: 0.5"), 1.0, 0.1, 1e-8);
  RunSettings saving, loading;
  saving.final_state = folder_.file("state");
  loading.initial_state = saving.final_state;
  EXPECT_EQ(run_text(text, saving).result.ending, stepping::Ending::completed);
  Changes longer;
  longer.stop = "2";
  loading.file = folder_.file("result.csv");
  const RunSummary summary = run(open_text(text, folder_.file("system.yaml"), longer), loading);
  EXPECT_EQ(summary.result.ending, stepping::Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
}

}  // namespace
}  // namespace seam::engine
