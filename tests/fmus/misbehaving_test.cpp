// Each misbehaving FMU does what it is for, and nothing before its time.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "fmus/fmu.hpp"

namespace seam::fmus {
namespace {

class Bad : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Fmu> open(const std::string& name) { return open_fmu(GetParam(), "bad-" + name); }
  /// Initialised with `at` 0.15 and one good step to 0.1.
  std::unique_ptr<Fmu> stepped(const std::string& name) {
    auto fmu = open(name);
    fmu->set("at", 0.15);
    fmu->start();
    EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
    EXPECT_DOUBLE_EQ((*fmu)["y"], 0.1);
    return fmu;
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Bad, testing::Values(2, 3));

TEST_P(Bad, statuses_come_when_their_time_has_come) {
  EXPECT_EQ(stepped("error")->step(0.1, 0.1), Result::error);
  EXPECT_EQ(stepped("fatal")->step(0.1, 0.1), Result::fatal);
  EXPECT_EQ(stepped("discard")->step(0.1, 0.1), Result::discard);
  EXPECT_EQ(stepped("error")->messages.size(), 0u);
}

TEST_P(Bad, outputs_become_nan_and_infinite) {
  auto nan = stepped("nan");
  EXPECT_EQ(nan->step(0.1, 0.1), Result::ok);
  EXPECT_TRUE(std::isnan((*nan)["y"]));
  auto infinite = stepped("infinite");
  EXPECT_EQ(infinite->step(0.1, 0.1), Result::ok);
  EXPECT_TRUE(std::isinf((*infinite)["y"]));
}

TEST_P(Bad, step_sizes_other_than_multiples_of_a_millisecond_are_refused) {
  auto fmu = open("step-size");
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.003), Result::ok);
  EXPECT_EQ(fmu->step(0.003, 0.0005), Result::error);
}

TEST_P(Bad, a_function_is_missing_and_a_token_is_wrong) {
  const std::string prefix = GetParam() == 2 ? "fmi2" : "fmi3";
  auto fmu = open("missing-function");
  EXPECT_TRUE(fmu->lives());
  EXPECT_FALSE(fmu->library().has(prefix + "DoStep"));
  EXPECT_FALSE(open("token")->lives());
}

TEST_P(Bad, only_one_instance_lives_at_a_time) {
  auto first = open("single");
  EXPECT_TRUE(first->lives());
  EXPECT_FALSE(open("single")->lives());
  first->free();
  EXPECT_TRUE(open("single")->lives());
}

TEST_P(Bad, every_call_warns) {
  auto fmu = open("warns");
  EXPECT_EQ(fmu->set("u", 1.0), Result::warning);
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::warning);
}

TEST_P(Bad, a_restored_state_is_not_the_saved_one) {
  auto fmu = stepped("restores-wrongly");
  void* state = nullptr;
  fmu->save(state);
  fmu->step(0.1, 0.1);
  EXPECT_EQ(fmu->restore(state), Result::ok);
  EXPECT_DOUBLE_EQ((*fmu)["y"], 0.2) << "it was 0.1 when it was saved";
  fmu->forget(state);
}

TEST_P(Bad, it_says_ok_but_stops_half_way) {
  auto fmu = stepped("last-time");
  EXPECT_EQ(fmu->step(0.1, 0.1), Result::ok);
  EXPECT_DOUBLE_EQ(fmu->last_time(), 0.15);
}

TEST_P(Bad, it_prints_to_standard_output) {
  testing::internal::CaptureStdout();
  { auto fmu = stepped("prints"); }
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("chatty FMU: stepping"), std::string::npos);
  EXPECT_NE(printed.find("chatty FMU, raw: stepping"), std::string::npos);
}

TEST_P(Bad, messages_are_as_hostile_as_promised) {
  auto fmu = stepped("hostile-names");
  ASSERT_EQ(fmu->messages.size(), 3u);
  EXPECT_NE(fmu->messages[0].find("%n"), std::string::npos);
  EXPECT_NE(fmu->messages[1].find('\x1b'), std::string::npos);
  EXPECT_GT(fmu->messages[2].size(), 100'000u);
}

TEST_P(Bad, resources_are_written_to) {
  auto fmu = stepped("writes-resources");
  const std::string path = fmu->library().folder() + "/resources/scribble.txt";
  EXPECT_EQ(access(path.c_str(), F_OK), 0);
  std::remove(path.c_str());
}

TEST_P(Bad, fake_symbols_are_not_bound_by_the_host) {
  auto fmu = open("symbols");
  EXPECT_TRUE(fmu->library().has("CVode"));
  EXPECT_TRUE(fmu->library().has("dgemm_"));
  fmu->start();
  EXPECT_EQ(fmu->step(0.0, 0.1), Result::ok);
}

using BadDeathTest = Bad;
INSTANTIATE_TEST_SUITE_P(Fmi, BadDeathTest, testing::Values(2, 3));

/// Without a core file, and without a handler of a sanitizer.
void die_plainly() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGSEGV, SIG_DFL);
}

TEST_P(BadDeathTest, it_crashes) {
  const auto step = [&] {
    die_plainly();
    stepped("crash-in-step")->step(0.1, 0.1);
  };
  EXPECT_EXIT(step(), testing::KilledBySignal(SIGSEGV), "");
  const auto instantiate = [&] {
    die_plainly();
    open("crash-in-instantiate");
  };
  EXPECT_EXIT(instantiate(), testing::KilledBySignal(SIGSEGV), "");
}

TEST_P(BadDeathTest, it_hangs) {
  const auto step = [&] {
    alarm(1);
    stepped("hangs")->step(0.1, 0.1);
  };
  EXPECT_EXIT(step(), testing::KilledBySignal(SIGALRM), "");
}

TEST_P(BadDeathTest, it_changes_the_environment) {
  const auto meddle = [&] {
    auto fmu = stepped("environment");
    char folder[8] = {};
    const bool moved = getcwd(folder, sizeof folder) && std::string(folder) == "/";
    const bool rounds = std::fegetround() == FE_UPWARD;
    const bool ignores = std::signal(SIGINT, SIG_DFL) == SIG_IGN;
    std::_Exit(moved && rounds && ignores ? 0 : 1);
  };
  EXPECT_EXIT(meddle(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace seam::fmus
