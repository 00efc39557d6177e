// The strict FMUs: a lawful life leaves no line in the log, and everything else leaves one and is an error.
#include <gtest/gtest.h>

#include <cstdlib>

#include "fmus/fmu.hpp"
#include "fmus/strict_log.hpp"

namespace seam::fmus {
namespace {

class Strict : public testing::TestWithParam<int>, protected StrictLog {
 protected:
  ~Strict() override { fmu.reset(); }

  std::unique_ptr<Fmu> fmu = open_fmu(GetParam(), "strict");
};
INSTANTIATE_TEST_SUITE_P(Fmi, Strict, testing::Values(2, 3));

/// Rules that only FMI 2 has.
class StrictFmi2 : public Strict {};
INSTANTIATE_TEST_SUITE_P(Fmi, StrictFmi2, testing::Values(2));

TEST_P(Strict, a_lawful_life_leaves_no_line) {
  ASSERT_TRUE(fmu->lives()) << log();
  EXPECT_EQ(fmu->set("k", 2.0), Result::ok);
  EXPECT_EQ(fmu->setup({0.5, 1.0}), Result::ok);
  EXPECT_EQ(fmu->enter(), Result::ok);
  EXPECT_EQ(fmu->set("u", 3.0), Result::ok);
  EXPECT_EQ((*fmu)["z"], 4.0);
  EXPECT_EQ(fmu->leave(), Result::ok);
  void* state = nullptr;
  EXPECT_EQ(fmu->save(state), Result::ok);
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(fmu->set("u", 1.0 + n), Result::ok);
    EXPECT_EQ(fmu->step(0.5 + n * 0.1, 0.1), Result::ok);
    (*fmu)["y"];
  }
  double slope = 0.0;
  EXPECT_EQ(fmu->slope("z", "u", slope), Result::ok);
  EXPECT_EQ(slope, 1.0);
  EXPECT_EQ(fmu->restore(state), Result::ok);
  EXPECT_EQ(fmu->step(0.5, 0.25), Result::ok) << "the time goes back with the state";
  std::vector<char> bytes;
  void* copy = nullptr;
  EXPECT_EQ(fmu->write(state, bytes), Result::ok);
  EXPECT_EQ(fmu->read(bytes, copy), Result::ok);
  EXPECT_EQ(fmu->restore(copy), Result::ok);
  EXPECT_EQ(fmu->forget(copy), Result::ok);
  EXPECT_EQ(fmu->forget(state), Result::ok);
  EXPECT_EQ(fmu->terminate(), Result::ok);
  EXPECT_EQ((*fmu)["c"], 3.0);
  EXPECT_EQ(fmu->reset(), Result::ok);
  fmu->start();
  EXPECT_EQ(fmu->terminate(), Result::ok);
  fmu->free();
  EXPECT_EQ(log(), "");
}

TEST_P(Strict, a_step_before_initialisation_is_forbidden) {
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::error);
  expect_line("DoStep (instance): not allowed before initialisation");
}

TEST_P(Strict, leaving_what_was_not_entered_is_forbidden) {
  EXPECT_EQ(fmu->leave(), Result::error);
  expect_line("ExitInitializationMode (instance): not allowed before initialisation");
}

TEST_P(Strict, getting_after_setting_and_before_a_step_is_forbidden) {
  fmu->start();
  fmu->set("u", 1.0);
  double value = 0.0;
  EXPECT_EQ(fmu->get("y", value), Result::error);
  expect_line("after a Set and before the next DoStep");
}

TEST_P(Strict, a_step_must_begin_where_the_last_one_ended) {
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  EXPECT_EQ(fmu->step(0.2, 0.1), Result::error);
  expect_line("begins at 0.2 s");
}

TEST_P(Strict, a_step_must_not_end_after_the_stop_time) {
  fmu->start({0.0, 0.15});
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  EXPECT_EQ(fmu->step(0.1, 0.1), Result::error);
  expect_line("after the stop time");
}

TEST_P(Strict, a_step_of_no_length_is_forbidden) {
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.0), Result::error);
  expect_line("more than 0");
}

TEST_P(Strict, constants_outputs_and_fixed_parameters_are_not_set) {
  EXPECT_EQ(fmu->set("c", 4.0), Result::error);
  expect_line("\"c\" must not be set before initialisation");
  fmu->reset();
  fmu->start();
  EXPECT_EQ(fmu->set("x0", 4.0), Result::error);
  EXPECT_NE(log().find("\"x0\" must not be set between steps"), std::string::npos);
}

TEST_P(Strict, only_fmi3_takes_inputs_before_initialisation) {
  if (GetParam() == 3) {
    EXPECT_EQ(fmu->set("u", 1.0), Result::ok);
    EXPECT_EQ(log(), "");
  } else {
    EXPECT_EQ(fmu->set("u", 1.0), Result::error);
    expect_line("\"u\" must not be set before initialisation");
  }
}

