// The reference of systems whose equations are not available: runs with ever smaller steps.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/reference.hpp"

namespace seam::engine {
namespace {

using Solution = ReferenceRequest::Solution;

class StepHalving : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  /// The two masses with FMUs that can do nothing but step.
  std::string masses(const std::string& more = {}) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {{fmu: {}}}\n  r: {{fmu: {}}}\n"
        "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\n"
        "experiment: {{stop: 0.5{}}}\nplan: {{step: 0.01}}\n",
        fmu(GetParam(), "two-mass-left-poor"), fmu(GetParam(), "two-mass-right-poor"), more);
  }
  /// The same with all equations known.
  std::string known_masses() const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  l: {{fmu: {}, interface: me}}\n  r: {{fmu: {}, interface: me}}\n"
        "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {{stop: 0.5}}\nplan: {{step: "
        "0.01}}\n",
        fmu(GetParam(), "two-mass-left"), fmu(GetParam(), "two-mass-right"));
  }
  ReferenceSummary of(const std::string& text, const ReferenceRequest& request = {}) const {
    RunSettings settings;
    settings.file = folder_.file("result.csv");
    return reference(open_text(text, folder_.file("system.yaml"), {}), settings, request);
  }
  std::string refusal_of(const std::string& text, const ReferenceRequest& request = {}) const {
    try {
      of(text, request);
    } catch (const base::ProblemsFound& found) {
      return found.problems().text();
    }
    return "there is one";
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, StepHalving, ::testing::Values(2, 3));

TEST_P(StepHalving, black_boxes_come_as_near_to_the_solution_of_all_equations_as_two_runs_are_to_each_other) {
  ASSERT_TRUE(of(known_masses()).halvings.empty());
  const formats::Table exact = result();
  const ReferenceSummary summary = of(masses(), {Solution::automatic, 1e-4});
  const formats::Table table = result();
  ASSERT_GE(summary.halvings.size(), 3u);
  EXPECT_NE(summary.not_monolithic.find("is an FMU for co-simulation"), std::string::npos) << summary.not_monolithic;
  const double apart = *summary.halvings.back().apart, before = *summary.halvings[summary.halvings.size() - 2].apart;
  EXPECT_LE(apart, 1e-4);
  EXPECT_GT(before, 1e-4);
  EXPECT_NEAR(std::log2(before / apart), 1.0, 0.1);  // zero-order holds: order 1
  ASSERT_EQ(table.names, exact.names);
  ASSERT_EQ(table.columns[0], exact.columns[0]);
  for (std::size_t c = 1; c < exact.columns.size(); ++c) {
    const auto [low, high] = std::minmax_element(exact.columns[c].begin(), exact.columns[c].end());
    for (std::size_t i = 0; i < exact.rows(); ++i)
      ASSERT_NEAR(table.columns[c][i], exact.columns[c][i], 1.2e-4 * (*high - *low)) << exact.names[c] << " row " << i;
  }
}

TEST_P(StepHalving, a_step_at_which_the_run_diverges_is_only_too_large) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  g: {{model: gain, set: {{k: -400}}}}\n"
      "connections: [a.y -> g.u, {{from: g.y, to: a.u, offset: 400}}]\nexperiment: {{stop: 20}}\nplan: {{step: 0.1}}\n",
      fmu(GetParam(), "integrator"));
  const ReferenceSummary summary = of(text, {Solution::halving, 1e-3});
  ASSERT_GE(summary.halvings.size(), 5u);
  EXPECT_FALSE(summary.halvings[1].apart);  // both diverged
  EXPECT_NEAR(column(result(), "a.y").back(), 1.0, 1e-3);
}

TEST_P(StepHalving, monolithic_is_refused_where_only_runs_are_possible) {
  EXPECT_NE(refusal_of(masses(), {Solution::monolithic}).find("there is no monolithic solution"), std::string::npos);
}

// An impulse is as high as its step is short: its column never agrees.
TEST_P(StepHalving, runs_that_come_no_closer_are_given_up_with_how_far_they_were) {
  const std::string said = refusal_of(fmt::format("seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  i: {{model: impulse, set: "
                                                  "{{area: 1}}}}\nconnections: [i.y -> a.u]\n"
                                                  "experiment: {{stop: 1}}\nplan: {{step: 0.1}}\n",
                                                  fmu(GetParam(), "integrator")),
                                      {Solution::halving, 1e-6});
  EXPECT_NE(said.find("no two runs agree"), std::string::npos) << said;
  EXPECT_NE(said.find("apart)"), std::string::npos) << said;
}

TEST_P(StepHalving, an_event_between_communication_points_is_refused_since_it_would_move) {
  const std::string said = refusal_of(masses(", events: [{from: 0.2034, to: 0.31, override: {l.x_in: 0.1}}]"));
  EXPECT_NE(said.find("put it on a communication point"), std::string::npos) << said;
  EXPECT_LE(*of(masses(", events: [{from: 0.2, to: 0.3, override: {l.x_in: 0.1}}]"), {Solution::automatic, 1e-2})
                 .halvings.back()
                 .apart,
            1e-2);
}

}  // namespace
}  // namespace seam::engine
