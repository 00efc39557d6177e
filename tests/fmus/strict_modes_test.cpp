// The strict FMUs with events, model exchange and signals: a lawful run leaves no line in the log, every broken rule
// one.
#include <gtest/gtest.h>

#include "fmus/exchange.hpp"
#include "fmus/strict_log.hpp"

namespace seam::fmus {
namespace {

Opening exchanged() {
  Opening opening;
  opening.interface = Opening::Interface::model_exchange;
  return opening;
}

class StrictExchange : public testing::TestWithParam<int>, protected StrictLog {
 protected:
  ~StrictExchange() override { fmu.reset(); }

  /// To Continuous-Time Mode at time 0.
  void start() {
    fmu->start({0.0, 10.0});
    Discrete told;
    fmu->update(told);
    fmu->leave_events();
  }
  void complete(double t) {
    EXPECT_EQ(fmu->set_time(t), Result::ok);
    Wish wish;
    EXPECT_EQ(fmu->complete_step(wish), Result::ok);
  }

  std::unique_ptr<Fmu> fmu = open_fmu(GetParam(), "strict-me", exchanged());
};
INSTANTIATE_TEST_SUITE_P(Fmi, StrictExchange, testing::Values(2, 3));

/// What FMI 2 alone says, and FMI 3 alone.
class StrictExchangeFmi2 : public StrictExchange {};
INSTANTIATE_TEST_SUITE_P(Fmi, StrictExchangeFmi2, testing::Values(2));
class StrictExchangeFmi3 : public StrictExchange {};
INSTANTIATE_TEST_SUITE_P(Fmi, StrictExchangeFmi3, testing::Values(3));

TEST_P(StrictExchange, a_lawful_run_with_all_kinds_of_events_leaves_no_line) {
  fmu->set("period", 0.35);
  fmu->set("kick", 0.5);
  fmu->set("limit", 0.8);
  fmu->set("steps_to_event", 7.0);
  fmu->start({0.0, 2.0});
  Exchange exchange(*fmu, 1, 1);
  exchange.inputs = [](Fmu& one, double t) { EXPECT_EQ(one.set("u", 0.2 * t), Result::ok); };
  exchange.begin();
  EXPECT_TRUE(exchange.run(2.0, 0.04));
  EXPECT_GT(exchange.event_times.size(), 8u);
  double slope = 0.0;
  EXPECT_EQ(fmu->slope("der(x)", "u", slope), Result::ok);
  EXPECT_EQ(slope, 1.0);
  EXPECT_EQ(fmu->terminate(), Result::ok);
  (*fmu)["y"];
  fmu->free();
  EXPECT_EQ(log(), "");
}

TEST_P(StrictExchange, steps_are_for_co_simulation) {
  start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::error);
  expect_line("DoStep (instance): not for model exchange");
}

TEST_P(StrictExchange, time_is_not_set_before_initialisation) {
  EXPECT_EQ(fmu->set_time(0.0), Result::error);
  expect_line("SetTime (instance): not allowed before initialisation");
}

TEST_P(StrictExchange, time_is_not_set_in_event_mode) {
  fmu->start();
  EXPECT_EQ(fmu->set_time(0.0), Result::error);
  expect_line("SetTime");
}

TEST_P(StrictExchange, states_are_not_set_in_event_mode) {
  fmu->start();
  EXPECT_EQ(fmu->set_states({1.0}), Result::error);
  expect_line("SetContinuousStates (instance): not allowed in Event Mode");
}

TEST_P(StrictExchange, event_mode_is_not_left_without_an_update) {
  fmu->start();
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("the discrete states were not updated");
}

TEST_P(StrictExchange, event_mode_is_not_left_while_the_iteration_goes_on) {
  fmu->set("period", 0.1);
  fmu->set("kick", 1.0);
  start();
  complete(0.1);
  fmu->enter_events();
  Discrete told;
  fmu->update(told);
  ASSERT_TRUE(told.again);
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("or need it again");
}

TEST_P(StrictExchange, states_that_were_reset_must_be_read) {
  fmu->set("period", 0.1);
  fmu->set("kick", 1.0);
  start();
  complete(0.1);
  fmu->enter_events();
  Discrete told;
  fmu->update(told);
  fmu->update(told);
  fmu->leave_events();
  EXPECT_EQ(fmu->set_states({1.0}), Result::error);
  expect_line("nobody has read them");
}

TEST_P(StrictExchange, a_time_event_must_not_be_passed) {
  fmu->set("period", 0.1);
  start();
  EXPECT_EQ(fmu->set_time(0.2), Result::ok) << "a trial";
  Wish wish;
  EXPECT_EQ(fmu->complete_step(wish), Result::error);
  expect_line("the time event at 0.1 s was passed");
}

TEST_P(StrictExchange, a_time_event_must_be_handled) {
  fmu->set("period", 0.1);
  start();
  complete(0.1);
  EXPECT_EQ(fmu->set_time(0.15), Result::error);
  expect_line("an event was not handled");
}

TEST_P(StrictExchange, a_state_event_must_be_handled) {
  fmu->set("limit", 2.0);
  start();
  fmu->set_time(0.1);
  fmu->set_states({3.0});
  Wish wish;
  fmu->complete_step(wish);
  EXPECT_EQ(fmu->set_time(0.2), Result::error);
  expect_line("an event was not handled");
}

TEST_P(StrictExchange, a_step_event_must_be_handled) {
  fmu->set("steps_to_event", 1.0);
  start();
  fmu->set_time(0.1);
  Wish wish;
  fmu->complete_step(wish);
  ASSERT_TRUE(wish.event_mode);
  EXPECT_EQ(fmu->complete_step(wish), Result::error);
  expect_line("an event was not handled");
}

TEST_P(StrictExchange, a_wish_to_end_must_be_heard) {
  fmu->set("terminate_at", 0.0);
  fmu->start();
  Discrete told;
  fmu->update(told);
  ASSERT_TRUE(told.ends);
  EXPECT_EQ(fmu->leave_events(), Result::error);
  expect_line("had asked for the end of the run");
}

TEST_P(StrictExchange, time_goes_back_to_the_last_but_one_completed_step_and_no_further) {
  start();
  complete(0.1);
  complete(0.2);
  complete(0.3);
  EXPECT_EQ(fmu->set_time(0.2), Result::ok);
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->set_time(0.15), Result::error);
  expect_line("back to 0.15 s, behind 0.2");
}

