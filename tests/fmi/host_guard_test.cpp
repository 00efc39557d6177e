#include "seam/fmi/instance/host_guard.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace seam::fmi {
namespace {

class Rounding : public ::testing::TestWithParam<int> {
 protected:
  ~Rounding() override { std::fesetround(FE_TONEAREST); }
};
INSTANTIATE_TEST_SUITE_P(Ways, Rounding, ::testing::Values(FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO));

TEST_P(Rounding, is_seen_by_two_sums) {
  EXPECT_TRUE(Arithmetic::rounds_to_nearest());
  std::fesetround(GetParam());
  EXPECT_FALSE(Arithmetic::rounds_to_nearest());
}

TEST_P(Rounding, that_an_fmu_changed_is_put_back) {
  const Arithmetic known = Arithmetic::now();
  {
    const ArithmeticGuard guard(known);
    std::fesetround(GetParam());
  }
  EXPECT_TRUE(Arithmetic::rounds_to_nearest());
}

TEST_P(Rounding, of_a_host_that_rounds_otherwise_is_kept) {
  std::fesetround(GetParam());
  const Arithmetic known = Arithmetic::now();
  { const ArithmeticGuard guard(known); }
  EXPECT_FALSE(Arithmetic::rounds_to_nearest());
  {
    const ArithmeticGuard guard(known);
    std::fesetround(GetParam() == FE_UPWARD ? FE_DOWNWARD : FE_UPWARD);
  }
  EXPECT_TRUE(known.holds());
}

TEST(HostGuard, locale_of_streams_that_an_fmu_changed_is_put_back) {
  struct DecimalComma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  {
    const HostGuard guard;
    std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  }
  std::ostringstream text;
  text << 0.5;
  EXPECT_EQ(text.str(), "0.5");
}

TEST(HostGuard, sigpipe_that_an_fmu_ignores_stays_ignored_and_a_handler_of_it_does_not_stay) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  {
    const HostGuard guard;
    std::signal(SIGPIPE, [](int) {});
  }
  EXPECT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_DFL);
  {
    const HostGuard guard;
    std::signal(SIGPIPE, SIG_IGN);
  }
  EXPECT_EQ(std::signal(SIGPIPE, before), SIG_IGN);
}

}  // namespace
}  // namespace seam::fmi
