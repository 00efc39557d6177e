// What is recorded inside macro steps.
#include "seam/engine/run/micro_recording.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/fmu_workshop.hpp"
#include "seam/engine/run/memory_run.hpp"

namespace seam::engine {
namespace {

/// A ramp of slope 3 and what hears it: a gain, whose output follows its input at once.
std::string ramp(const std::string& plan, const std::string& record) {
  return "seam: 1\nsubsystems:\n"
         "  ramp: {model: state-space, set: {A: [[0]], B: [[1]], x0: [0]}}\n"
         "  gain: {model: gain, set: {k: 2}, input_signal: stepped}\n"
         "  slope: {model: constant, set: {value: 3}}\n"
         "connections: [ramp.y -> gain.u, slope.y -> ramp.u]\n"
         "experiment: {stop: 0.055}\nplan: {" +
         plan + "}\nrecord: {" + record + "}\n";
}

MemoryRun run(const std::string& text) { return run_in_memory(open_text(text, "test.yaml", {}), {}); }

std::vector<double> column(const formats::Table& table, const std::string& name) {
  const std::vector<double>* found = table.find(name);
  return found ? *found : std::vector<double>{};
}

TEST(MicroRecording, has_one_row_a_micro_step_at_its_begin_also_in_a_shorter_last_step) {
  const MemoryRun ran = run(ramp("step: 10 ms, subsystems: {ramp: {micro_step: 2.5 ms}}", "micro: [ramp.*]"));
  ASSERT_EQ(ran.micro.size(), 1u);
  const formats::Table& table = ran.micro[0];
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "ramp.y", "ramp.u"}));
  ASSERT_EQ(table.rows(), 22u);  // 5 steps of 4, and two of the half step at the end
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double t = 0.0025 * static_cast<double>(i);
    EXPECT_NEAR(table.columns[0][i], t, 1e-15);
    EXPECT_NEAR(column(table, "ramp.y")[i], 3.0 * t, 1e-14);
    EXPECT_EQ(column(table, "ramp.u")[i], 3.0);  // it follows a signal known ahead of time
  }
}

TEST(MicroRecording, outputs_follow_the_input_of_their_own_micro_step) {
  const MemoryRun ran =
      run(ramp("step: 10 ms, coupling: foh, subsystems: {gain: {micro_step: 2.5 ms}}", "micro: [gain.*]"));
  const formats::Table& table = ran.micro.at(0);
  ASSERT_EQ(table.rows(), 22u);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    // The first step knows no slope yet; from then on the extrapolated ramp is the ramp.
    const double expected = i < 4 ? 0.0 : 3.0 * 0.0025 * static_cast<double>(i);
    EXPECT_NEAR(column(table, "gain.u")[i], expected, 1e-14) << i;
    EXPECT_EQ(column(table, "gain.y")[i], 2.0 * column(table, "gain.u")[i]) << i;
  }
}

TEST(MicroRecording, slow_subsystems_have_their_own_steps) {
  const MemoryRun ran =
      run(ramp("step: 5 ms, subsystems: {ramp: {step: 55 ms, micro_step: 11 ms}, gain: {micro_step: 5 ms}}",
               "micro: [ramp.y, gain.u]"));
  ASSERT_EQ(ran.micro.size(), 2u);
  EXPECT_EQ(ran.micro[0].rows(), 5u);
  EXPECT_NEAR(column(ran.micro[0], "ramp.y")[4], 3.0 * 0.044, 1e-14);
  EXPECT_EQ(ran.micro[1].rows(), 11u);
}

TEST(MicroRecording, changes_nothing_but_the_last_digits_of_a_run) {
  const std::string plan = "step: 10 ms, coupling: foh";
  const MemoryRun plain = run(ramp(plan, "every: 10 ms"));
  const MemoryRun recorded = run(ramp(plan, "micro: [ramp.outputs]"));
  ASSERT_EQ(plain.table.rows(), recorded.table.rows());
  for (std::size_t i = 0; i < plain.table.rows(); ++i)
    EXPECT_NEAR(column(plain.table, "ramp.y")[i], column(recorded.table, "ramp.y")[i], 1e-15);
}

void expect_problem(const std::string& record, const std::string& words, const std::string& plan = "step: 10 ms") {
  try {
    run(ramp(plan, record));
    ADD_FAILURE() << "no problem: " << record;
  } catch (const base::ProblemsFound& found) {
    EXPECT_NE(std::string(found.what()).find(words), std::string::npos) << found.what();
  }
}

TEST(MicroRecording, patterns_that_choose_nothing_are_problems) {
  expect_problem("micro: [ramp.z]", "no variable matches \"ramp.z\"");
  expect_problem("micro: [slope.y]", "slope.y is a signal known at every time");
  expect_problem("micro: [ramp.y]", "not possible with events: shared", "step: 10 ms, events: shared");
}