TEST_P(StrictExchange, time_does_not_go_back_behind_an_event) {
  start();
  complete(0.1);
  fmu->enter_events();
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  EXPECT_EQ(fmu->set_time(0.05), Result::error);
  expect_line("back to 0.05 s, behind 0.1");
}

TEST_P(StrictExchange, time_does_not_pass_the_stop_time) {
  start();
  EXPECT_EQ(fmu->set_time(10.5), Result::error);
  expect_line("after the stop time");
}

TEST_P(StrictExchange, discrete_inputs_are_set_in_event_mode_alone) {
  fmu->start();
  EXPECT_EQ(fmu->set("d", 2.0), Result::ok);
  EXPECT_EQ((*fmu)["d_out"], 2.0);
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->set("d", 3.0), Result::error);
  expect_line("\"d\" must not be set in Continuous-Time Mode");
}

TEST_P(StrictExchange, parameters_are_tuned_in_event_mode_alone) {
  fmu->start();
  EXPECT_EQ(fmu->set("k", 2.0), Result::ok);
  Discrete told;
  fmu->update(told);
  fmu->leave_events();
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->set("k", 3.0), Result::error);
  expect_line("\"k\" must not be set in Continuous-Time Mode");
}

TEST_P(StrictExchange, terminate_comes_before_the_end) {
  start();
  fmu->free();
  expect_line("Terminate was not called before");
}

TEST_P(StrictExchange, a_restored_state_brings_back_what_must_be_done) {
  fmu->set("steps_to_event", 1.0);
  start();
  fmu->set_time(0.1);
  Wish wish;
  fmu->complete_step(wish);
  void* state = nullptr;
  fmu->save(state);
  fmu->enter_events();
  fmu->restore(state);
  fmu->forget(state);
  EXPECT_EQ(fmu->set_time(0.2), Result::error);
  expect_line("an event was not handled");
}

TEST_P(StrictExchange, a_tolerance_is_the_affair_of_the_environment) {
  fmu->start({0.0, 1.0, 1e-6});
  EXPECT_EQ(log(), "");
}

TEST_P(StrictExchange, an_fmu_for_model_exchange_alone_is_no_co_simulation) {
  EXPECT_FALSE(open_fmu(GetParam(), "strict-me")->lives());
  expect_line("this is a model exchange FMU");
}

// FMI 3 grants reading everything in Initialization Mode.
TEST_P(StrictExchangeFmi2, only_outputs_and_initial_unknowns_are_read_in_initialization_mode) {
  fmu->setup({0.0, 1.0});
  fmu->enter();
  (*fmu)["y"];
  (*fmu)["der(x)"];
  EXPECT_EQ(log(), "");
  double value = 0.0;
  EXPECT_EQ(fmu->get("k", value), Result::error);
  expect_line("\"k\" is neither an output nor an initial unknown");
}

