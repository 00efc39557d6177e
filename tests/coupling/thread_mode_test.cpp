#include "seam/coupling/thread_mode.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace seam::coupling {
namespace {

constexpr double one_thread = 10e-6;  // s a step

/// How long so many steps take if a step of both modes takes so long.
double run(base::Tick steps, const std::function<double(ThreadMode::Mode, base::Tick)>& cost) {
  ThreadMode mode;
  double all = 0.0;
  for (base::Tick done = 0; done < steps;) {
    double seconds = 0.0;
    const base::Tick block = mode.block();
    for (base::Tick i = 0; i < block; ++i) seconds += cost(mode.mode(), done + i);
    mode.add(seconds);
    done += block;
    all += seconds;
  }
  return all;
}

TEST(ThreadMode, threads_that_take_twenty_times_as_long_cost_less_than_five_percent) {
  for (const base::Tick steps : {50'000, 1'000'000}) {
    const double all = run(steps, [](ThreadMode::Mode mode, base::Tick) {
      return mode == ThreadMode::together ? 20.0 * one_thread : one_thread;
    });
    EXPECT_LT(all, 1.05 * one_thread * static_cast<double>(steps)) << steps;
  }
}

TEST(ThreadMode, threads_that_gain_are_kept) {
  constexpr base::Tick steps = 200'000;
  const double all = run(steps, [](ThreadMode::Mode mode, base::Tick) {
    return mode == ThreadMode::together ? 0.55 * one_thread : one_thread;
  });
  EXPECT_LT(all, 0.57 * one_thread * static_cast<double>(steps));
}

TEST(ThreadMode, a_machine_that_becomes_busy_and_idle_again_is_followed) {
  constexpr base::Tick steps = 1'000'000;
  const double all = run(steps, [](ThreadMode::Mode mode, base::Tick now) {
    const bool busy = now > 300'000 && now < 600'000;
    return mode == ThreadMode::in_turn ? one_thread : busy ? 20.0 * one_thread : 0.5 * one_thread;
  });
  EXPECT_LT(all, 1.05 * one_thread * static_cast<double>(steps));
}

TEST(ThreadMode, steps_longer_than_a_block_are_judged_one_by_one) {
  const double all =
      run(400, [](ThreadMode::Mode mode, base::Tick) { return mode == ThreadMode::together ? 0.04 : 0.02; });
  EXPECT_LT(all, 1.05 * 0.02 * 400);
}

}  // namespace
}  // namespace seam::coupling