TEST_P(Strict, a_tolerance_that_nobody_gave_is_forbidden) {
  fmu->setup({0.0, 1.0, 1e-6});
  if (GetParam() == 3) fmu->enter();
  expect_line("a tolerance nobody gave");
}

TEST_P(Strict, an_expected_tolerance_is_taken) {
  fmu->set("expected_tolerance", 1e-6);
  fmu->start({0.0, 1.0, 1e-6});
  EXPECT_EQ(log(), "");
}

TEST_P(Strict, after_an_error_steps_are_forbidden) {
  fmu->start();
  fmu->step(5.0, 0.1);
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::error);
  EXPECT_NE(log().find("not allowed after an error"), std::string::npos);
  EXPECT_EQ(fmu->reset(), Result::ok);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
}

TEST_P(Strict, a_state_freed_twice_is_found) {
  fmu->start();
  void* state = nullptr;
  fmu->save(state);
  void* again = state;
  EXPECT_EQ(fmu->forget(state), Result::ok);
  EXPECT_EQ(fmu->forget(again), Result::error);
  expect_line("this state does not exist");
}

TEST_P(Strict, a_state_of_another_instance_is_found) {
  auto other = open_fmu(GetParam(), "strict");
  void* state = nullptr;
  EXPECT_EQ(other->save(state), Result::ok);
  EXPECT_EQ(fmu->restore(state), Result::error);
  expect_line("this state is that of another instance");
  other->forget(state);
}

TEST_P(Strict, a_state_that_outlives_its_instance_is_found) {
  void* state = nullptr;
  fmu->save(state);
  fmu->free();
  expect_line("a saved state was not freed before");
}

TEST_P(Strict, an_instance_freed_without_terminate_is_found) {
  fmu->start();
  fmu->free();
  expect_line("Terminate was not called before");
}

TEST_P(Strict, an_instance_that_is_never_freed_is_found_when_the_process_ends) {
  fmu.reset();
  const auto forget_and_exit = [&] {
    static Fmu* forgotten = nullptr;
    forgotten = open_fmu(GetParam(), "strict").release();
    std::exit(forgotten->lives() ? 0 : 1);
  };
  EXPECT_EXIT(forget_and_exit(), testing::ExitedWithCode(0), "");
  expect_line("the instance was never freed");
}

// FMI 3 hands it over in the same call.
TEST_P(StrictFmi2, initialising_without_an_experiment_is_forbidden) {
  EXPECT_EQ(fmu->enter(), Result::error);
  expect_line("fmi2SetupExperiment was not called before");
}

TEST_P(Strict, a_reference_of_another_type_is_found) {
  fmu->start();
  const auto type = GetParam() == 2 ? "fmi2GetInteger" : "fmi3GetInt32";
  int value = 0;
  EXPECT_EQ(fmu->get_int("z", value), Result::error);
  expect_line(std::string(type) + " (instance): no variable of this type");
}

TEST_P(Strict, an_enumeration_takes_only_its_items) {
  fmu->start();
  EXPECT_EQ(fmu->choose("enumeration_in", 3), Result::ok);
  EXPECT_EQ(fmu->choose("enumeration_in", 4), Result::error);
  expect_line("\"enumeration_in\" cannot be 4");
}

TEST_P(Strict, a_discarded_step_can_be_tried_again_in_smaller_ones) {
  fmu->set("discard_at", 0.15);
  fmu->set("discard_limit", 0.06);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  void* state = nullptr;
  fmu->save(state);
  EXPECT_EQ(fmu->step(0.1, 0.1), Result::discard);
  if (GetParam() == 2) {
    EXPECT_EQ(fmu->last_time(), 0.15);
    EXPECT_FALSE(fmu->wants_end());
    EXPECT_EQ(fmu->restore(state), Result::ok);
  }
  EXPECT_EQ(fmu->step(0.1, 0.05), Result::ok);
  EXPECT_EQ(fmu->step(0.15, 0.05), Result::ok);
  fmu->forget(state);
  fmu->terminate();
  EXPECT_EQ(log(), "");
}

// FMI 3 allows it.
TEST_P(StrictFmi2, going_on_after_a_discarded_step_is_forbidden) {
  fmu->set("discard_at", 0.05);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::discard);
  EXPECT_EQ(fmu->step(0.05, 0.05), Result::error);
  expect_line("not allowed after a discarded step");
}

TEST_P(Strict, it_asks_for_the_end_where_it_is_told_to) {
  fmu->set("terminate_at", 0.15);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
  EXPECT_EQ(fmu->step(0.1, 0.1), GetParam() == 2 ? Result::discard : Result::ok);
  EXPECT_TRUE(fmu->wants_end());
  EXPECT_EQ(fmu->last_time(), GetParam() == 2 ? 0.15 : 0.2);
  EXPECT_EQ(log(), "");
  EXPECT_EQ(fmu->step(fmu->last_time(), 0.1), Result::error);
  EXPECT_NE(log(), "");
}

}  // namespace
}  // namespace seam::fmus