// FMI 2 allows it.
TEST_P(StrictExchangeFmi3, event_mode_is_not_entered_from_event_mode) {
  fmu->start();
  EXPECT_EQ(fmu->enter_events(), Result::error);
  expect_line("EnterEventMode (instance): not allowed in Event Mode");
}

TEST(StrictStair, without_continuous_variables_fmi2_may_set_the_time_in_event_mode) {
  struct Log : StrictLog {
    using StrictLog::expect_line;
    using StrictLog::log;
  } log;
  auto fmu = open_fmu(2, "strict-stair", exchanged());
  fmu->start({0.0, 5.0});
  Discrete told;
  fmu->update(told);
  EXPECT_EQ(fmu->set_time(*told.next_event), Result::ok);
  EXPECT_EQ(fmu->enter_events(), Result::ok);
  EXPECT_EQ((*fmu)["y"], 1.0);
  EXPECT_EQ(log.log(), "");
  EXPECT_EQ(fmu->set_time(2.0), Result::error);
  log.expect_line("the discrete states were not updated");
}

/// FMI 3 with event mode.
class StrictEvents : public testing::Test, protected StrictLog {
 protected:
  ~StrictEvents() override { fmu.reset(); }

  void open(const std::string& name = "strict-events") {
    Opening opening;
    opening.event_mode = opening.early_return = true;
    fmu = open_fmu(3, name, opening);
  }
  void handle() {
    Discrete told;
    do {
      EXPECT_EQ(fmu->update(told), Result::ok);
    } while (told.again);
    EXPECT_EQ(fmu->leave_events(), Result::ok);
  }

  std::unique_ptr<Fmu> fmu;
};

TEST_F(StrictEvents, a_lawful_run_leaves_no_line) {
  open();
  fmu->set("period", 0.35);
  fmu->set("kick", 0.5);
  fmu->set("limit", 0.8);
  fmu->start({0.0, 2.0});
  handle();
  int events = 0;
  for (int n = 0; n < 20; ++n) {
    double t = n * 0.1;
    EXPECT_EQ(fmu->set("u", 0.2 * t), Result::ok);
    for (const double end = n == 19 ? 2.0 : (n + 1) * 0.1; t < end;) {
      ASSERT_EQ(fmu->step(t, end - t), Result::ok) << log();
      t = fmu->returned_early() ? fmu->last_time() : end;
      (*fmu)["y"];
      if (!fmu->wants_events()) continue;
      ++events;
      EXPECT_EQ(fmu->enter_events(), Result::ok);
      EXPECT_EQ(fmu->set("d", t), Result::ok);
      EXPECT_EQ((*fmu)["d_out"], t);
      handle();
    }
  }
  EXPECT_GE(events, 6);
  EXPECT_EQ(fmu->terminate(), Result::ok);
  fmu->free();
  EXPECT_EQ(log(), "");
}

TEST_F(StrictEvents, steps_need_step_mode) {
  open();
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::error);
  expect_line("DoStep (instance): not allowed in Event Mode");
}

TEST_F(StrictEvents, an_event_must_be_handled_before_the_next_step) {
  open();
  fmu->set("period", 0.1);
  fmu->start();
  handle();
  fmu->step(0.0, 0.2);
  ASSERT_TRUE(fmu->wants_events());
  EXPECT_EQ(fmu->step(0.1, 0.1), Result::error);
  expect_line("an event was not handled");
}

TEST_F(StrictEvents, without_early_return_a_time_event_is_not_passed) {
  Opening opening;
  opening.event_mode = true;
  fmu = open_fmu(3, "strict-events", opening);
  fmu->set("period", 0.1);
  fmu->start();
  handle();
  EXPECT_EQ(fmu->step(0.0, 0.2), Result::error);
  expect_line("the time event at 0.1 s would be passed");
}

TEST_F(StrictEvents, discrete_inputs_change_in_event_mode) {
  open();
  fmu->start();
  handle();
  EXPECT_EQ(fmu->set("d", 0.0), Result::ok) << "no change";
  EXPECT_EQ(fmu->choose("mode", 1), Result::error) << "it is no Int64";
  fmu->reset();
  fmu->start();
  handle();
  EXPECT_EQ(fmu->set("d", 1.0), Result::error);
  EXPECT_NE(log().find("\"d\" is discrete and changes outside of Event Mode"), std::string::npos) << log();
}

TEST_F(StrictEvents, continuous_states_are_for_model_exchange) {
  open();
  fmu->start();
  std::vector<double> x(1);
  EXPECT_EQ(fmu->get_states(x), Result::error);
  expect_line("GetContinuousStates (instance): not for co-simulation");
}