/// Two masses on springs by fixed steps, whose micro samples wait for many macro steps.
std::string masses(const std::string& plan) {
  const auto mass = [](const char* name, const char* coupling) {
    return fmt::format(
        "  {}: {{model: mass-chain, solver: rk4, solver_step: 1 ms, set: {{masses: [2 kg], x0: [0.1], "
        "to_ground: {{k: 300, d: 1}}, coupling: {}}}}}\n",
        name, coupling);
  };
  return "seam: 1\nsubsystems:\n" + mass("one", "{kind: spring-velocity, k: 50, d: 2}") + mass("two", "{kind: force}") +
         "connections: [one.F -> two.F_in, two.v1 -> one.v_in]\n" + "experiment: {stop: 3}\nplan: {" + plan +
         "}\nrecord: {variables: [\"*.v1\"], micro: [\"*.v1\", one.v_in]}\n";
}

TEST(MicroRecording, at_communication_points_is_what_is_recorded_there_however_many_steps_wait) {
  for (const std::string plan :
       {"step: 1 ms", "step: 10 ms, coupling: soh, subsystems: {one: {micro_step: 1 ms}, two: {micro_step: 2 ms}}",
        "step: 2 ms, coupling: foh, subsystems: {one: {step: 6 ms, micro_step: 1 ms}, two: {micro_step: 1 ms}}"}) {
    const MemoryRun ran = run(masses(plan));
    ASSERT_EQ(ran.micro.size(), 2u) << plan;
    for (const formats::Table& micro : ran.micro) {
      const std::string name = micro.names[1];
      const std::vector<double>&points = column(ran.table, name), &times = ran.table.columns[0];
      std::size_t met = 0;
      for (std::size_t i = 0; i < micro.rows(); ++i) {
        if (i > 0) {
          ASSERT_GT(micro.columns[0][i], micro.columns[0][i - 1]) << plan << " row " << i;
        }
        for (; met < times.size() && times[met] < micro.columns[0][i] - 1e-9; ++met) {
        }
        const bool arrived = micro.names[1] != "one.v1" || met % 3 == 0 || plan.find("6 ms") == std::string::npos;
        if (met < times.size() && times[met] < micro.columns[0][i] + 1e-9 && arrived) {
          EXPECT_EQ(micro.columns[1][i], points[met]) << plan << ' ' << name << " at " << times[met];
        }
      }
      EXPECT_GE(met, 299u) << plan;
    }
  }
}

TEST(MicroRecording, is_the_same_whatever_else_is_kept) {
  const System system = open_text(masses("step: 10 ms, subsystems: {one: {micro_step: 1 ms}}"), "test.yaml", {});
  const MemoryRun all = run_in_memory(system, {});
  std::vector<formats::Table> spare = {{{"old"}, {""}, {{1.0, 2.0, 3.0}}}};
  const MemoryRun bare = run_in_memory(system, {}, {Kept::nothing, &spare});
  EXPECT_TRUE(spare.empty());
  EXPECT_EQ(bare.table.rows() + bare.states.rows(), 0u);
  ASSERT_EQ(bare.micro.size(), all.micro.size());
  for (std::size_t i = 0; i < all.micro.size(); ++i) {
    EXPECT_EQ(bare.micro[i].names, all.micro[i].names);
    EXPECT_EQ(bare.micro[i].columns, all.micro[i].columns);
  }
}

using MicroRecordingOfFmus = FmuWorkshop;

TEST_F(MicroRecordingOfFmus, splits_the_step_of_an_fmu_and_says_so) {
  for (const int version : {2, 3}) {
    const std::string text =
        "seam: 1\nsubsystems:\n  lag: {fmu: " + fmu(version, "integrator") +
        ", set: {u: 2}}\nexperiment: {stop: 0.1}\n"
        "plan: {step: 50 ms, subsystems: {lag: {micro_step: 10 ms}}}\nrecord: {variables: [lag.y], micro: [lag.y]}\n";
    const RunSummary summary = run_text(text);
    ASSERT_EQ(summary.micro.size(), 1u);
    EXPECT_EQ(summary.micro[0].rows, 10u);
    EXPECT_EQ(summary.micro[0].file, folder_.file("result.micro.lag.csv"));
    EXPECT_TRUE(std::any_of(summary.notices.begin(), summary.notices.end(), [](const std::string& notice) {
      return notice.starts_with("lag is stepped in 5 parts because record.micro asks");
    }));
    base::Problems problems;
    const formats::Table table = formats::read_csv(summary.micro[0].file, problems);
    ASSERT_TRUE(problems.empty()) << problems.text();
    for (std::size_t i = 0; i < table.rows(); ++i)
      EXPECT_NEAR(column(table, "lag.y")[i], 0.02 * static_cast<double>(i), 1e-12) << i;
  }
}

}  // namespace
}  // namespace seam::engine
