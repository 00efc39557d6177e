// A pair of masses joined by a damper that is stiff at rest and soft in motion: what analysis says of each operating
// point is what small motions around it do in real runs, and it says that the points differ.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/run/memory_run.hpp"

namespace seam::engine {
namespace {

using Verdict = Outlook::Verdict;

/// Mass 1 is pushed, the heavy mass 2 rubs on the ground, only the damper joins them: F = 200 sqrt|dv|, at most
/// 1000 N.s/m (up to 0.04 m/s). Pushed with 100 N they slide with v2 = 100/2000 = 0.05 m/s and v1 - v2 = (100/200)^2 =
/// 0.25 m/s, where the damper has the slope 200 N.s/m instead of 1000.
struct Sliding {
  double push = 100.0;        // N
  double v1 = 0.0, v2 = 0.0;  // m/s at the start
  double step = 0.03, stop = 6.0;
  std::string coupling = "zoh";
  std::string first = "model: mass-chain, set: {masses: [10], coupling: {kind: force}, v0: [{V1}]}";
  std::string second =
      "model: mass-power-damper, solver: rk4, solver_step: 1 ms, input_signal: stepped, set: {mass: 1000, to_ground: "
      "{d: 2000}, d: 200, limit: 1000, v0: {V2}}";

  std::string yaml() const {
    const auto filled = [](std::string text, const std::string& mark, double value) {
      if (const auto at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), fmt::format("{:.17g}", value));
      return text;
    };
    return fmt::format(
        "seam: 1\nsubsystems:\n  push: {{model: constant, set: {{value: {:.17g} N}}}}\n  wall: {{model: constant, set: "
        "{{value: 0 m}}}}\n  one: {{{}}}\n  two: {{{}}}\n"
        "connections: [push.y -> one.f1, wall.y -> two.x_in, one.v1 -> two.v_in, two.F -> one.F_in]\n"
        "experiment: {{stop: {}}}\nplan: {{step: {}, coupling: {}}}\n",
        push, filled(first, "{V1}", v1), filled(second, "{V2}", v2), stop, step, coupling);
  }
  System system() const { return open_text(yaml(), "sliding.yaml", {}); }