TEST_F(StrictEvents, event_mode_must_have_been_agreed_on) {
  fmu = open_fmu(3, "strict-events");
  fmu->start();
  EXPECT_EQ(fmu->enter_events(), Result::error);
  expect_line("made without event mode");
}

TEST_F(StrictEvents, event_mode_must_be_offered) {
  open("strict");
  EXPECT_FALSE(fmu->lives());
  expect_line("this FMU has no event mode");
}

/// FMI 3 with intermediate updates that do one thing.
class StrictSignal : public testing::Test, protected StrictLog {
 protected:
  ~StrictSignal() override { fmu.reset(); }

  Result step(std::function<void(Fmu&, const Update&)> update, std::vector<std::string> announced = {"u", "y"}) {
    Opening opening;
    opening.intermediate = std::move(announced);
    opening.update = std::move(update);
    fmu = open_fmu(3, "strict-signal", opening);
    if (!fmu->lives()) return Result::fatal;
    fmu->start();
    return fmu->step(0.0, 0.1);
  }

  std::unique_ptr<Fmu> fmu;
};

TEST_F(StrictSignal, a_lawful_update_leaves_no_line) {
  const auto update = [](Fmu& one, const Update& at) {
    if (at.get_allowed) one["y"];
    if (at.set_requested) one.set("u", at.time);
  };
  EXPECT_EQ(step(update), Result::ok);
  EXPECT_EQ(log(), "");
}

TEST_F(StrictSignal, gets_come_before_sets) {
  const auto update = [](Fmu& one, const Update& at) {
    one.set("u", at.time);
    double y = 0.0;
    if (at.get_allowed) one.get("y", y);
  };
  EXPECT_EQ(step(update), Result::error);
  expect_line("\"y\" inside an intermediate update after a Set there");
}

TEST_F(StrictSignal, nothing_is_read_from_tentative_states) {
  const auto update = [](Fmu& one, const Update& at) {
    double y = 0.0;
    if (!at.get_allowed) one.get("y", y);
  };
  EXPECT_EQ(step(update), Result::error);
  expect_line("with tentative states");
}

TEST_F(StrictSignal, only_what_was_announced_is_read) {
  const auto update = [](Fmu& one, const Update&) {
    double y = 0.0;
    one.get("y", y);
  };
  EXPECT_EQ(step(update, {"u"}), Result::error);
  expect_line("\"y\" inside an intermediate update without having announced it");
}

TEST_F(StrictSignal, only_what_was_announced_is_set) {
  const auto update = [](Fmu& one, const Update&) { one.set("u", 1.0); };
  EXPECT_EQ(step(update, {"y"}), Result::error);
  expect_line("\"u\" must not be set inside an intermediate update");
}

TEST_F(StrictSignal, parameters_are_not_set_inside) {
  const auto update = [](Fmu& one, const Update&) { one.set("k", 1.0); };
  EXPECT_EQ(step(update), Result::error);
  expect_line("\"k\" must not be set inside an intermediate update");
}

TEST_F(StrictSignal, no_other_function_is_called_inside) {
  const auto update = [](Fmu& one, const Update&) { one.terminate(); };
  EXPECT_EQ(step(update), Result::error);
  expect_line("Terminate (instance): not allowed inside an intermediate update");
}

TEST_F(StrictSignal, only_signals_are_announced) {
  EXPECT_EQ(step([](Fmu&, const Update&) {}, {"k"}), Result::fatal);
  expect_line("no intermediate update of all these variables");
}

TEST_F(StrictSignal, announcing_needs_a_callback) {
  EXPECT_EQ(step(nullptr), Result::fatal);
  expect_line("no intermediate update of all these variables");
}

TEST_F(StrictSignal, derivatives_are_set_like_inputs_and_end_the_reading) {
  fmu = open_fmu(2, "strict-signal");
  EXPECT_EQ(fmu->set_derivative("u", 1, 1.0), Result::ok);
  fmu->start();
  EXPECT_EQ(fmu->set_derivative("u", 2, 1.0), Result::ok);
  EXPECT_EQ(log(), "");
  double y = 0.0;
  EXPECT_EQ(fmu->get("y", y), Result::error);
  expect_line("after a Set and before the next DoStep");
}

TEST_F(StrictSignal, derivatives_need_an_fmu_that_follows_them) {
  fmu = open_fmu(2, "strict");
  fmu->start();
  EXPECT_EQ(fmu->set_derivative("u", 1, 1.0), Result::error);
  expect_line("fmi2SetRealInputDerivatives");
}

}  // namespace
}  // namespace seam::fmus
