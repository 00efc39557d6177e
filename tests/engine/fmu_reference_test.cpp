// FMUs for model exchange in the monolithic solution: equations of all solved together, events located and shared.
#include "engine/exchange_workshop.hpp"
#include "seam/base/error.hpp"

namespace seam::engine {
namespace {

class ExchangeReference : public ExchangeWorkshop {};
INSTANTIATE_TEST_SUITE_P(Fmi, ExchangeReference, ::testing::Values(2, 3));

TEST_P(ExchangeReference, two_masses_as_fmus_are_the_two_masses_of_the_matrix_exponential) {
  const auto text = [](const std::string& left, const std::string& right) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {}\n  r: {}\nconnections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 2}}\nplan: {{step: 0.05}}\nrecord: {{variables: [l.x1, r.x1, l.F, r.v1]}}\n",
        left, right);
  };
  const std::string native_right =
      "{model: mass-chain, set: {masses: [0.2], to_ground: {k: 11, d: 0.4}, coupling: {kind: force}, x0: [0.25], v0: "
      "[2]}}";
  const std::string native_left =
      "{model: mass-chain, set: {masses: [0.2], to_ground: {k: 11, d: 0.4}, coupling: {kind: spring, k: 7, d: 0.3}, "
      "x0: "
      "[1], v0: [-0.5]}}";
  const formats::Table exact = solution_of(text(native_left, native_right));
  const std::string left = exchanged("two-mass-left", "m: 0.2, k: 11, d: 0.4, kc: 7, dc: 0.3, x0: 1, v0: -0.5");
  const std::string right = exchanged_by_other("two-mass-right", "m: 0.2, k: 11, d: 0.4, x0: 0.25, v0: 2");
  for (const auto& [l, r] : {std::pair{left, right}, std::pair{left, native_right}, std::pair{native_left, right}}) {
    const formats::Table table = solution_of(text(l, r));
    ASSERT_EQ(table.names, exact.names);
    ASSERT_EQ(table.rows(), exact.rows());
    for (std::size_t c = 1; c < exact.columns.size(); ++c) {
      for (std::size_t i = 0; i < exact.rows(); ++i)
        ASSERT_NEAR(table.columns[c][i], exact.columns[c][i], 1e-7) << exact.names[c] << " row " << i;
    }
  }
}

TEST_P(ExchangeReference, van_der_pol_is_what_a_run_with_the_same_tolerance_gives) {
  constexpr const char* text =
      "seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: 5, tolerance: 1e-10}}\nplan: {{step: 0.1}}\n";
  const auto system = fmt::format(text, exchanged("van-der-pol", "mu: 3"));
  const formats::Table together = solution_of(system), coupled = table_of(system);
  for (std::size_t i = 0; i < coupled.rows(); ++i)
    ASSERT_NEAR(column(together, "a.x").at(i), column(coupled, "a.x").at(i), 1e-7) << i;
}

TEST_P(ExchangeReference, the_ball_bounces_where_the_closed_form_says) {
  const formats::Table table = solution_of(fmt::format(
      "seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: 1.5}}\nplan: {{step: 0.03}}\n", exchanged("bouncing-ball")));
  const Ball ball;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const Ball::State expected = ball.at(column(table, "time").at(i));
    ASSERT_NEAR(column(table, "a.h").at(i), expected.height, 1e-8) << i;
    ASSERT_NEAR(column(table, "a.v").at(i), expected.speed, 1e-8) << i;
  }
}

// A relay that sends 1 below and -1 above, around an integrator of ours: a triangle whose corners lie between the rows.
TEST_P(ExchangeReference, a_relay_around_a_native_integrator_swings_between_its_thresholds) {
  const formats::Table table = solution_of(
      fmt::format("seam: 1\nsubsystems:\n  relay: {}\n  x: {}\nconnections: [relay.y -> x.u, x.y -> relay.u]\n"
                  "experiment: {{stop: 10}}\nplan: {{step: 0.3}}\n",
                  exchanged("relay", "y_off: 1, y_on: -1"), integrator()));
  for (std::size_t i = 0; i < table.rows(); ++i)
    ASSERT_NEAR(column(table, "x.y").at(i), triangle(column(table, "time").at(i)), 1e-8) << i;
}

