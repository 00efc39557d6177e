// What a plan leaves to analysis: chosen as analyze and tune would, and nowhere chosen without a reason.
#include "seam/engine/predict/auto_plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "support/pair.hpp"

namespace seam::engine {
namespace {

using system::Feedthrough;
using testing::PairOfMasses;

/// The pair with this plan, as YAML in one line.
System planned(const std::string& plan, const Changes& changes = {}) {
  const std::string all = PairOfMasses{}.yaml();
  return open_text(all.substr(0, all.find("plan:")) + "plan: " + plan + "\n", "pair.yaml", changes);
}

std::string refusal(const std::string& plan) {
  try {
    planned(plan);
  } catch (const base::ProblemsFound& found) {
    return found.what();
  }
  ADD_FAILURE() << plan << " was not refused";
  return {};
}

std::string coupling_of(const System& system, std::size_t connection) {
  return coupling::describe(system.plan.connections[connection]);
}

std::string why(const System& system, const std::string& entry) {
  for (const system::ChosenEntry& chosen : system.description.plan.chosen) {
    if (chosen.entry == entry) return chosen.value + ": " + chosen.why;
  }
  return {};
}

TEST(AutoPlan, coupling_is_the_one_that_analyze_recommends_at_this_step) {
  for (const char* step : {"10 ms", "30 ms"}) {
    const System system = planned(fmt::format("{{step: {}, coupling: auto}}", step));
    const Outlook outlook = look_ahead(planned(fmt::format("{{step: {}}}", step)), {});
    ASSERT_TRUE(outlook.recommendation) << step;
    for (std::size_t i = 0; i < system.plan.connections.size(); ++i)
      EXPECT_EQ(coupling_of(system, i), outlook.recommendation->coupling) << step;
    EXPECT_EQ(system.plan.subsystems[0].feedthrough, outlook.recommendation->feedthrough) << step;
    EXPECT_EQ(look_ahead(system, {}).verdict(), Outlook::Verdict::stable) << step;
    EXPECT_NE(why(system, "coupling").find("expected error"), std::string::npos);
    EXPECT_FALSE(system.description.plan.has_auto());
  }
}

TEST(AutoPlan, feedthrough_that_somebody_said_stays) {
  const System held = planned("{step: 10 ms, coupling: auto, feedthrough: held}");
  EXPECT_EQ(held.plan.subsystems[0].feedthrough, Feedthrough::held);
  EXPECT_EQ(coupling_of(held, 0), "soh");
  const System one = planned("{step: 10 ms, coupling: auto, subsystems: {left: {feedthrough: held}}}");
  EXPECT_EQ(one.plan.subsystems[0].feedthrough, Feedthrough::held);
}

TEST(AutoPlan, single_connections_are_chosen_and_the_others_stay) {
  const System system = planned("{step: 10 ms, coupling: foh, connections: {left.x_in: auto}}");
  EXPECT_EQ(coupling_of(system, 0), "foh");
  EXPECT_EQ(coupling_of(system, 1), "foh");
  EXPECT_NE(coupling_of(system, 2), "zoh");  // right.x1 -> left.x_in: with zoh it would be most of the error
  EXPECT_EQ(system.plan.subsystems[0].feedthrough, Feedthrough::held);  // no other one was asked for
  EXPECT_NE(why(system, "connections.left.x_in"), "");
  EXPECT_EQ(why(system, "coupling"), "");
}

TEST(AutoPlan, step_is_that_of_tune_with_the_same_target) {
  for (const double target : {0.01}) {
    const System system =
        planned(fmt::format("{{step: {{auto: {{target: {}, around: 10 ms}}}}, coupling: auto}}", target));
    const Tuned tuned = tune(planned("{step: 10 ms}"), {target, {}});
    EXPECT_LE(system.plan.step, tuned.step);  // a little shorter, if that divides the experiment
    EXPECT_GE(system.plan.step, 0.95 * tuned.step);
    EXPECT_EQ(coupling_of(system, 0), tuned.coupling);
    EXPECT_EQ(system.plan.subsystems[0].feedthrough, tuned.feedthrough);
  }
}

TEST(AutoPlan, step_does_not_depend_on_the_stop_time) {
  std::vector<double> steps;
  for (const char* stop : {"0.7 s", "1 s", "3.3 s", "10 s", "29.7 s", "100 s", "297 s", "1000 s"}) {
    Changes changes;
    changes.stop = stop;
    steps.push_back(planned("{step: {auto: {target: 0.02}}, coupling: foh}", changes).plan.step);
    EXPECT_NEAR(steps.back(), steps.front(), 0.05 * steps.front()) << stop;
  }
}

TEST(AutoPlan, step_is_a_multiple_of_micro_steps_that_are_given_wherever_the_search_begins) {
  for (const char* around : {"", ", around: 5 ms"}) {
    const System system = planned(fmt::format(
        "{{step: {{auto: {{target: 0.1{}}}}}, coupling: foh, subsystems: {{\"*\": {{micro_step: 0.7 ms}}}}}}", around));
    EXPECT_NEAR(system.plan.step / 0.7e-3, std::round(system.plan.step / 0.7e-3), 1e-9) << around;
    EXPECT_GT(system.plan.step, 2e-3) << around;
  }
}

TEST(AutoPlan, step_alone_keeps_the_method) {
  const System zoh = planned("{step: {auto: {target: 0.1}}, coupling: zoh}");
  EXPECT_EQ(coupling_of(zoh, 0), "zoh");
  const System soh = planned("{step: {auto: {target: 0.1}}, coupling: soh}");
  EXPECT_GT(soh.plan.step, 2.0 * zoh.plan.step);
  const auto error = look_ahead(zoh, {}).methods.front().error;
  ASSERT_TRUE(error);
  EXPECT_LE(*error, 0.12);  // the band moves a little with the step
}

// The start excites both modes: the run itself has to be about as accurate as it was asked to be.
TEST(AutoPlan, the_run_is_as_accurate_as_the_target) {
  for (const double target : {0.05, 0.01}) {
    const System system = planned(fmt::format("{{step: {{auto: {{target: {}}}}}, coupling: auto}}", target));
    const MemoryRun run = run_in_memory(system, {});
    const ReferenceTable exact = reference_in_memory(system, {}, {});
    ASSERT_EQ(run.table.names, exact.table.names);
    for (std::size_t c = 1; c < run.table.columns.size(); ++c) {
      double mean = 0.0, square = 0.0, apart = 0.0;
      const auto rows = static_cast<double>(run.table.rows());
      for (std::size_t i = 0; i < run.table.rows(); ++i) {
        mean += exact.table.columns[c][i] / rows;
        square += std::pow(exact.table.columns[c][i], 2) / rows;
        apart += std::pow(run.table.columns[c][i] - exact.table.columns[c][i], 2) / rows;
      }
      EXPECT_LT(std::sqrt(apart / (square - mean * mean)), 3.0 * target) << run.table.names[c];
    }
  }
}

TEST(AutoPlan, schedule_is_chosen_by_the_error) {
  const System system = planned("{step: 10 ms, coupling: zoh, schedule: auto}");
  const Outlook jacobi = look_ahead(planned("{step: 10 ms, coupling: zoh}"), {});
  const Outlook in_turn = look_ahead(planned("{step: 10 ms, coupling: zoh, schedule: gauss-seidel}"), {});
  const bool gains = *in_turn.methods.front().error < 0.3 * *jacobi.methods.front().error;
  EXPECT_EQ(system.plan.schedule == system::Schedule::Kind::gauss_seidel, gains);
  EXPECT_NE(why(system, "schedule"), "");
  // Where Jacobi is not stable and Gauss-Seidel is, that decides.
  const System needed = planned("{step: 25 ms, coupling: zoh, feedthrough: held, schedule: auto}");
  EXPECT_EQ(look_ahead(needed, {}).verdict(), Outlook::Verdict::stable);
  EXPECT_EQ(needed.plan.schedule, system::Schedule::Kind::gauss_seidel);
}

TEST(AutoPlan, what_was_chosen_is_the_resolved_file_and_loads_to_the_same_plan) {
  for (const char* plan : {"{step: {auto: {target: 0.01}}, coupling: foh, schedule: auto}",
                           "{step: 10 ms, coupling: auto, schedule: auto}"}) {
    const System system = planned(plan);
    const std::string text = resolved_text(system);
    EXPECT_NE(text.find("# auto: "), std::string::npos) << text;
    const System again = open_text(text, "again.yaml", {});
    EXPECT_FALSE(again.description.plan.has_auto());
    EXPECT_EQ(again.plan.step, system.plan.step);
    EXPECT_EQ(coupling_of(again, 0), coupling_of(system, 0));
    EXPECT_EQ(again.plan.schedule, system.plan.schedule);
    EXPECT_EQ(again.plan.order, system.plan.order);
    EXPECT_EQ(again.plan.subsystems[0].feedthrough, system.plan.subsystems[0].feedthrough);
  }
}

TEST(AutoPlan, flags_are_as_the_file) {
  Changes changes;
  changes.step = "auto,target=0.1,around=10ms";
  EXPECT_EQ(planned("{step: 1 ms, coupling: foh}", changes).plan.step,
            planned("{step: {auto: {target: 0.1, around: 10 ms}}, coupling: foh}").plan.step);
  changes = {};
  changes.coupling = "auto";
  changes.schedule = "auto";
  const System by_flags = planned("{step: 10 ms, coupling: zoh, connections: {left.x_in: foh}}", changes);
  const System by_file = planned("{step: 10 ms, coupling: auto, schedule: auto}");
  EXPECT_EQ(by_flags.plan.schedule, by_file.plan.schedule);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(coupling_of(by_flags, i), coupling_of(by_file, i));
  changes = {};
  changes.step = "2ms";
  EXPECT_EQ(planned("{step: auto}", changes).plan.step, 2e-3);
}

TEST(AutoPlan, where_nothing_can_be_decided_it_is_a_problem_that_says_what_to_do) {
  EXPECT_NE(refusal("{step: 0.5 s, coupling: auto}").find("no method is known to be stable"), std::string::npos);
  EXPECT_NE(refusal("{step: 0.5 s, coupling: auto}").find("use a smaller step"), std::string::npos);
  EXPECT_NE(refusal("{step: {auto: {target: 1e-30}}}").find("no step and method reaches"), std::string::npos);
  EXPECT_NE(refusal("{step: 1 ms, coupling: auto, corrector: plc}").find("\"plc\" leaves of the error"),
            std::string::npos);
  EXPECT_NE(refusal("{step: {auto: {target: 0}}}").find("cannot be reached"), std::string::npos);
  EXPECT_NE(refusal("{step: {auto: {around: 0}}}").find("above 0 s"), std::string::npos);
  EXPECT_NE(refusal("{step: {auto: {traget: 1}}}").find("target"), std::string::npos);
  EXPECT_NE(refusal("{step: 1 ms, coupling: {auto: {samples: micro}}}").find("has no parameter"), std::string::npos);
  EXPECT_NE(refusal("{step: auto, subsystems: {left: {step: 5 ms}}}").find("a step of its own"), std::string::npos);
}

TEST(AutoPlan, a_step_without_a_stop_time_needs_to_know_where_to_begin) {
  const std::string all = PairOfMasses{}.yaml();
  const std::string text = all.substr(0, all.find("experiment:"));
  EXPECT_THROW(open_text(text + "plan: {step: auto}\n", "pair.yaml", {}), base::ProblemsFound);
  EXPECT_GT(open_text(text + "plan: {step: {auto: {around: 1 ms}}}\n", "pair.yaml", {}).plan.step, 0.0);
}

TEST(AutoPlan, may_be_left_as_it_is) {
  Changes changes;
  changes.autos = Changes::Autos::left;
  const System system = planned("{step: {auto: {target: 0.02}}, coupling: auto, schedule: auto}", changes);
  EXPECT_TRUE(system.description.plan.has_auto());
  const std::string text = resolved_text(system);
  EXPECT_NE(text.find("coupling: auto"), std::string::npos) << text;
  EXPECT_NE(text.find("schedule: auto"), std::string::npos) << text;
  EXPECT_NE(text.find("target: 0.02"), std::string::npos) << text;
  EXPECT_EQ(text.find("solver_step"), std::string::npos) << text;  // it follows a step that is not known yet
  const System again = open_text(text, "again.yaml", changes);
  EXPECT_EQ(again.description.plan.auto_step->target, 0.02);
  EXPECT_FALSE(again.description.plan.feedthrough);  // it is chosen with the coupling
  EXPECT_TRUE(again.description.plan.coupling->is_auto());
}

class FmuAutoPlan : public FmuWorkshop {
 protected:
  System masses(const std::string& left, const std::string& plan, const Changes& changes = {}) const {
    return open_text(fmt::format("seam: 1\nsubsystems:\n  l: {{fmu: {}}}\n  r: {{fmu: {}}}\nconnections: [l.F -> "
                                 "r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nexperiment: {{stop: 1}}\nplan: {}\n",
                                 fmu(2, left), fmu(3, "two-mass-right-poor"), plan),
                     folder_.file("system.yaml"), changes);
  }
};

TEST_F(FmuAutoPlan, black_boxes_are_probed_and_get_what_the_equations_inside_them_would) {
  const System system = masses("two-mass-left-poor", "{step: {auto: {target: 0.2, around: 5 ms}}, coupling: zoh}");
  const System native = planned("{step: {auto: {target: 0.2, around: 5 ms}}, coupling: zoh}");
  EXPECT_NEAR(system.plan.step, native.plan.step, 0.15 * native.plan.step);  // natively all outputs are known
  EXPECT_EQ(coupling_of(masses("two-mass-left-poor", "{step: 10 ms, coupling: auto}"), 0), "soh");
}

TEST_F(FmuAutoPlan, what_cannot_be_probed_is_a_problem_and_check_need_not_probe) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n  a: {{fmu: {}}}\n  g: {{model: gain, set: {{k: -1}}}}\nconnections: [a.y -> "
      "g.u, g.y -> a.u]\nexperiment: {{stop: 1}}\nplan: {{step: 0.1, coupling: auto}}\n",
      fmu(2, "bad-error"));
  try {
    open_text(text, folder_.file("system.yaml"), {});
    FAIL();
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find("cannot be decided"), std::string::npos) << found.what();
    EXPECT_NE(std::string(found.what()).find("\"a\""), std::string::npos) << found.what();
  }
  Changes changes;
  changes.autos = Changes::Autos::without_fmus;
  EXPECT_TRUE(open_text(text, folder_.file("system.yaml"), changes).description.plan.has_auto());
}

}  // namespace
}  // namespace seam::engine
