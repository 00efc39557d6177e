// Runs whose corrector identifies its models: what they say, and how they stop and go on.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/temporary_folder.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

class IdentifiedRun : public ::testing::Test {
 protected:
  static System oscillator(const std::string& corrector, double stop) {
    return open_text(
        "seam: 1\nsubsystems:\n"
        "  I: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e6, d: 1}, coupling: {kind: force}, x0: [0.1]}}\n"
        "  II: {model: mass-chain, set: {masses: [10], to_ground: {k: 1e7, d: 2}, coupling: {kind: spring, k: 2e5, d: "
        "2e2}, x0: [0.1]}}\n"
        "connections: [I.x1 -> II.x_in, I.v1 -> II.v_in, II.F -> I.F_in]\n"
        "experiment: {stop: " +
            std::to_string(stop) + "}\nplan: {step: 1 ms, coupling: zoh, corrector: " + corrector + "}\n",
        "dual.yaml", {});
  }
  RunSummary run_to(const System& system, const std::string& file, RunSettings settings = {}) const {
    settings.file = folder_.file(file);
    return run(system, settings);
  }
  static bool says(const RunSummary& summary, const std::string& text) {
    return std::any_of(summary.notices.begin(), summary.notices.end(),
                       [&](const std::string& notice) { return notice.find(text) != std::string::npos; });
  }
  std::string last_rows(const std::string& file) const {
    const std::string csv = formats::read_text(folder_.file(file));
    const std::size_t at = csv.find("\n0.05,");
    return at == std::string::npos ? "no such row in " + file : csv.substr(at);
  }
  formats::TemporaryFolder folder_;
};

TEST_F(IdentifiedRun, says_when_models_were_taken_into_use) {
  const RunSummary summary = run_to(oscillator("{mbcorr: {model: identified, micro_outputs: 5}}", 0.1), "a.csv");
  EXPECT_TRUE(says(summary, "a model of I was identified and taken into use at 0.003 s; 2 of 100 steps went without"));
  EXPECT_TRUE(says(summary, "a model of II was identified and taken into use at 0.003 s"));
}

TEST_F(IdentifiedRun, says_why_none_was) {
  const RunSummary brief = run_to(oscillator("{mbcorr: {model: identified}}", 0.005), "a.csv");
  EXPECT_TRUE(says(brief, "no identified model of I was taken into use, in 5 steps: too few samples"));
  const System at_rest = open_text(
      "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]]}}\n"
      "  b: {model: state-space, set: {A: [[-2]], B: [[1]]}}\nconnections: [a.y -> b.u, b.y -> a.u]\n"
      "experiment: {stop: 1}\nplan: {step: 0.01, corrector: {mbcorr: {model: identified}}}\n",
      "rest.yaml", {});
  EXPECT_TRUE(says(run_to(at_rest, "b.csv"),
                   "no identified model of a was taken into use, in 100 steps: the samples do not determine a model"));
}

TEST_F(IdentifiedRun, goes_on_from_a_saved_state_as_if_it_had_never_stopped) {
  for (const std::string corrector :
       {"{mbcorr: {model: identified}}", "{mbcorr: {model: identified, micro_outputs: 3}}",
        "{tracking: {model: identified, micro_outputs: 3}}"}) {
    run_to(oscillator(corrector, 0.06), "whole.csv");
    for (const double pause : {0.006, 0.03}) {
      RunSettings save, go_on;
      save.final_state = go_on.initial_state = folder_.file("s.state");
      run_to(oscillator(corrector, pause), "first.csv", save);
      run_to(oscillator(corrector, 0.06), "second.csv", go_on);
      EXPECT_EQ(last_rows("whole.csv"), last_rows("second.csv")) << corrector << " from " << pause;
    }
  }
}

TEST_F(IdentifiedRun, is_not_foretold_by_analysis) {
  const Outlook outlook = look_ahead(oscillator("{mbcorr: {model: identified}}", 0.1), {});
  EXPECT_EQ(outlook.verdict(), Outlook::Verdict::not_known);
  ASSERT_FALSE(outlook.unknown.empty());
  EXPECT_NE(outlook.unknown.front().find("identifies"), std::string::npos) << outlook.unknown.front();
}

}  // namespace
}  // namespace seam::engine