// The switch lies in one FMU, the states in another of the other version; an event of the one is the other's, too.
TEST_P(ExchangeReference, a_relay_of_one_version_drives_an_integrator_of_the_other) {
  const formats::Table table = solution_of(
      fmt::format("seam: 1\nsubsystems:\n  relay: {}\n  x: {}\nconnections: [relay.y -> x.u, x.y -> relay.u]\n"
                  "experiment: {{stop: 10}}\nplan: {{step: 0.3}}\n",
                  exchanged("relay", "y_off: 1, y_on: -1"), exchanged_by_other("integrator")));
  for (std::size_t i = 0; i < table.rows(); ++i)
    ASSERT_NEAR(column(table, "x.y").at(i), triangle(column(table, "time").at(i)), 1e-8) << i;
}

// A Boolean into a real input: the integral of 1 - 2 on is the same triangle.
TEST_P(ExchangeReference, values_that_are_no_reals_travel_at_events) {
  const formats::Table table =
      solution_of(fmt::format("seam: 1\nsubsystems:\n  relay: {}\n  x: {}\n"
                              "connections: [{{from: relay.on, to: x.u, gain: -2, offset: 1}}, x.y -> relay.u]\n"
                              "experiment: {{stop: 10}}\nplan: {{step: 0.37}}\nrecord: {{variables: [\"*.*\"]}}\n",
                              exchanged("relay"), exchanged_by_other("integrator")));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = column(table, "time").at(i);
    ASSERT_NEAR(column(table, "x.y").at(i), triangle(t), 1e-8) << i;
    ASSERT_EQ(column(table, "relay.on").at(i), std::fmod(t + 0.5, 2.0) < 1.0 ? 0.0 : 1.0) << i;
  }
}

// y counts whole periods: its integral is n t - period n (n + 1)/2.
TEST_P(ExchangeReference, time_events_are_met_also_where_they_are_communication_points) {
  for (const char* step : {"0.1", "0.25", "1"}) {
    const formats::Table table =
        solution_of(fmt::format("seam: 1\nsubsystems:\n  stair: {}\n  x: {}\nconnections: [stair.y -> x.u]\n"
                                "experiment: {{stop: 3}}\nplan: {{step: {}}}\nrecord: {{variables: [\"*.*\"]}}\n",
                                exchanged("stair", "period: 0.5"), integrator(), step));
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double t = column(table, "time").at(i), n = std::floor(t / 0.5 + 1e-9);
      ASSERT_EQ(column(table, "stair.y").at(i), n) << t;
      ASSERT_EQ(column(table, "stair.counter").at(i), n) << t;
      ASSERT_NEAR(column(table, "x.y").at(i), n * t - 0.25 * n * (n + 1.0), 1e-9) << t;
    }
  }
}

// x' = 1 from 0.35 on, and the switch at 0.5 follows half a second later.
TEST_P(ExchangeReference, a_signal_that_jumps_is_an_event_of_everybody) {
  const formats::Table table = solution_of(fmt::format(
      "seam: 1\nsubsystems:\n  s: {{model: step, set: {{time: 0.35, before: 0, after: 1}}}}\n  x: {}\n  relay: {}\n"
      "connections: [s.y -> x.u, x.y -> relay.u]\nexperiment: {{stop: 1.5}}\nplan: {{step: 0.1}}\n"
      "record: {{variables: [\"*.*\"]}}\n",
      exchanged("integrator"), exchanged_by_other("relay")));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = column(table, "time").at(i);
    ASSERT_NEAR(column(table, "x.y").at(i), std::max(0.0, t - 0.35), 1e-9) << i;
    ASSERT_EQ(column(table, "relay.y").at(i), t > 0.85 ? 1.0 : 0.0) << i;
  }
}