  static Sliding moving(double step) {
    Sliding pair;
    pair.v1 = 0.3;
    pair.v2 = 0.05;
    pair.step = step;
    return pair;
  }
  static Sliding resting(double step) {
    Sliding pair;
    pair.push = 0.0;
    pair.step = step;
    return pair;
  }
};

using Depth = OutlookRequest::Depth;

Outlook outlook_of(const System& system, Depth depth, std::optional<double> time = {}) {
  OutlookRequest request;
  request.depth = depth;
  request.time = time;
  return look_ahead(system, request);
}

/// Factor a macro step by which a small deviation of v1 grows, from a real run: the largest of 40 steps late in it
/// against the largest of 40 steps early.
double growth(Sliding pair, int early, int late) {
  const double v1 = pair.v1;
  pair.v1 += 1e-7;
  pair.v2 += 1e-7;
  pair.stop = pair.step * (late + 45);
  const MemoryRun run = run_in_memory(pair.system(), {});
  const std::vector<double>* column = nullptr;
  for (std::size_t i = 0; i < run.table.names.size(); ++i) {
    if (run.table.names[i].starts_with("one.v1")) column = &run.table.columns[i];
  }
  const auto largest = [&](int from) {
    double most = 0.0;
    for (int i = from; i < from + 40; ++i)
      most = std::max(most, std::abs(column->at(static_cast<std::size_t>(i)) - v1));
    return most;
  };
  return std::pow(largest(late) / largest(early), 1.0 / (late - early));
}

TEST(NonlinearOutlook, the_same_step_is_stable_in_motion_and_not_at_rest) {
  for (const double step : {0.005, 0.03}) {
    const Outlook outlook = outlook_of(Sliding::moving(step).system(), Depth::verdict);
    EXPECT_EQ(outlook.stability->exactness, analysis::Exactness::linearised);
    EXPECT_EQ(outlook.verdict(), Verdict::stable) << step;
  }
  EXPECT_EQ(outlook_of(Sliding::resting(0.005).system(), Depth::verdict).verdict(), Verdict::stable);
  EXPECT_EQ(outlook_of(Sliding::resting(0.03).system(), Depth::verdict).verdict(), Verdict::unstable);
}

/// Runs on both sides of the first loss of stability that analysis tells.
void expect_limit(const Sliding& pair, const Outlook& outlook) {
  const auto& steps = outlook.methods.front().steps;
  ASSERT_TRUE(steps && steps->first_loss());
  const double limit = *steps->first_loss();
  Sliding below = pair, above = pair;
  below.step = limit - 1e-3;  // all steps are whole milliseconds
  above.step = limit + 2e-3;
  const Outlook stable = outlook_of(below.system(), Depth::verdict);
  const Outlook unstable = outlook_of(above.system(), Depth::verdict);
  EXPECT_EQ(stable.verdict(), Verdict::stable) << limit;
  EXPECT_EQ(unstable.verdict(), Verdict::unstable) << limit;
  EXPECT_NEAR(std::log(growth(below, 150, 300)), std::log(stable.stability->spectral_radius), 0.005) << limit;
  EXPECT_NEAR(std::log(growth(above, 20, 80)), std::log(unstable.stability->spectral_radius), 0.005) << limit;
}

TEST(NonlinearOutlook, limits_at_rest_and_in_motion_are_where_runs_begin_to_grow) {
  const Outlook rest = outlook_of(Sliding::resting(0.005).system(), Depth::plan);
  const Outlook motion = outlook_of(Sliding::moving(0.005).system(), Depth::plan);
  expect_limit(Sliding::resting(0.005), rest);
  expect_limit(Sliding::moving(0.005), motion);
  EXPECT_GT(*motion.methods.front().steps->first_loss(), 3.0 * *rest.methods.front().steps->first_loss());
}

TEST(NonlinearOutlook, a_point_that_is_reached_by_running_is_that_point) {
  Sliding pair;  // from rest, pushed
  const Outlook start = outlook_of(pair.system(), Depth::verdict), later = outlook_of(pair.system(), Depth::all, 5.0);
  EXPECT_EQ(start.verdict(), Verdict::unstable);
  EXPECT_EQ(later.verdict(), Verdict::stable);
  EXPECT_EQ(later.time, 5.0);
  const Outlook there = outlook_of(Sliding::moving(pair.step).system(), Depth::all);
  EXPECT_NEAR(later.stability->spectral_radius, there.stability->spectral_radius, 1e-5);
  EXPECT_NEAR(*later.methods.front().steps->first_loss(), *there.methods.front().steps->first_loss(), 1.1e-3);
  for (std::size_t i = 0; i < later.methods.size(); ++i)
    EXPECT_NEAR(later.methods[i].radius.value_or(0.0), there.methods[i].radius.value_or(1.0), 1e-4) << i;
}

TEST(NonlinearOutlook, says_what_becomes_of_the_verdict_further_on_in_the_run) {
  const Outlook start = outlook_of(Sliding{}.system(), Depth::plan);
  ASSERT_EQ(start.later.size(), 3u);
  EXPECT_LT(start.later.back().radius, 1.0);
  EXPECT_NEAR(start.later.back().time, 3.0, 1e-9);
  EXPECT_NEAR(start.later.back().radius,
              outlook_of(Sliding::moving(0.03).system(), Depth::verdict).stability->spectral_radius, 1e-3);
  for (const LaterPoint& point : outlook_of(Sliding::resting(0.03).system(), Depth::plan).later)
    EXPECT_GT(point.radius, 1.0);
}

// The model in the example is stiff at the very instant of its start and soft a hundredth of a millisecond later: what
// counts is the step, not the instant.
TEST(NonlinearOutlook, the_step_counts_and_not_the_instant_at_its_begin) {
  const System system = open(std::string(SEAM_SOURCE_DIR) + "/examples/dual-oscillator-nonlinear.yaml", {});
  const Outlook outlook = outlook_of(system, Depth::all);
  const analysis::Stability probed = analyse(system);  // differences of the step itself
  EXPECT_NEAR(outlook.stability->spectral_radius, probed.spectral_radius, 1e-5);
  for (const MethodOutlook& method : outlook.methods)
    EXPECT_NEAR(method.radius.value_or(9.0), 1.0, 0.05) << method.coupling;  // the instant would have up to 12
}

/// Largest |x1| of the first mass in a stretch of the example's run.
double swing(const MemoryRun& run, double from, double to) {
  double most = 0.0;
  for (std::size_t i = 0; i < run.table.names.size(); ++i) {
    if (!run.table.names[i].starts_with("I.x1")) continue;
    for (std::size_t n = 0; n < run.table.rows(); ++n) {
      if (run.table.columns[0][n] >= from && run.table.columns[0][n] <= to)
        most = std::max(most, std::abs(run.table.columns[i][n]));
    }
  }
  return most;
}

// Large motions: the radius hardly changes along the run, and the run grows as it says; with soh it decays.
TEST(NonlinearOutlook, long_runs_of_the_example_grow_and_decay_as_told) {
  for (const char* coupling : {"zoh", "soh"}) {
    Changes changes;
    changes.coupling = coupling;
    changes.stop = "1.2 s";
    const System system = open(std::string(SEAM_SOURCE_DIR) + "/examples/dual-oscillator-nonlinear.yaml", changes);
    const Outlook outlook = outlook_of(system, Depth::plan, 0.1);
    const bool grows = std::string(coupling) == "zoh";
    EXPECT_EQ(outlook.verdict(), grows ? Verdict::unstable : Verdict::stable);
    for (const LaterPoint& point : outlook.later) EXPECT_EQ(point.radius > 1.0, grows) << point.time;
    const MemoryRun run = run_in_memory(system, {});
    const double rate = std::log(swing(run, 0.7, 0.8) / swing(run, 0.1, 0.2)) / 0.6;  // 1/s
    const double told = std::log(outlook.stability->spectral_radius) / 0.5e-3;
    if (grows) {
      EXPECT_NEAR(rate, told, 0.15 * told);  // of small deviations, and the damper changes with the swing
    } else {
      EXPECT_LT(rate, told);  // its force at large swings takes more energy than its slope there tells
    }
  }
}

class NonlinearBlackBox : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  Outlook of(Sliding pair, std::optional<double> time = {}) const {
    pair.first = fmt::format("fmu: {}, set: {{m: 10, k: 0, d: 0, x0: 0, v0: {{V1}}, solver_step: 1 ms}}",
                             fmu(5 - GetParam(), "two-mass-right-poor"));
    pair.second = fmt::format(
        "fmu: {}, set: {{m: 1000, k: 0, d: 2000, kc: 0, dc: 200, limit: 1000, x0: 0, v0: {{V2}}, solver_step: 1 ms}}",
        fmu(GetParam(), "mass-power-damper-poor"));
    return outlook_of(open_text(pair.yaml(), folder_.file("system.yaml"), {}), Depth::verdict, time);
  }

