// Outputs of co-simulation FMUs that follow an input at once and are sent held: measured in a run, told by analysis.
#include "seam/engine/predict/held_feedthrough.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"

namespace seam::engine {
namespace {

class HeldOutputs : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  /// x' = 1 -> y = 3 u by an FMU -> an integrator.
  std::string ramp(const std::string& fmu_name, const std::string& more, const std::string& plan) const {
    return fmt::format(
        "seam: 1\nsubsystems:\n  c: {{model: constant, set: {{value: 1}}}}\n"
        "  a: {{model: state-space, set: {{A: [[0]], B: [[1]], C: [[1]]}}}}\n"
        "  g: {{fmu: {}{}}}\n  b: {{model: state-space, set: {{A: [[0]], B: [[1]], C: [[1]]}}}}\n"
        "connections: [c.y -> a.u, a.y -> g.u, g.y -> b.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.05{}}}\n"
        "record: {{coupling: [feedthrough]}}\n",
        fmu(GetParam(), fmu_name), more, plan);
  }
  std::string gain(const std::string& more = {}, const std::string& plan = {}) const {
    return ramp("gain", ", set: {k: 3}" + more, plan);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, HeldOutputs, ::testing::Values(2, 3));

// With zoh every step ends with an input that is H old: 3 H are lacking. The output itself is 3 (n - 1) H after n
// steps.
TEST_P(HeldOutputs, lack_what_their_inputs_have_changed_by) {
  const RunSummary summary = run_text(gain());
  ASSERT_EQ(summary.held_outputs.size(), 1u);
  const HeldOutput& held = summary.held_outputs.front();
  EXPECT_EQ(held.output, "g.y");
  EXPECT_EQ(held.inputs, std::vector<std::string>{"g.u"});
  EXPECT_NEAR(held.lacking, 0.15, 1e-12);
  double squares = 0.0;
  for (int n = 1; n <= 20; ++n) squares += std::pow(0.15 * (n - 1), 2);
  EXPECT_NEAR(held.size, std::sqrt(squares / 20.0), 1e-12);
  ASSERT_EQ(held.ways.size(), 2u);
  EXPECT_EQ(held.ways[0], "feedthrough: fresh, by its directional derivatives");
  EXPECT_EQ(held.ways[1], "interface: me with feedthrough: fresh");
}

TEST_P(HeldOutputs, lack_less_with_a_hold_of_first_order) {
  const RunSummary summary = run_text(gain("", ", coupling: foh"));
  ASSERT_EQ(summary.held_outputs.size(), 1u);
  EXPECT_LT(summary.held_outputs.front().lacking, 0.15 / 3.0);
}

TEST_P(HeldOutputs, are_none_where_outputs_are_fresh_or_nothing_is_known) {
  EXPECT_TRUE(run_text(gain("", ", feedthrough: fresh")).held_outputs.empty());
  EXPECT_TRUE(run_text(gain(", interface: me")).held_outputs.empty());
  EXPECT_TRUE(run_text(ramp("limiter-poor", ", set: {low: -9, high: 9}", "")).held_outputs.empty());
  EXPECT_TRUE(run_text(ramp("integrator", "", "")).held_outputs.empty());
}

TEST_P(HeldOutputs, are_told_before_a_run_with_the_way_that_the_fmu_offers) {
  const auto looked_at = [&](const std::string& text) {
    const System system = open_text(text, folder_.file("system.yaml"), {});
    return held_feedthrough(system, look_ahead(system, {}));
  };
  const HeldFeedthrough able = looked_at(gain());
  ASSERT_EQ(able.ports.size(), 1u);
  EXPECT_EQ(able.ports[0].output, "g.y");
  EXPECT_EQ(able.ports[0].inputs, std::vector<std::string>{"g.u"});
  EXPECT_NEAR(able.ports[0].gain, 3.0, 1e-9);
  EXPECT_EQ(able.ports[0].ways.size(), 2u);
  ASSERT_TRUE(able.held && able.fresh);
  EXPECT_GT(*able.held, *able.fresh);
  const HeldFeedthrough poor = looked_at(ramp("limiter-poor", ", set: {low: -9, high: 9}", ""));
  ASSERT_EQ(poor.ports.size(), 1u);
  EXPECT_NEAR(poor.ports[0].gain, 1.0, 1e-6);
  EXPECT_TRUE(poor.ports[0].ways.empty());
  EXPECT_TRUE(looked_at(gain("", ", feedthrough: fresh")).ports.empty());
}

}  // namespace
}  // namespace seam::engine