TEST_P(ExchangeReference, steps_of_the_solver_may_ask_for_events) {
  const formats::Table table = solution_of(fmt::format(
      "seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: 10}}\nplan: {{step: 0.5}}\n", exchanged("wrapped-angle")));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = column(table, "time").at(i), angle = column(table, "a.angle").at(i);
    ASSERT_NEAR(std::remainder(angle - t, 2.0 * M_PI), 0.0, 1e-8) << i;
  }
}

TEST_P(ExchangeReference, loop_of_direct_feedthrough_through_an_fmu_is_solved) {
  // y = 2 u, u = 0.25 y + 3: y = 12
  const formats::Table table = solution_of(fmt::format(
      "seam: 1\nsubsystems:\n  g: {}\n  h: {{model: gain, set: {{k: 0.25}}}}\n"
      "connections: [g.y -> h.u, {{from: h.y, to: g.u, offset: 3}}]\nexperiment: {{stop: 1}}\nplan: {{step: 0.5}}\n",
      exchanged("gain", "k: 2")));
  for (const double y : column(table, "g.y")) EXPECT_NEAR(y, 12.0, 1e-9);
}

TEST_P(ExchangeReference, an_fmu_that_asks_to_end_ends_it_with_its_name) {
  const ReferenceSummary summary = reference_of(
      fmt::format("seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: 2}}\nplan: {{step: 0.1}}\n", exchanged("fuse")));
  EXPECT_NE(summary.ended.find("a (fuse-"), std::string::npos) << summary.ended;
  const formats::Table table = result();
  EXPECT_GT(table.rows(), 9u);
  EXPECT_LT(table.rows(), 13u);
}

TEST_P(ExchangeReference, strict_fmus_with_events_of_every_kind_see_no_illegal_call) {
  constexpr const char* text =
      "seam: 1\nsubsystems:\n  a: {}\n  b: {}\nconnections: [a.y -> b.u, b.z -> a.u, a.d_out -> b.d, a.counter -> "
      "b.mode]\nexperiment: {{stop: 2}}\nplan: {{step: 0.1}}\nrecord: {{variables: [\"*.*\"]}}\n";
  solution_of(fmt::format(text, exchanged("strict-me", "limit: 0.5, period: 0.25, kick: 0.5, steps_to_event: 50"),
                          exchanged_by_other("strict-me", "period: 0.3, x0: 2, limit: 1")));
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(ExchangeReference, what_cannot_be_solved_together_is_refused_by_name) {
  const std::string co_simulated =
      refusal_of(fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}}}\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
                             fmu(GetParam(), "two-mass-left-poor")));
  EXPECT_NE(co_simulated.find("\"a\" is an FMU for co-simulation"), std::string::npos) << co_simulated;
  const std::string sampled = refusal_of(
      fmt::format("seam: 1\nsubsystems:\n  a: {}\n  x: {}\nconnections: [x.y -> a.d]\nexperiment: {{stop: 1}}\nplan: "
                  "{{step: 0.1}}\n",
                  exchanged("strict-me"), exchanged_by_other("integrator")));
  EXPECT_NE(sampled.find("a.d is discrete"), std::string::npos) << sampled;
  EXPECT_NE(sampled.find("x.y changes continuously"), std::string::npos) << sampled;
  const std::string followed = refusal_of(fmt::format(
      "seam: 1\nsubsystems:\n  a: {}\n  s: {{model: sine, set: {{amplitude: 1, frequency: 1}}}}\nconnections: [s.y -> "
      "a.d]\nexperiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
      exchanged("strict-me")));
  EXPECT_NE(followed.find("follows a known signal"), std::string::npos) << followed;
}

}  // namespace
}  // namespace seam::engine
