#include "seam/engine/predict/tune.hpp"

#include <gtest/gtest.h>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
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

}  // namespace
}  // namespace seam::engine
