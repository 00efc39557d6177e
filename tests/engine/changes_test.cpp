#include "seam/engine/open/completion.hpp"

#include <gtest/gtest.h>

namespace seam::engine {
namespace {

const std::string pair_with_a_plan =
    "seam: 1\nsubsystems:\n  a: {model: state-space, set: {A: [[-1]], B: [[1]], x0: [1]}}\n"
    "  b: {model: state-space, set: {A: [[-1]], B: [[1]]}}\nconnections: [a.y -> b.u, b.y -> a.u]\n"
    "experiment: {start: 0, stop: 1}\n"
    "plan: {step: 0.1, coupling: zoh, connections: {a.u: soh}, subsystems: {a: {feedthrough: fresh}}}\n"
    "record: {every: 0.5, variables: [a.y]}\n";

System changed(const Changes& changes) { return open_text(pair_with_a_plan, "test.yaml", changes); }

std::string problems_of(const Changes& changes) {
  try {
    changed(changes);
  } catch (const base::ProblemsFound& found) {
    return found.what();
  }
  return {};
}

TEST(Changes, none_leave_the_file_as_it_is) {
  const System system = changed({});
  EXPECT_EQ(system.plan.step, 0.1);
  EXPECT_EQ(system.description.experiment.stop, 1.0);
  EXPECT_EQ(system.plan.connections[0].name, "zoh");
  EXPECT_EQ(system.plan.connections[1].name, "soh");
}

TEST(Changes, times_win_over_the_file_with_or_without_a_unit) {
  Changes changes;
  changes.start = "1 s";
  changes.stop = "2";
  changes.step = "50ms";
  changes.every = "100 ms";
  const System system = changed(changes);
  EXPECT_EQ(system.description.experiment.start, 1.0);
  EXPECT_EQ(system.description.experiment.stop, 2.0);
  EXPECT_EQ(system.plan.step, 0.05);
  EXPECT_EQ(system.description.record.every, 0.1);
}

TEST(Changes, a_coupling_holds_for_all_connections) {
  Changes changes;
  changes.coupling = "foh,samples=micro";
  for (const system::Coupling& coupling : changed(changes).plan.connections) {
    EXPECT_EQ(coupling.name, "foh");
    EXPECT_EQ(coupling.samples, system::Samples::micro);
  }
}

TEST(Changes, feedthrough_holds_for_all_subsystems) {
  Changes changes;
  changes.feedthrough = "held";
  for (const system::SubsystemPlan& plan : changed(changes).plan.subsystems) {
    EXPECT_EQ(plan.feedthrough, system::Feedthrough::held);
  }
}

TEST(Changes, variables_replace_those_of_the_file) {
  Changes changes;
  changes.variables = {"b.*", "a.u"};
  EXPECT_EQ(changed(changes).description.record.variables, changes.variables);
}

TEST(Changes, a_problem_shows_the_flag_as_it_was_written) {
  Changes changes;
  changes.coupling = "foh,samples=nano";
  const std::string problems = problems_of(changes);
  EXPECT_NE(problems.find("--coupling:1:13:"), std::string::npos) << problems;
  EXPECT_NE(problems.find("   1 | foh,samples=nano\n     |             ^^^^\n"), std::string::npos) << problems;
}

TEST(Changes, a_parameter_without_value_is_a_problem) {
  for (const char* coupling : {"foh,samples", "foh,=micro", "foh,", ""}) {
    Changes changes;
    changes.coupling = coupling;
    EXPECT_NE(problems_of(changes).find("--coupling:1:"), std::string::npos) << coupling;
  }
}

TEST(Changes, a_step_that_the_rest_of_the_file_does_not_fit_is_a_problem) {
  Changes changes;
  changes.step = "0.3";
  EXPECT_NE(problems_of(changes).find("every"), std::string::npos);  // 0.5 s is no multiple of it
}

}  // namespace
}  // namespace seam::engine