  /// Every warning of the model of the damper.
  static std::string warnings(const Outlook& outlook) {
    std::string all;
    for (const analysis::SubsystemModel& model : outlook.models) {
      for (const std::string& warning : model.warnings) all += model.name + ": " + warning + "\n";
    }
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, NonlinearBlackBox, ::testing::Values(2, 3));

TEST_P(NonlinearBlackBox, verdicts_are_right_and_the_damper_is_told_not_to_be_linear) {
  struct Case {
    Sliding pair;
    std::optional<double> time;
    Verdict verdict;
  };
  for (const Case& c : {Case{Sliding::moving(0.03), {}, Verdict::stable}, Case{Sliding{}, {}, Verdict::unstable},
                        Case{Sliding{}, 5.0, Verdict::stable}}) {
    const Outlook outlook = of(c.pair, c.time);
    EXPECT_EQ(outlook.verdict(), c.verdict) << warnings(outlook) << outlook.uncertainty;
    const std::string said = warnings(outlook);
    EXPECT_TRUE(said.find("two: it is not linear") != std::string::npos ||
                said.find("two: it depends on the operating point") != std::string::npos)
        << said;
    EXPECT_EQ(said.find("one: it"), std::string::npos) << said;
  }
}

// Derivatives that an FMU tells are those of one instant: that of the example is the only stiff one.
TEST_P(NonlinearBlackBox, derivatives_of_an_instant_are_compared_with_those_a_step_later) {
  const auto pair = [&](const std::string& first, const std::string& second) {
    return outlook_of(
        open_text(fmt::format("seam: 1\nsubsystems:\n  I: {{fmu: {}, set: {{m: 10, k: 1e6, d: 1, x0: 0.1, solver_step: "
                              "0.01 ms}}}}\n  II: {{fmu: {}, set: {{solver_step: 0.01 ms}}}}\nconnections: [I.x1 -> "
                              "II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\nplan: {{step: 0.5 ms}}\n",
                              fmu(GetParam(), first), fmu(GetParam(), second)),
                  folder_.file("system.yaml"), {}),
        Depth::verdict);
  };
  const Outlook told = pair("two-mass-right", "mass-power-damper");
  EXPECT_NE(warnings(told).find("II: it depends on the operating point"), std::string::npos) << warnings(told);
  EXPECT_FALSE(warnings(told).starts_with("I: ")) << warnings(told);
  EXPECT_GT(told.uncertainty, 0.05);
  EXPECT_EQ(told.models[0].source, analysis::ModelSource::derivatives);
  const Outlook linear = pair("two-mass-right", "two-mass-left");
  EXPECT_EQ(warnings(linear), "");
  EXPECT_LT(linear.uncertainty, 1e-12);
}

TEST_P(NonlinearBlackBox, radius_is_that_of_the_equations_inside_to_what_is_told_to_be_unsure) {
  for (const double step : {0.005, 0.03}) {
    const Outlook black = of(Sliding::moving(step)),
                  native = outlook_of(Sliding::moving(step).system(), Depth::verdict);
    EXPECT_NEAR(black.stability->spectral_radius, native.stability->spectral_radius, black.uncertainty + 1e-4) << step;
    EXPECT_LT(black.uncertainty, 0.02) << step;
  }
}

// Around the limit nothing is told that the model does not support.
TEST_P(NonlinearBlackBox, is_never_sure_of_what_is_wrong) {
  const double limit = *outlook_of(Sliding::moving(0.005).system(), Depth::plan).methods.front().steps->first_loss();
  for (const double factor : {0.7, 0.95, 1.0, 1.05, 1.3}) {
    const double step = 1e-3 * std::round(1e3 * factor * limit);
    const Outlook black = of(Sliding::moving(step));
    const double truth = outlook_of(Sliding::moving(step).system(), Depth::verdict).stability->spectral_radius;
    if (black.verdict() == Verdict::not_known) continue;
    EXPECT_EQ(black.verdict(), truth < 1.0 ? Verdict::stable : Verdict::unstable) << step << " " << truth;
  }
}

}  // namespace
}  // namespace seam::engine
