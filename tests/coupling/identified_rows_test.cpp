// Correctors whose models are identified while the system runs: rows of an independent reproduction of
// Haid et al. 2019, and the same loop written by hand.
#include "coupling/dual_oscillator.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::coupling {
namespace {

std::string identified(const std::string& corrector, const std::string& more) {
  return fmt::format("coupling: zoh, corrector: {{{}: {{model: identified, order: 2, {}}}}}", corrector, more);
}

std::vector<double> row(const std::string& plan) {
  std::vector<double> values;
  std::printf("%-110s", plan.c_str());
  for (int column = 0; column < 7; ++column) {
    values.push_back(score(plan, column));
    std::printf(" %.5g", values.back());
  }
  std::printf("\n");
  return values;
}

void expect_row(const std::string& plan, const std::vector<double>& reference, double tolerance) {
  const std::vector<double> found = row(plan);
  for (std::size_t i = 0; i < reference.size(); ++i)
    EXPECT_NEAR(found[i], reference[i], tolerance * reference[i]) << plan << " at " << table_steps[i] << " ms";
}

TEST(IdentifiedRows, of_mbcorr_from_macro_samples) {
  expect_row(identified("mbcorr", "start: eager"), {0.0221, 0.0613, 0.1731, 0.3451, 0.7146, 0.9866, 4.2601}, 0.01);
}

TEST(IdentifiedRows, of_mbcorr_from_micro_samples) {
  expect_row(identified("mbcorr", "start: eager, micro_outputs: 3"),
             {0.0094, 0.0434, 0.1159, 0.2230, 0.3102, 0.4275, 1.7204}, 0.01);
  expect_row(identified("mbcorr", "start: eager, micro_outputs: 5"),
             {0.0087, 0.0375, 0.1061, 0.2191, 0.3067, 0.4219, 1.1679}, 0.01);
}

// What is left of the error are the first two samples, sent before there were models.
TEST(IdentifiedRows, of_tracking_from_micro_samples_are_at_or_below_the_reference) {
  const std::vector<double> reference{0.0046, 0.0192, 0.0452, 0.0823, 0.1290, 0.1697, 0.2246};
  for (const std::string more : {"input: linear, start: eager", "input: linear", "input: quadratic"}) {
    const std::vector<double> found = row(identified("tracking", more + ", micro_outputs: 5"));
    for (std::size_t i = 0; i < reference.size(); ++i)
      EXPECT_LE(found[i], 1.01 * reference[i]) << more << " at " << table_steps[i] << " ms";
  }
}

TEST(IdentifiedRows, over_inputs_that_move_are_still_better_than_these_alone) {
  const std::vector<double> alone = row("coupling: foh");
  for (const std::string corrector : {"mbcorr", "tracking"}) {
    const std::vector<double> mended =
        row("coupling: foh, corrector: {" + corrector + ": {model: identified, micro_outputs: 5}}");
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_LT(mended[i], 0.5 * alone[i]) << corrector << table_steps[i];
  }
}

TEST(IdentifiedRows, with_the_usual_caution_halve_the_error_of_holding) {
  const std::vector<double> held = row("coupling: zoh");
  for (const std::string more : {"kernel: ramp", "kernel: ramp, micro_outputs: 5"}) {
    const std::vector<double> mended = row(identified("mbcorr", more));
    for (std::size_t i = 0; i < held.size(); ++i) EXPECT_LT(mended[i], 0.5 * held[i]) << more << ", " << table_steps[i];
  }
}

TEST(IdentifiedModels, are_part_of_a_copy_of_the_memory) {
  const engine::Live live = coupling::live(dual_oscillator(identified("mbcorr", "micro_outputs: 2"), 1.0));
  Memory memory = start(live.program);
  for (const int at : {2, 7, 20}) {  // without models, with young ones, with old ones
    ASSERT_EQ(advance(live.program, memory, at).outcome, base::Outcome::accepted);
    const Memory kept = memory;
    std::vector<assembly::Snapshot> snapshots;
    for (const auto& member : live.assembly->members) snapshots.push_back(member.subsystem->save());
    advance(live.program, memory, 15);
    const base::Numbers once = memory.values;
    memory = kept;
    for (std::size_t m = 0; m < snapshots.size(); ++m) live.assembly->members[m].subsystem->restore(snapshots[m]);
    advance(live.program, memory, 15);
    EXPECT_EQ(once, memory.values) << "from step " << at;
  }
}

TEST(IdentifiedModels, need_a_window_that_holds_enough_samples) {
  EXPECT_NE(problems_of(dual_oscillator(identified("mbcorr", "window: 9"), 1.0)).find("use window: 11 or more"),
            std::string::npos);
  EXPECT_EQ(problems_of(dual_oscillator(identified("mbcorr", "window: 11"), 1.0)), "");
}

TEST(IdentifiedModels, go_with_offsets_that_are_held) {
  EXPECT_EQ(describe(open(dual_oscillator(identified("tracking", "window: 20"), 1.0)).plan.corrector),
            "tracking,offset=cumulative,model=identified,order=2");
  const std::string problems = problems_of(dual_oscillator(identified("tracking", "offset: deadbeat"), 1.0));
  EXPECT_NE(problems.find("use offset: cumulative"), std::string::npos) << problems;
}

TEST(IdentifiedModels, are_what_their_settings_are_for) {
  for (const std::string given : {"order: 2", "window: 30", "threshold: 0.1", "start: eager", "micro_outputs: 3"}) {
    const std::string problems = problems_of(dual_oscillator("corrector: {mbcorr: {" + given + "}}", 1.0));
    EXPECT_NE(problems.find("add model: identified"), std::string::npos) << given << ": " << problems;
  }
}

}  // namespace
}  // namespace seam::coupling
