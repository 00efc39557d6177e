// Saved states: there and back, as bytes, and freed in the order the standard wants.
#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

template <class Chosen>
class InstanceStates : public Instances<Chosen> {
 protected:
  /// One step under another input; where it leads.
  double step_from(double t) {
    this->set_real("u", -2.0);
    this->instance_->do_step(t, 0.1);
    return this->real("y");
  }
};
TYPED_TEST_SUITE(InstanceStates, Versions);

TYPED_TEST(InstanceStates, restored_state_goes_the_same_way_again_to_the_bit) {
  this->begin("strict");
  this->set_real("u", 3.0);
  this->instance_->do_step(0.0, 0.1);
  void* const state = this->instance_->save_state();
  const double once = this->step_from(0.1);
  this->instance_->restore_state(state);
  EXPECT_EQ(this->step_from(0.1), once);
  EXPECT_NE(once, 1.0);
  this->instance_->free_state(state);
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceStates, bytes_bring_another_instance_to_the_same_place) {
  this->begin("strict");
  this->set_real("u", 3.0);
  this->instance_->do_step(0.0, 0.1);
  void* const state = this->instance_->save_state();
  const std::vector<std::byte> bytes = this->instance_->serialise(state);
  const double once = this->step_from(0.1);
  this->make("strict");
  EXPECT_EQ(this->instance_->mode(), Mode::instantiated);
  this->instance_->restore_state(this->instance_->deserialise(bytes));
  EXPECT_EQ(this->instance_->mode(), Mode::stepping);
  EXPECT_EQ(this->step_from(0.1), once);
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceStates, bytes_that_are_no_serialised_state_are_refused) {
  this->begin("gain");
  EXPECT_NE(failure_of([&] { this->instance_->deserialise({}); }).find("they are no serialised state"),
            std::string::npos);
  const std::vector<std::byte> strange(20, std::byte{0xff});
  EXPECT_NE(failure_of([&] { this->instance_->deserialise(strange); }).find("they are no serialised state"),
            std::string::npos);
  const std::vector<std::byte> cut(20, std::byte{2});
  EXPECT_NE(failure_of([&] { this->instance_->deserialise(cut); }).find("not the bytes of a state"), std::string::npos);
}

TYPED_TEST(InstanceStates, state_brings_its_phase_back) {
  this->make("strict");
  this->instance_->enter_initialisation({0.0, 10.0, std::nullopt});
  void* const state = this->instance_->save_state();
  this->instance_->exit_initialisation();
  this->instance_->do_step(0.0, 0.1);
  this->instance_->restore_state(state);
  EXPECT_EQ(this->instance_->mode(), Mode::initialising);
  this->instance_->exit_initialisation();
  this->instance_->do_step(0.0, 0.1);
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceStates, states_nobody_freed_are_freed_before_the_instance) {
  this->begin("strict", this->listening());
  this->instance_->save_state();
  this->instance_->save_state();
  this->calls_.clear();
  this->instance_.reset();
  EXPECT_EQ(this->calls_, (std::vector<std::string>{"it " + this->function("Terminate") + "() -> OK",
                                                    "it " + this->state_function("FreeFMU") + "(state=2) -> OK",
                                                    "it " + this->state_function("FreeFMU") + "(state=1) -> OK",
                                                    "it " + this->function("FreeInstance") + "()"}));
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceStates, after_an_error_states_and_instance_are_freed_without_terminating) {
  this->begin("strict", this->listening());
  this->instance_->save_state();
  EXPECT_NE(failure_of([&] { this->instance_->do_step(5.0, 0.5); }), "");
  const std::string before = this->illegal_calls();
  this->calls_.clear();
  this->instance_.reset();
  EXPECT_EQ(this->calls_, (std::vector<std::string>{"it " + this->state_function("FreeFMU") + "(state=1) -> OK",
                                                    "it " + this->function("FreeInstance") + "()"}));
  EXPECT_EQ(this->illegal_calls(), before);
}

// FMI 2.0.5, 2.1.3 and FMI 3.0.2, 2.2.3: a state saved before an error may be restored after it.
TYPED_TEST(InstanceStates, state_restored_after_an_error_revives_the_instance) {
  this->begin("strict");
  void* const state = this->instance_->save_state();
  EXPECT_NE(failure_of([&] { this->instance_->do_step(5.0, 0.5); }), "");
  EXPECT_EQ(this->instance_->mode(), Mode::error);
  const std::string before = this->illegal_calls();
  this->instance_->restore_state(state);
  EXPECT_EQ(this->instance_->mode(), Mode::stepping);
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, base::Outcome::accepted);
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), before);
}

TYPED_TEST(InstanceStates, after_a_fatal_error_nothing_is_called_not_even_for_other_instances_of_the_library) {
  const MayLeak leak;
  this->begin("bad-fatal", this->listening());
  auto other = std::make_unique<TypeParam>("other", *this->fmu_, this->unpack(*this->fmu_), this->listening());
  other->enter_initialisation({0.0, 10.0, std::nullopt});
  other->exit_initialisation();
  void* const state = other->save_state();
  EXPECT_NE(failure_of([&] { this->instance_->do_step(0.0, 1.0); }).find("broke down in"), std::string::npos);
  this->calls_.clear();
  other->terminate();
  other->free_state(state);
  other.reset();
  this->instance_.reset();
  EXPECT_TRUE(this->calls_.empty()) << this->calls_.front();
}

TYPED_TEST(InstanceStates, freed_state_cannot_be_restored) {
  this->begin("strict");
  void* const state = this->instance_->save_state();
  this->instance_->free_state(state);
  EXPECT_NE(failure_of([&] { this->instance_->restore_state(state); }).find("was freed"), std::string::npos);
  this->instance_.reset();
  EXPECT_EQ(this->illegal_calls(), "");
}

TYPED_TEST(InstanceStates, fmu_that_cannot_save_says_so) {
  this->begin("two-mass-left-poor");
  EXPECT_NE(failure_of([&] { this->instance_->save_state(); }).find("offers no saved states"), std::string::npos);
  EXPECT_NE(failure_of([&] { this->instance_->deserialise(std::vector<std::byte>(2)); }).find("offers no serialised"),
            std::string::npos);
}

TYPED_TEST(InstanceStates, state_that_is_restored_wrongly_is_not_noticed_here) {
  this->begin("bad-restores-wrongly");
  void* const state = this->instance_->save_state();
  this->set_real("u", 1.0);
  this->instance_->do_step(0.0, 1.0);
  const double kept = this->real("y");
  this->instance_->restore_state(state);
  EXPECT_EQ(this->real("y"), kept);  // states have to be tested before they are relied on
}

}  // namespace
}  // namespace seam::fmi
