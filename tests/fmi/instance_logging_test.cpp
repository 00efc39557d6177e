// What a person hears of an instance: messages at once, categories, and failures that must not stop a run.
#include <algorithm>

#include "fmi/living_instances.hpp"

namespace seam::fmi {
namespace {

template <class Chosen>
class InstanceLogging : public Unruly<Chosen> {
 protected:
  bool called(const std::string& name) const {
    return std::any_of(this->calls_.begin(), this->calls_.end(),
                       [&](const std::string& line) { return line.find(name + "(") != std::string::npos; });
  }
};
TYPED_TEST_SUITE(InstanceLogging, Versions);

TYPED_TEST(InstanceLogging, message_is_heard_at_once_and_kept) {
  this->make("strict", this->listening(Logging::on));
  this->set_real("discard_at", 0.25);
  this->initialise();
  this->instance_->do_step(0.0, 0.5);
  EXPECT_EQ(this->said_, std::vector<std::string>{"it: [Discard] logStatusDiscard: the step passes discard_at"});
  EXPECT_EQ(this->instance_->messages().all().back().text, "the step passes discard_at");
}

TYPED_TEST(InstanceLogging, nothing_is_heard_while_logging_is_off) {
  this->make("strict", this->listening(Logging::off));
  this->set_real("discard_at", 0.25);
  this->initialise();
  this->instance_->do_step(0.0, 0.5);
  EXPECT_TRUE(this->said_.empty());
}

TYPED_TEST(InstanceLogging, all_categories_are_wanted_without_a_call_for_them) {
  this->make_unruly("talks", this->listening(Logging::on));
  EXPECT_FALSE(this->called(this->function("SetDebugLogging")));
}

TYPED_TEST(InstanceLogging, some_categories_are_asked_for_by_name_and_texts_are_made_harmless) {
  this->make_unruly("talks", this->listening(Logging::on, {"loud", "quiet"}));
  EXPECT_EQ(this->said_, (std::vector<std::string>{"talks: [OK] loud: I will  [31mtell 42",
                                                   "talks: [OK] quiet: I will  [31mtell 42"}));
  EXPECT_EQ(this->calls_.back(), "talks " + this->function("SetDebugLogging") + "(on=true, loud, quiet) -> OK");
}

TYPED_TEST(InstanceLogging, categories_mean_nothing_while_logging_is_off) {
  this->make_unruly("talks", this->listening(Logging::off, {"loud"}));
  EXPECT_FALSE(this->called(this->function("SetDebugLogging")));
}

TYPED_TEST(InstanceLogging, category_nobody_declares_is_an_error_that_names_those_that_are) {
  const std::string said = failure_of([&] { this->make_unruly("talks", Logging(Logging::on, {"lout"})); });
  EXPECT_NE(said.find("has no log category \"lout\"; it declares quiet, loud"), std::string::npos) << said;
}

TYPED_TEST(InstanceLogging, fmu_that_fails_over_categories_is_freed_and_named) {
  const std::string said =
      failure_of([&] { this->make_unruly("hates-categories", this->listening(Logging::on, {"loud"})); });
  EXPECT_NE(said.find("failed in " + this->function("SetDebugLogging") + " (on=true, loud)"), std::string::npos)
      << said;
  EXPECT_EQ(this->calls_.back(), "hates-categories " + this->function("FreeInstance") + "()");
}

TYPED_TEST(InstanceLogging, fmu_that_knows_no_categories_is_heard_in_full) {
  this->make("two-mass-left-poor", this->listening(Logging::on, {"logEvents"}));
  ASSERT_EQ(this->said_.size(), 1u);
  EXPECT_NE(this->said_[0].find("has no " + this->function("SetDebugLogging")), std::string::npos) << this->said_[0];
  this->initialise();
}

TYPED_TEST(InstanceLogging, sink_that_throws_harms_nobody) {
  const Logging logging(Logging::on, {}, [](const std::string&) { throw std::runtime_error("the disk is full"); });
  this->make("strict", logging);
  this->set_real("discard_at", 0.25);
  this->initialise();
  EXPECT_EQ(this->instance_->do_step(0.0, 0.5).outcome, base::Outcome::rejected);
  EXPECT_EQ(this->instance_->messages().all().size(), 1u);
}

TYPED_TEST(InstanceLogging, failure_to_terminate_is_heard_when_the_instance_goes) {
  this->make_unruly("fails-to-terminate", this->listening(Logging::on));
  this->initialise();
  this->instance_.reset();
  EXPECT_EQ(this->said_,
            std::vector<std::string>{"fails-to-terminate: [Error] " + this->function("Terminate") + " returned Error"});
  EXPECT_EQ(this->calls_.back(), "fails-to-terminate " + this->function("FreeInstance") + "()");
}

// A crash or a hang at the end would be blamed on what the watch says.
TYPED_TEST(InstanceLogging, instance_that_goes_is_watched_in_the_function_it_is_in) {
  std::vector<std::string> watched;
  Logging logging;
  logging.calls = std::make_shared<CallLog>([&](const std::string&) { watched.push_back(call_watch.function.load()); });
  this->make_unruly("fails-to-terminate", logging);
  this->initialise();
  watched.clear();
  this->instance_.reset();
  EXPECT_EQ(watched, (std::vector{this->function("Terminate"), this->function("FreeInstance")}));
  EXPECT_STREQ(call_watch.function.load(), "the code that runs when it is unloaded");
}

TYPED_TEST(InstanceLogging, failure_to_terminate_is_said_although_logging_is_off) {
  std::vector<std::string> last_words;
  Logging logging;
  logging.last_words = [&](const std::string& line) { last_words.push_back(line); };
  this->make_unruly("fails-to-terminate", logging);
  this->initialise();
  const std::string identity = this->instance_->identity();
  this->instance_.reset();
  EXPECT_EQ(last_words, std::vector{identity + " failed in " + this->function("Terminate")});
}

TYPED_TEST(InstanceLogging, failure_to_terminate_is_an_error_for_who_asked_for_it) {
  this->make_unruly("fails-to-terminate");
  this->initialise();
  const std::string said = failure_of([&] { this->instance_->terminate(); });
  EXPECT_NE(said.find("failed in " + this->function("Terminate")), std::string::npos) << said;
  EXPECT_EQ(this->instance_->mode(), Mode::error);
}

TYPED_TEST(InstanceLogging, instance_that_dies_of_terminating_is_not_freed) {
  const MayLeak leak;
  this->make_unruly("dies-of-terminating", this->listening(Logging::on));
  this->initialise();
  this->instance_.reset();
  EXPECT_EQ(this->calls_.back(), "dies-of-terminating " + this->function("Terminate") + "() -> Fatal");
}

}  // namespace
}  // namespace seam::fmi
