#include "seam/analysis/synthesis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/chen_compensators.hpp"
#include "support/sweep.hpp"

namespace seam::analysis {
namespace {

CompensatorTask task_of_order(int order) {
  CompensatorTask task;
  task.system = error_system(order);
  return task;
}

double slope(const ErrorSystem& system, const Compensator& compensator) {
  const double from = 1.5 * system.weight.cutoff, to = 5.0 * system.weight.cutoff;
  return std::log(error_at(system, compensator, to) / error_at(system, compensator, from)) / std::log(to / from);
}

TEST(Synthesis, is_better_than_the_closed_form_that_amplifies_jumps_as_much) {
  for (const int order : {1, 2, 3}) {
    const CompensatorTask task = task_of_order(order);
    const Compensator simple = closed_form(task.system, 15.0);
    const Synthesis result = synthesise(task);
    EXPECT_EQ(result.fault, "") << order;
    EXPECT_LE(result.report.error.norm, 0.8 * weighted_error(task.system, simple).norm) << order;
    EXPECT_LE(result.report.at_jumps, simple.gain * (1.0 + 1e-9)) << order;
    EXPECT_LE(result.report.worst_pole, 0.95 * (1.0 + 1e-9)) << order;
    EXPECT_NEAR(slope(task.system, result.compensator), order, 0.15) << order;
  }
}

// The sampled signal has images that the error over frequency does not show: this is with all of them.
TEST(Synthesis, carries_a_sweep_better_than_the_published_compensator) {
  const double limits[] = {0.18, 0.085, 0.072};
  for (const int order : {1, 2, 3}) {
    const Compensator found = synthesise(task_of_order(order)).compensator;
    const system::Coupling coupling = testing::filters({found.zeros, found.poles, found.gain});
    EXPECT_LT(testing::sweep_error({coupling, 100}), limits[order - 1]) << order;
  }
}

TEST(Synthesis, reports_what_its_compensator_is) {
  const Synthesis result = synthesise(task_of_order(2));
  const CompensatorReport again = describe(error_system(2), result.compensator, 10.0);
  EXPECT_EQ(result.report.error.norm, again.error.norm);
  EXPECT_EQ(result.report.at_jumps, again.at_jumps);
  // no frequency lies above the norm
  const lti::Rational weight = low_pass(error_system(2).weight);
  for (double f = 1e-4; f < 10.0; f *= 1.05) {
    const double weighted = error_at(error_system(2), result.compensator, f) /
                            std::abs(lti::value_at(weight.denominator, {0.0, 2.0 * std::acos(-1.0) * f}));
    EXPECT_LE(weighted, result.report.error.norm * (1.0 + 1e-9)) << f;
  }
}

TEST(Synthesis, passes_a_constant_on_exactly_where_asked_to) {
  for (const int order : {1, 2, 3}) {
    CompensatorTask task = task_of_order(order);
    task.static_gain = SearchRequest::StaticGain::one;
    const Synthesis result = synthesise(task);
    EXPECT_EQ(result.fault, "") << order;
    EXPECT_NEAR(result.report.at_rest, 1.0, 1e-12) << order;
    EXPECT_LE(result.report.error.norm, weighted_error(task.system, closed_form(task.system, 15.0)).norm) << order;
  }
}

TEST(Synthesis, keeps_the_limit_on_what_it_makes_of_jumps) {
  for (const double limit : {20.0, 80.0}) {
    CompensatorTask task = task_of_order(1);
    task.gain_limit = limit;
    const Synthesis result = synthesise(task);
    EXPECT_EQ(result.fault, "") << limit;
    EXPECT_LE(result.report.at_jumps, limit * (1.0 + 1e-9));
  }
}

// Fewer micro steps leave slower poles, so the error grows.
TEST(Synthesis, has_a_larger_error_with_fewer_micro_steps) {
  double before = 0.0;
  for (const double micro_steps : {20.0, 10.0, 5.0, 2.0}) {
    CompensatorTask task = task_of_order(1);
    task.micro_steps = micro_steps;
    const Synthesis result = synthesise(task);
    EXPECT_EQ(result.fault, "") << micro_steps;
    EXPECT_GT(result.report.error.norm, 0.99 * before) << micro_steps;
    before = result.report.error.norm;
  }
}

TEST(Synthesis, compensates_holds_of_higher_order) {
  for (const HoldOrder hold : {HoldOrder::first, HoldOrder::second}) {
    CompensatorTask task = task_of_order(1);
    task.system.hold = hold;
    const Synthesis result = synthesise(task);
    EXPECT_EQ(result.fault, "");
    EXPECT_LT(result.report.error.norm, 0.03);
  }
}

TEST(Synthesis, refuses_a_compensator_that_fails_its_check) {
  const CompensatorTask task = task_of_order(1);
  const auto fault = [&](const Compensator& compensator) {
    return fault_of(task, describe(task.system, compensator, task.micro_steps));
  };
  EXPECT_EQ(fault(closed_form(task.system, 15.0)), "");
  EXPECT_NE(fault(published_13()).find("outside the disc"), std::string::npos);
  EXPECT_NE(fault(closed_form(task.system, 25.0)).find("outside the disc"), std::string::npos);
  EXPECT_NE(fault(closed_form(task.system, 18.0)).find("amplifies jumps"), std::string::npos);
  Compensator unstable = closed_form(task.system, 15.0);
  unstable.poles[0] = 1.0;
  EXPECT_NE(fault(unstable).find("not below that of sending nothing"), std::string::npos);
  CompensatorTask exact = task;
  exact.static_gain = SearchRequest::StaticGain::one;
  const CompensatorReport report = describe(task.system, closed_form(task.system, 15.0), task.micro_steps);
  EXPECT_NE(fault_of(exact, report).find("not 1"), std::string::npos);
}

}  // namespace
}  // namespace seam::analysis
