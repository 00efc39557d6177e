// Our FMUs for model exchange, solved by the test itself.
#include <gtest/gtest.h>

#include <cmath>

#include "fmus/ball.hpp"
#include "fmus/exchange.hpp"

namespace seam::fmus {
namespace {

class ModelExchange : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Fmu> open(const std::string& name) {
    Opening exchanged;
    exchanged.interface = Opening::Interface::model_exchange;
    return open_fmu(GetParam(), name, exchanged);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, ModelExchange, testing::Values(2, 3));

TEST_P(ModelExchange, is_the_co_simulation_with_the_solver_outside) {
  struct Case {
    const char *name, *input, *output;
  };
  for (const Case& it : {Case{"two-mass-left", "x_in", "F"},
                         {"two-mass-right", "F_in", "x1"},
                         {"state-space", "u2", "y1"},
                         {"transfer-function", "u", "y"},
                         {"pid", "reference", "y"},
                         {"integrator", "u", "y"}}) {
    const std::size_t states = std::string(it.name) == "integrator" ? 1 : 2;
    auto fmu = open(it.name), twin = open_fmu(GetParam(), it.name);
    fmu->start();
    twin->start();
    Exchange exchange(*fmu, states, 0);
    double u = 0.0;
    exchange.inputs = [&](Fmu& one, double) { EXPECT_EQ(one.set(it.input, u), Result::ok); };
    exchange.begin();
    for (int n = 0; n < 50; ++n) {
      u = 0.3 - 0.02 * n;
      exchange.run((n + 1) * 0.01, 0.01);
      twin->set(it.input, u);
      twin->step(n * 0.01, 0.01);
      ASSERT_NEAR((*fmu)[it.output], (*twin)[it.output], 1e-12) << it.name << ", step " << n;
    }
  }
}

TEST_P(ModelExchange, outputs_are_fresh) {
  auto fmu = open("gain");
  fmu->start();
  fmu->set("u", 4.0);
  EXPECT_EQ((*fmu)["y"], 8.0) << "Event Mode";
  fmu->set("k", 3.0);
  EXPECT_EQ((*fmu)["y"], 12.0) << "a tunable parameter in Event Mode";
  Exchange exchange(*fmu, 0, 0);
  exchange.begin();
  fmu->set("u", 5.0);
  EXPECT_EQ((*fmu)["y"], 15.0) << "Continuous-Time Mode";
  EXPECT_EQ(fmu->terminate(), Result::ok);
  EXPECT_EQ((*fmu)["y"], 15.0);
}

TEST_P(ModelExchange, a_source_follows_the_time_that_is_set) {
  auto fmu = open("sine");
  fmu->start();
  Exchange exchange(*fmu, 0, 0);
  exchange.begin();
  fmu->set_time(0.3);
  EXPECT_DOUBLE_EQ((*fmu)["y"], std::sin(2.0 * M_PI * 0.3));
  EXPECT_EQ((*fmu)["time"], 0.3);
}

TEST_P(ModelExchange, states_can_be_set_together_or_by_name) {
  auto fmu = open("two-mass-left");
  fmu->start();
  Exchange exchange(*fmu, 2, 0);
  exchange.begin();
  EXPECT_EQ(exchange.x, (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(fmu->set_states({0.25, -3.0}), Result::ok);
  EXPECT_EQ((*fmu)["x1"], 0.25);
  EXPECT_EQ(fmu->set("v1", 2.0), Result::ok);
  std::vector<double> x(2), dx(2);
  EXPECT_EQ(fmu->get_states(x), Result::ok);
  EXPECT_EQ(x, (std::vector<double>{0.25, 2.0}));
  EXPECT_EQ(fmu->get_derivatives(dx), Result::ok);
  EXPECT_EQ(dx[0], 2.0);
  EXPECT_EQ(dx[1], (*fmu)["der(v1)"]);
  std::vector<double> nominals(2);
  EXPECT_EQ(fmu->get_nominals(nominals), Result::ok);
  EXPECT_EQ(nominals, (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(fmu->set_states({1.0}), Result::error) << "one state too few";
}

TEST_P(ModelExchange, directional_derivatives_are_those_of_the_point) {
  auto fmu = open("van-der-pol");
  fmu->set("mu", 1000.0);
  fmu->start();
  Exchange exchange(*fmu, 2, 0);
  exchange.begin();
  std::vector<double> up(2), down(2);
  fmu->set_states({0.5 + 1e-6, -0.25});
  fmu->get_derivatives(up);
  fmu->set_states({0.5 - 1e-6, -0.25});
  fmu->get_derivatives(down);
  fmu->set_states({0.5, -0.25});
  double slope = 0.0;
  EXPECT_EQ(fmu->slope("der(v)", "x", slope), Result::ok);
  EXPECT_NEAR(slope, (up[1] - down[1]) / 2e-6, 1e-3);
  EXPECT_EQ(slope, -2.0 * 1000.0 * 0.5 * -0.25 - 1.0);
}

TEST_P(ModelExchange, the_ball_bounces_where_it_should_and_comes_to_rest) {
  auto fmu = open("bouncing-ball");
  fmu->start({0.0, 3.0});
  Exchange exchange(*fmu, 2, 1);
  exchange.begin();
  const Ball ball;
  for (int n = 1; n <= 60; ++n) {
    exchange.run(n * 0.05, 0.05);
    ASSERT_NEAR((*fmu)["h"], ball.at(n * 0.05).h, 1e-12) << n;
    ASSERT_NEAR((*fmu)["v"], ball.at(n * 0.05).v, 1e-11) << n;
  }
  const std::vector<double> bounces = ball.bounces();
  ASSERT_EQ(exchange.event_times.size(), bounces.size()) << "and no event more";
  for (std::size_t i = 0; i < bounces.size(); ++i) EXPECT_NEAR(exchange.event_times[i], bounces[i], 1e-12) << i;
  EXPECT_EQ((*fmu)["der(v)"], 0.0) << "at rest";
}

TEST_P(ModelExchange, the_stair_announces_its_events) {
  auto fmu = open("stair");
  fmu->set("period", 0.4);
  fmu->start({2.0, 4.0});
  Exchange exchange(*fmu, 0, 0);
  exchange.begin(2.0);
  exchange.run(3.0, 0.3);
  ASSERT_EQ(exchange.event_times, (std::vector<double>{2.4, 2.8}));
  int counter = 0;
  fmu->get_int("counter", counter);
  EXPECT_EQ(counter, 2);
  EXPECT_EQ((*fmu)["y"], 2.0);
  fmu->set_time(3.3);
  EXPECT_EQ((*fmu)["y"], 2.0) << "discrete variables are frozen between events";
}

TEST_P(ModelExchange, the_relay_switches_by_its_input) {
  auto fmu = open("relay");
  fmu->start({0.0, 10.0});
  Exchange exchange(*fmu, 0, 2);
  exchange.inputs = [](Fmu& one, double t) { one.set("u", std::sin(t)); };
  exchange.begin();
  exchange.run(1.0, 0.1);
  EXPECT_EQ((*fmu)["y"], 1.0);
  exchange.run(3.3, 0.1);
  EXPECT_EQ((*fmu)["y"], 1.0) << "below the upper threshold, above the lower one";
  exchange.run(4.0, 0.1);
  EXPECT_EQ((*fmu)["y"], 0.0);
  // Every crossing of either threshold is an event, in both directions: up over low is not, it begins above.
  const double times[] = {M_PI / 6, 5 * M_PI / 6, 7 * M_PI / 6};
  ASSERT_EQ(exchange.event_times.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(exchange.event_times[static_cast<std::size_t>(i)], times[i], 1e-12);
}

TEST_P(ModelExchange, an_input_that_jumps_in_event_mode_switches_there) {
  auto fmu = open("relay");
  fmu->start();
  fmu->set("u", 0.5);
  EXPECT_EQ((*fmu)["y"], 1.0) << "reaching the threshold is enough";
  fmu->set("u", 0.0);
  EXPECT_EQ((*fmu)["y"], 0.0) << "nothing was decided yet";
  fmu->set("u", 0.5);
  Discrete told;
  fmu->update(told);
  fmu->set("u", 0.0);
  EXPECT_EQ((*fmu)["y"], 1.0) << "hysteresis";
  fmu->set("u", 0.5);
  std::vector<double> z(2);
  fmu->get_indicators(z);
  EXPECT_NE(z[0], 0.0) << "never 0, even on the threshold";
}

TEST_P(ModelExchange, a_completed_step_asks_for_an_event) {
  auto fmu = open("wrapped-angle");
  fmu->start({0.0, 10.0});
  Exchange exchange(*fmu, 1, 0);
  exchange.begin();
  exchange.run(8.0, 0.5);
  ASSERT_EQ(exchange.event_times, (std::vector<double>{3.5})) << "the first step that ends behind pi";
  EXPECT_NEAR((*fmu)["angle"], 8.0 - 2.0 * M_PI, 1e-14);
}

TEST_P(ModelExchange, a_completed_step_asks_for_the_end) {
  auto fmu = open("fuse");
  fmu->start({0.0, 10.0});
  Exchange exchange(*fmu, 1, 0);
  exchange.inputs = [](Fmu& one, double) { one.set("current", 2.0); };
  exchange.begin();
  EXPECT_FALSE(exchange.run(5.0, 0.1));
  EXPECT_NEAR(exchange.t, 0.3, 1e-12) << "4 t is more than 1";
}

TEST_P(ModelExchange, a_state_brings_back_mode_time_and_states) {
  auto fmu = open("bouncing-ball");
  fmu->start({0.0, 3.0});
  Exchange exchange(*fmu, 2, 1);
  exchange.begin();
  exchange.run(0.6, 0.1);
  void* state = nullptr;
  ASSERT_EQ(fmu->save(state), Result::ok);
  exchange.run(1.0, 0.1);
  fmu->terminate();
  ASSERT_EQ(fmu->restore(state), Result::ok);
  EXPECT_NEAR((*fmu)["h"], Ball().at(0.6).h, 1e-12);
  EXPECT_EQ(fmu->set_states({1.0, 1.0}), Result::ok) << "in Continuous-Time Mode again";
  std::vector<char> bytes;
  fmu->write(state, bytes);
  auto other = open_fmu(GetParam(), "bouncing-ball");
  void* copy = nullptr;
  ASSERT_EQ(other->read(bytes, copy), Result::ok);
  EXPECT_EQ(other->restore(copy), Result::error) << "a co-simulation has no such mode";
  other->forget(copy);
  fmu->forget(state);
}

TEST_P(ModelExchange, time_beyond_the_end_is_an_error) {
  auto fmu = open("gain");
  fmu->start({0.0, 1.0});
  Exchange exchange(*fmu, 0, 0);
  exchange.begin();
  EXPECT_EQ(fmu->set_time(1.0), Result::ok);
  EXPECT_EQ(fmu->set_time(1.1), Result::error);
}

TEST_P(ModelExchange, only_what_is_offered_can_be_instantiated) {
  EXPECT_FALSE(open("counter")->lives());
  EXPECT_TRUE(open_fmu(GetParam(), "counter")->lives());
}

}  // namespace
}  // namespace seam::fmus
