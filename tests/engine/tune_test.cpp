#include "seam/engine/predict/tune.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/engine/predict/short_run.hpp"
#include "seam/formats/text_file.hpp"
#include "support/pair.hpp"

namespace seam::engine {
namespace {

using testing::PairOfMasses;

/// The pair with the plan that was written.
Outlook with_plan(const Tuned& tuned, const PairOfMasses& pair) {
  const formats::TemporaryFolder folder;
  formats::write_text(folder.file("p.yaml"), tuned.text);
  Changes changes;
  changes.plan_file = folder.file("p.yaml");
  return look_ahead(open_text(pair.yaml(), "pair.yaml", changes), {});
}

TEST(Tune, reaches_the_accuracy_that_was_asked_for_with_the_plan_it_writes) {
  PairOfMasses pair;
  pair.step = 0.01;
  for (const double target : {0.05, 0.002}) {
    const Tuned tuned = tune(pair.system(), {target, {}});
    EXPECT_LE(tuned.error, target);
    const Outlook outlook = with_plan(tuned, pair);
    EXPECT_EQ(outlook.verdict(), Outlook::Verdict::stable);
    EXPECT_NEAR(outlook.methods.front().error.value_or(9.0), tuned.error,
                0.2 * tuned.error);  // the band moves a little
    EXPECT_LE(tuned.step, 0.5 * *tuned.largest_step);
  }
  EXPECT_GT(tune(pair.system(), {0.05, {}}).step, tune(pair.system(), {0.002, {}}).step);
}

TEST(Tune, finds_the_same_step_whatever_the_step_of_the_plan) {
  PairOfMasses pair;
  pair.step = 0.01;
  const Tuned usual = tune(pair.system(), {0.02, {}});
  for (const double step : {1e-4, 5e-4, 2e-3, 5e-3, 0.02, 0.05, 0.3}) {  // the last ones are not stable
    pair.step = step;
    const Tuned tuned = tune(pair.system(), {0.02, {}});
    EXPECT_NEAR(tuned.step, usual.step, 0.05 * usual.step) << step;
    EXPECT_EQ(tuned.coupling, usual.coupling) << step;
    EXPECT_LE(tuned.error, 0.02) << step;
  }
}

TEST(Tune, without_a_target_keeps_the_step_and_takes_the_best_method) {
  PairOfMasses pair;
  pair.step = 0.03;  // zoh is not stable there
  const Tuned tuned = tune(pair.system(), {});
  EXPECT_EQ(tuned.step, 0.03);
  EXPECT_FALSE(std::isfinite(tuned.error_before));
  EXPECT_EQ(with_plan(tuned, pair).verdict(), Outlook::Verdict::stable);
}

TEST(Tune, multiples_of_a_solver_step_are_kept) {
  PairOfMasses pair;
  pair.solver = "euler";
  pair.solver_step = "1 ms";
  pair.step = 0.01;
  const Tuned tuned = tune(pair.system(), {0.1, {}});
  EXPECT_NEAR(tuned.step / 1e-3, std::round(tuned.step / 1e-3), 1e-9);
}

TEST(Tune, single_connections_of_the_file_do_not_win_over_the_plan) {
  PairOfMasses pair;
  pair.step = 0.005;
  const std::string text = pair.yaml() + "  connections: {left.x_in: zoh, right.F_in: soh}\n";
  const Tuned tuned = tune(open_text(text, "pair.yaml", {}), {});
  EXPECT_NE(tuned.text.find("\"left.x_in\": " + tuned.coupling), std::string::npos) << tuned.text;
}

// What a corrector leaves is not predicted: the plan that is recommended says that it has none.
TEST(Tune, a_plan_with_a_corrector_is_replaced_by_one_that_says_it_has_none) {
  PairOfMasses pair;
  pair.step = 0.005;
  const System system = open_text(pair.yaml() + "  corrector: plc\n", "pair.yaml", {});
  const Tuned tuned = tune(system, {});
  EXPECT_NE(tuned.text.find("corrector: none"), std::string::npos) << tuned.text;
  EXPECT_EQ(tuned.error_before, look_ahead(system, {}).accuracy->worst());
}

TEST(Tune, a_goal_that_no_method_reaches_is_said) {
  PairOfMasses pair;
  EXPECT_THROW(tune(pair.system(), {1e-30, {}}), base::ProblemsFound);
  pair.step = 0.5;
  EXPECT_THROW(tune(pair.system(), {}), base::ProblemsFound);
}

class TunedMasses : public FmuWorkshop {
 protected:
  System masses(double coupling_spring, const std::string& experiment = "stop: 10 s") const {
    return open_text(fmt::format("seam: 1\nsubsystems:\n  l: {{fmu: {}, set: {{kc: {}}}}}\n  r: {{fmu: {}}}\n"
                                 "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {{{}}}\n"
                                 "plan: {{step: 1 ms}}\n",
                                 fmu(2, "two-mass-left-poor"), coupling_spring, fmu(3, "two-mass-right-poor"),
                                 experiment),
                     folder_.file("system.yaml"), {});
  }
};

TEST_F(TunedMasses, behave_in_a_short_run_as_their_models_say_and_otherwise_than_others) {
  const System soft = masses(10.0), stiff = masses(40.0);
  for (const auto& time : {std::optional<double>(), std::optional<double>(0.5)}) {
    OutlookRequest request;
    request.depth = OutlookRequest::Depth::verdict;
    request.time = time;
    const auto distance = [&](const System& run, const System& of_the_models) {
      return distance_in_a_short_run(run, linear_rehearsal(of_the_models, look_ahead(of_the_models, request)), time);
    };
    EXPECT_LT(distance(soft, soft).value_or(9.0), 1e-6);
    EXPECT_LT(distance(stiff, stiff).value_or(9.0), 1e-6);
    EXPECT_GT(distance(soft, stiff).value_or(0.0), 0.5);
  }
}

// The short run behind a later operating point begins with holds that have all their samples, as the run has there, and
// it ends before an event makes other FMUs of them than those that were probed.
TEST_F(TunedMasses, get_the_same_plan_at_a_later_time_and_beside_an_event_that_comes_after_it) {
  TuneGoal goal{0.01, {}};
  const Tuned usual = tune(masses(10.0), goal), stiff = tune(masses(60.0), goal);
  const std::string event = "stop: 10 s, events: [{at: 50 ms, set: {l.kc: 60}}]";
  const auto at = [&](double time) {
    goal.outlook.time = time;
    return tune(masses(10.0, event), goal);
  };
  for (const auto& [tuned, expected] : {std::pair{at(0.02), usual}, {at(0.06), stiff}}) {
    EXPECT_EQ(tuned.coupling, expected.coupling);
    EXPECT_NEAR(tuned.step, expected.step, 0.05 * expected.step);
  }
}

TEST_F(TunedMasses, beside_a_controller_that_samples_are_refused_with_its_period) {
  const System system = open_text(
      fmt::format("seam: 1\nsubsystems:\n  c: {{fmu: {}, set: {{A11: 0, B11: -20, C11: 1, D11: 0, grid: 10 ms, solver: "
                  "1, solver_step: 10 ms}}}}\n  m: {{fmu: {}, set: {{m: 1, k: 400, d: 8}}}}\nconnections: [m.x1 -> "
                  "c.u1, c.y1 -> m.F_in]\nexperiment: {{stop: 10 s}}\nplan: {{step: 1 ms}}\n",
                  fmu(2, "state-space-4-poor"), fmu(2, "two-mass-right-poor")),
      folder_.file("system.yaml"), {});
  try {
    tune(system, {0.01, {}});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find("\"c\": not known: its outputs change only every 0.01 s"), std::string::npos)
        << found.what();
  }
}

}  // namespace
}  // namespace seam::engine
