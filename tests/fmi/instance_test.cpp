// Instances of both versions: the life the standard prescribes. Values, states, derivatives and logging have files of
// their own.
#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

using base::Outcome;

TYPED_TEST_SUITE(Instances, Versions);

TYPED_TEST(Instances, life_goes_from_instantiated_to_stepping_to_terminated) {
  this->make("strict");
  EXPECT_EQ(this->instance_->mode(), Mode::instantiated);
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  EXPECT_EQ(this->instance_->mode(), Mode::initialising);
  this->instance_->exit_initialisation();
  EXPECT_EQ(this->instance_->mode(), Mode::stepping);
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, Outcome::accepted);
  this->instance_->terminate();
  EXPECT_EQ(this->instance_->mode(), Mode::terminated);
  this->instance_->terminate();  // once is enough
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, destruction_is_legal_in_every_phase) {
  this->make("strict");
  this->instance_.reset();
  this->make("strict");
  this->instance_->enter_initialisation({0.0, 1.0, std::nullopt});
  this->instance_.reset();
  this->begin("strict");
  this->instance_.reset();
  this->begin("strict");
  this->instance_->do_step(0.0, 0.5);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

// The oracle of all strict tests: it does see what is forbidden.
TYPED_TEST(Instances, strict_fmu_writes_down_an_illegal_call) {
  this->begin("strict");
  const std::string said = failure_of([&] { this->instance_->do_step(5.0, 0.5); });
  EXPECT_NE(said.find("DoStep (step 5 s -> 5.5 s)"), std::string::npos) << said;
  EXPECT_EQ(this->instance_->mode(), Mode::error);
  EXPECT_TRUE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, identity_names_instance_file_version_and_tool) {
  this->make("gain");
  EXPECT_EQ(this->instance_->identity(), "it (gain.fmu, FMI " + std::to_string(this->version) + ".0, seam)");
}

TYPED_TEST(Instances, discarded_step_is_rejected_where_it_stopped) {
  this->make("strict");
  this->set_real("discard_at", 0.25);
  this->instance_->enter_initialisation({0.0, 10.0, std::nullopt});
  this->instance_->exit_initialisation();
  const StepResult result = this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(result.outcome, Outcome::rejected);
  EXPECT_EQ(result.reached, this->version == 2 ? 0.25 : 0.0);
  EXPECT_NE(this->instance_->messages().last().find("the step passes discard_at"), std::string::npos);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, wish_to_end_is_an_outcome_and_no_error) {
  this->make("strict");
  this->set_real("terminate_at", 0.25);
  this->instance_->enter_initialisation({0.0, 10.0, std::nullopt});
  this->instance_->exit_initialisation();
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, Outcome::ended);
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

TYPED_TEST(Instances, after_an_error_it_is_freed_and_after_a_fatal_error_it_is_left_alone) {
  this->begin("bad-error");
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }).find("the step could not be computed"),
            std::string::npos);
  EXPECT_EQ(this->instance_->mode(), Mode::error);
  const MayLeak leak;
  this->begin("bad-fatal");
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }).find("broke down in"), std::string::npos);
  EXPECT_EQ(this->instance_->mode(), Mode::fatal);
}

TYPED_TEST(Instances, tolerance_is_given_only_if_there_is_one) {
  this->make("strict");
  this->set_real("expected_tolerance", 1e-4);
  this->instance_->enter_initialisation({0.0, 1.0, 1e-4});
  this->instance_.reset();
  EXPECT_FALSE(this->saw_illegal_calls());
}

}  // namespace
}  // namespace seam::fmi
