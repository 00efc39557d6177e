// Model exchange between events: accuracy, inputs, states, snapshots.
#include "seam/fmi/model_exchange/model_exchange.hpp"

#include <cmath>

#include "fmi/exchanged_fmu.hpp"

namespace seam::fmi {
namespace {

INSTANTIATE_TEST_SUITE_P(Fmi, Exchanged, ::testing::Values(2, 3));

TEST_P(Exchanged, abilities_are_those_of_equations) {
  make();
  const auto can = subsystem_->capabilities();
  EXPECT_TRUE(can.takes_polynomials);
  EXPECT_TRUE(can.can_evaluate);
  EXPECT_TRUE(can.can_shorten);
  EXPECT_TRUE(subsystem_->facets().persistence);
  EXPECT_FALSE(can.affine);
  EXPECT_FALSE(subsystem_->shows_states()) << "there are discrete states";
  make("it", completes_steps());
  EXPECT_FALSE(subsystem_->facets().persistence);
}

TEST_P(Exchanged, outputs_before_the_first_step_are_those_of_the_start) {
  make();
  input_ = 0.25;
  begin();
  EXPECT_EQ(height(), 1.0);
  EXPECT_EQ(y(), 1.25);
}

TEST_P(Exchanged, decays_as_the_exponential) {
  make();
  begin();
  run_to(0.4);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
  EXPECT_NEAR(height(), 1.0 - 0.5 * 9.81 * 0.16, 1e-6);
}

TEST_P(Exchanged, one_long_step_is_as_good_as_many) {
  make();
  begin();
  ASSERT_EQ(step(0.0, 0.4), Outcome::accepted);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
}

// x' = u - x with u = a + b t + c t^2: x = p0 + p1 t + c t^2 + (1 - p0) exp(-t), p1 = b - 2c, p0 = a - p1.
TEST_P(Exchanged, input_is_followed_inside_the_step) {
  make();
  begin();
  const std::vector<double> coefficients{0.1, 0.2, 0.4};  // in theta = t / 0.4
  ASSERT_EQ(step_.advance({0.0, 0.4, Sources::live}, {coefficients.data(), 2, 1}, outputs_), Outcome::accepted);
  const double b = 0.2 / 0.4, c = 0.4 / 0.16, p1 = b - 2 * c, p0 = 0.1 - p1;
  const double x = p0 + p1 * 0.4 + c * 0.16 + (1.0 - p0) * std::exp(-0.4);
  EXPECT_NEAR(y(), x + 0.7, 1e-6) << "the output sees the input at the end of the step";
}

TEST_P(Exchanged, directional_derivatives_give_the_same_solution) {
  make("it", completes_steps() + gives_derivatives());
  begin();
  run_to(0.4);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
  const auto model = assembly::linearised(*subsystem_, 0.4, {&input_, 1});
  ASSERT_TRUE(model);
  lti::Matrix A(3, 3);
  A << -1, 0, 0, 0, 0, 1, 0, 0, 0;
  EXPECT_EQ(model->matrices.A, A);
  EXPECT_EQ(model->matrices.B(0, 0), 1.0);
  EXPECT_EQ(model->matrices.C(1, 0), 1.0);
  EXPECT_EQ(model->matrices.D(1, 0), 1.0);
}

TEST_P(Exchanged, fresh_outputs_see_the_new_input_and_change_nothing) {
  make();
  begin();
  run_to(0.1);
  const double before = y(), new_input = 0.4;
  std::vector<double> fresh(2);
  subsystem_->evaluate(0.1, Sources::live, {&new_input, 1}, fresh);
  EXPECT_NEAR(fresh[1], before + 0.4, 1e-14);
  ASSERT_EQ(step(0.1, 0.1), Outcome::accepted);
  EXPECT_NEAR(y(), std::exp(-0.2), 1e-7);
}

TEST_P(Exchanged, states_are_named_and_can_be_written) {
  make();
  begin();
  const auto names = subsystem_->state_names();
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.end()), (std::vector<std::string>{"x", "h", "v"}));
  subsystem_->states()[0] = 2.0;
  ASSERT_EQ(step(0.0, 0.1), Outcome::accepted);
  EXPECT_NEAR(y(), 2.0 * std::exp(-0.1), 1e-7);
}

TEST_P(Exchanged, restored_snapshot_repeats_to_the_bit) {
  make();
  begin();
  run_to(0.44);
  const assembly::Snapshot snapshot = subsystem_->save();
  ASSERT_EQ(step(0.44, 0.1), Outcome::accepted);
  const std::vector<double> once = outputs_;
  const auto counted = count();
  subsystem_->restore(snapshot);
  ASSERT_EQ(step(0.44, 0.1), Outcome::accepted);
  EXPECT_EQ(outputs_, once);
  EXPECT_EQ(count(), counted);
}

TEST_P(Exchanged, another_instance_goes_on_from_a_serialised_state) {
  make();
  begin();
  run_to(0.44);
  const std::string state = subsystem_->facets().persistence->serialise();
  ASSERT_EQ(step(0.44, 0.1), Outcome::accepted);
  const std::vector<double> once = outputs_;
  make();
  subsystem_->facets().persistence->resume(0.44, state);
  ASSERT_EQ(step(0.44, 0.1), Outcome::accepted);
  EXPECT_EQ(outputs_, once);
  EXPECT_EQ(count(), 2);
}

TEST_P(Exchanged, without_a_state_that_can_be_saved_there_is_no_snapshot) {
  make("it", completes_steps());
  begin();
  EXPECT_NE(failure_of([&] { subsystem_->save(); }).find("saved states"), std::string::npos);
}

TEST_P(Exchanged, where_it_refuses_to_be_evaluated_shorter_steps_are_taken) {
  make("impatient");
  begin();
  ASSERT_EQ(step(0.0, 0.4), Outcome::accepted);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
}

TEST_P(Exchanged, nominals_that_are_none_count_as_one) {
  make("odd-nominals");
  begin();
  run_to(0.4);
  EXPECT_NEAR(y(), std::exp(-0.4), 1e-7);
}

TEST_P(Exchanged, a_tighter_tolerance_costs_more_steps_and_is_nearer) {
  const auto error = [&](double tolerance) {
    FmuSetup wanted = setup("it", completes_steps());
    wanted.experiment.tolerance = tolerance;
    subsystem_ = make_model_exchange(std::move(wanted));
    step_ = subsystem_->prepare({0.4});
    begin();
    EXPECT_EQ(step(0.0, 0.4), Outcome::accepted);
    return std::abs(y() - std::exp(-0.4));
  };
  const double loose = error(1e-3), tight = error(1e-9);
  EXPECT_LT(tight, 0.1 * loose);
  EXPECT_LT(tight, 1e-7);
}

TEST_P(Exchanged, remark_says_what_it_took) {
  make();
  begin();
  run_to(0.5);
  EXPECT_NE(remark().find("integrator steps"), std::string::npos) << remark();
  EXPECT_NE(remark().find("2 by time"), std::string::npos) << remark();
}

}  // namespace
}  // namespace seam::fmi
