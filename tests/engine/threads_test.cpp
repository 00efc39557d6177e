// Runs with several threads: the same to the bit, each FMU on its own thread, and the same words when something goes
// wrong.
#include "seam/engine/run/threads.hpp"

#include <fmt/format.h>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;
using stepping::Verdict;

class ThreadsOfFmus : public FmuWorkshop {
 protected:
  ThreadsOfFmus() { ::setenv("SEAM_STRICT_LOG", log().c_str(), 1); }
  ~ThreadsOfFmus() override { ::unsetenv("SEAM_STRICT_LOG"); }
  std::string log() const { return folder_.file("illegal-calls"); }
  std::string illegal_calls() const { return std::filesystem::exists(log()) ? formats::read_text(log()) : ""; }

  /// A ring of as many as there are parts.
  static std::string ring(const std::vector<std::string>& parts, const std::string& plan,
                          const std::string& experiment = "stop: 1") {
    std::string subsystems, connections;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      subsystems += fmt::format("  s{}: {}\n", i, parts[i]);
      connections += fmt::format("  - s{}.y -> s{}.u\n", i, (i + 1) % parts.size());
    }
    return fmt::format("seam: 1\nsubsystems:\n{}connections:\n{}experiment: {{{}}}\nplan: {{{}}}\n", subsystems,
                       connections, experiment, plan);
  }
  std::vector<std::string> strict_parts() const {
    std::vector<std::string> parts;
    for (int i = 0; i < 5; ++i)
      parts.push_back(fmt::format("{{fmu: {}, set: {{k: {}, x0: {}}}}}", fmu(2 + i % 2, "strict"), 1 + 0.3 * i, i));
    parts.push_back("{model: state-space, set: {A: [[-1]], B: [[1]], C: [[1]], D: [[0]], x0: [2]}}");
    parts.push_back("{model: state-space, solver: cvode, set: {A: [[-2]], B: [[1]], C: [[1]], D: [[0]], x0: [3]}}");
    return parts;
  }
  std::string result_text() const { return formats::read_text(folder_.file("result.csv")); }
  System system(const std::string& text) const { return open_text(text, folder_.file("system.yaml"), {}); }

  /// The result of a run, in which no subsystem was called on a foreign thread.
  std::string result_with(const std::string& threads, const std::vector<std::string>& parts, const std::string& plan,
                          const std::string& experiment = "stop: 1") const {
    const RunSummary summary = run_text(ring(parts, plan + ", threads: " + threads, experiment));
    EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
    EXPECT_EQ(summary.threads, threads == "1" ? 1 : std::stoi(threads.substr(threads.find(':') + 1)));
    EXPECT_EQ(illegal_calls(), "");
    return result_text();
  }
};

TEST_F(ThreadsOfFmus, results_are_equal_to_the_bit_and_every_fmu_stays_on_one_thread) {
  for (const char* plan :
       {"step: 0.125", "step: 0.125, coupling: foh", "step: 0.03125, coupling: soh, feedthrough: fresh",
        "step: 0.125, coupling: foh, subsystems: {\"*\": {micro_step: 0.03125}}",
        "step: 0.0625, subsystems: {s1: {step: 0.125}, s3: {step: 0.25}, s5: {step: 0.5}}"}) {
    const std::string alone = result_with("1", strict_parts(), plan);
    for (const char* threads : {"always:2", "always:3", "always:8"})
      EXPECT_EQ(result_with(threads, strict_parts(), plan), alone) << threads << " " << plan;
  }
}

TEST_F(ThreadsOfFmus, shorter_last_step_and_events_of_the_experiment_are_the_same) {
  const std::string experiment =
      "stop: 1.05, events: [{at: 0.25, set: {s0.k: 3}}, {from: 0.3, to: 0.7, override: {s1.u: 4, s5.u: 1}}]";
  const std::string alone = result_with("1", strict_parts(), "step: 0.125", experiment);
  EXPECT_EQ(result_with("always:3", strict_parts(), "step: 0.125", experiment), alone);
}

TEST_F(ThreadsOfFmus, event_mode_and_model_exchange_are_the_same) {
  const auto text = [&](const std::string& threads) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {0}, event_mode: always}}\n  b: {{fmu: {1}, event_mode: always}}\n"
        "  c: {{fmu: {2}, interface: me}}\n  d: {{fmu: {3}, interface: me}}\n  e: {{fmu: {0}}}\n"
        "connections: [c.x -> d.u]\nexperiment: {{stop: 2}}\nplan: {{step: 0.1, threads: {4}}}\n"
        "record: {{variables: [\"**\"]}}\n",
        fmu(3, "bouncing-ball"), fmu(3, "strict-stair"), fmu(2, "van-der-pol"), fmu(3, "integrator"), threads);
  };
  EXPECT_EQ(run_text(text("1")).result.ending, Ending::completed);
  const std::string alone = result_text();
  for (const char* threads : {"always:2", "always:5"}) {
    EXPECT_EQ(run_text(text(threads)).result.ending, Ending::completed);
    EXPECT_EQ(result_text(), alone) << threads;
    EXPECT_EQ(illegal_calls(), "");
  }
}

TEST_F(ThreadsOfFmus, loops_at_the_start_and_defects_are_the_same) {
  const auto text = [&](const std::string& threads) {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {{fmu: {0}, set: {{x0: 1}}}}\n  b: {{fmu: {1}, set: {{x0: 2}}}}\n  c: {{fmu: "
        "{0}}}\n"
        "connections:\n  - {{from: a.z, to: b.u, gain: 0.5}}\n  - {{from: b.z, to: a.u, gain: 0.25}}\n  - b.z -> c.u\n"
        "experiment: {{stop: 1}}\nplan: {{step: 0.125, coupling: foh, threads: {2}}}\n"
        "record: {{variables: [\"*.outputs\", \"*.inputs\"], coupling: [defect]}}\n",
        fmu(2, "strict"), fmu(3, "strict"), threads);
  };
  const RunSummary alone = run_text(text("1"));
  EXPECT_EQ(alone.result.ending, Ending::completed) << alone.complaint;
  const std::string rows = result_text();
  EXPECT_NE(rows.find("defect"), std::string::npos);
  for (const char* threads : {"always:2", "always:3"}) {
    EXPECT_EQ(run_text(text(threads)).result.ending, Ending::completed);
    EXPECT_EQ(result_text(), rows) << threads;
    EXPECT_EQ(illegal_calls(), "");
  }
}

TEST_F(ThreadsOfFmus, a_state_saved_by_two_threads_is_taken_up_by_three) {
  const auto text = [&](const char* threads, const char* stop) {
    return ring(strict_parts(), fmt::format("step: 0.125, coupling: foh, threads: {}", threads),
                fmt::format("stop: {}", stop));
  };
  RunSettings save, go_on;
  save.final_state = go_on.initial_state = folder_.file("s.state");
  const auto last_row = [&] {
    const std::string all = result_text();
    return all.substr(all.rfind('\n', all.size() - 2));
  };
  ASSERT_EQ(run_text(text("1", "2")).result.ending, Ending::completed);
  const std::string alone = last_row();
  ASSERT_EQ(run_text(text("always:2", "1"), save).result.ending, Ending::completed);
  ASSERT_EQ(run_text(text("always:3", "2"), go_on).result.ending, Ending::completed);
  EXPECT_EQ(last_row(), alone);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_F(ThreadsOfFmus, a_failing_fmu_is_named_as_with_one_thread_and_of_two_the_first) {
  const auto parts = [&](int first, int second) {
    std::vector<std::string> all;
    for (int i = 0; i < 4; ++i)
      all.push_back(fmt::format("{{fmu: {}}}", fmu(2 + i % 2, i == first || i == second ? "bad-error" : "integrator")));
    return all;
  };
  for (const auto& [first, second] : {std::pair{3, 3}, {1, 2}, {0, 3}}) {
    const RunSummary alone = run_text(ring(parts(first, second), "step: 0.1, threads: 1"));
    const std::string rows = result_text();
    EXPECT_EQ(alone.result.ending, Ending::failed);
    EXPECT_NE(alone.complaint.find(fmt::format("s{} (", first)), std::string::npos) << alone.complaint;
    for (const char* threads : {"always:2", "always:4"}) {
      const RunSummary many = run_text(ring(parts(first, second), fmt::format("step: 0.1, threads: {}", threads)));
      EXPECT_EQ(many.result.ending, Ending::failed);
      EXPECT_EQ(many.complaint, alone.complaint);
      EXPECT_EQ(many.result.time, alone.result.time);
      EXPECT_EQ(result_text(), rows);
    }
  }
}

TEST_F(ThreadsOfFmus, a_wish_to_end_is_granted_as_with_one_thread) {
  std::vector<std::string> parts = strict_parts();
  parts[1] = fmt::format("{{fmu: {}, set: {{terminate_at: 0.3}}}}", fmu(3, "strict"));
  const RunSummary alone = run_text(ring(parts, "step: 0.125, threads: 1"));
  const std::string rows = result_text();
  const RunSummary many = run_text(ring(parts, "step: 0.125, threads: always:3"));
  EXPECT_EQ(alone.result.ending, Ending::ended_by_subsystem);
  EXPECT_EQ(many.result.ending, Ending::ended_by_subsystem);
  EXPECT_EQ(many.culprit, alone.culprit);
  EXPECT_EQ(result_text(), rows);
}

TEST_F(ThreadsOfFmus, an_fmu_that_cannot_be_made_is_a_problem_as_with_one_thread) {
  const std::string text =
      ring({fmt::format("{{fmu: {}}}", fmu(2, "integrator")), fmt::format("{{fmu: {}}}", fmu(2, "bad-token"))},
           "step: 0.1, threads: always:2");
  EXPECT_THROW(run_text(text), base::Error);
}

// Thread numbers are decided before anything is made.
TEST_F(ThreadsOfFmus, serial_instances_of_one_library_share_a_thread) {
  const std::string a = fmu(2, "integrator"), b = fmu(3, "integrator");
  const System serial = system(ring({fmt::format("{{fmu: {}, serial: true}}", a), fmt::format("{{fmu: {}}}", b),
                                     fmt::format("{{fmu: {}}}", a), fmt::format("{{fmu: {}}}", b)},
                                    "step: 0.1, threads: always:4"));
  const std::vector<int> threads = ThreadChoice(serial).assignment().thread_of_subsystem;
  EXPECT_EQ(threads[0], threads[2]);
  EXPECT_NE(threads[1], threads[3]);
  EXPECT_NE(threads[0], threads[1]);
}

/// After measuring these costs, s a step of each lane.
struct Judged {
  Judged(const System& system, const std::vector<double>& costs) : choice(system) {
    const Live live = make_live(system, {Horizon::experiment});
    if (choice.measures()) verdict = choice.judge({costs, 0.0}, {live.program, 10, 1e-3});
  }
  ThreadChoice choice;
  Verdict verdict = Verdict::go_on;
};

TEST_F(ThreadsOfFmus, measured_costs_decide_whether_and_how_threads_are_used) {
  const std::string part = fmt::format("{{fmu: {}}}", fmu(2, "integrator"));
  const System four = system(ring({part, part, part, part}, "step: 0.001, threads: 2"));
  const Judged heavy(four, {3.0, 1.0, 1.0, 1.0});
  EXPECT_EQ(heavy.verdict, Verdict::start_again);
  EXPECT_EQ(heavy.choice.threads(), 2);
  EXPECT_EQ(heavy.choice.assignment().thread_of_subsystem, (std::vector<int>{0, 1, 1, 1}));
  EXPECT_EQ(heavy.choice.words(), "2 threads: the steps of all subsystems take 6 s, shared out 3 s");

  const Judged light(four, {1e-9, 1e-9, 1e-9, 1e-9});
  EXPECT_EQ(light.verdict, Verdict::go_on);
  EXPECT_EQ(light.choice.threads(), 1);
  EXPECT_EQ(light.choice.words().rfind("one thread: the steps of all subsystems take 0.004 us, and with 2 threads ", 0),
            0u)
      << light.choice.words();
}

TEST_F(ThreadsOfFmus, a_run_that_is_too_short_to_start_again_goes_on) {
  const std::string part = fmt::format("{{fmu: {}}}", fmu(2, "integrator"));
  const System ten_steps = system(ring({part, part}, "step: 0.1, threads: 2"));
  const Judged judged(ten_steps, {1.0, 1.0});
  EXPECT_EQ(judged.verdict, Verdict::go_on);
  EXPECT_NE(judged.choice.words().find("less than starting it again costs"), std::string::npos);
}

TEST_F(ThreadsOfFmus, where_lanes_must_wait_for_each_other_there_is_one_thread_and_it_is_said) {
  const std::string part = fmt::format("{{fmu: {}}}", fmu(2, "integrator"));
  const RunSummary summary = run_text(ring({part, part}, "step: 0.1, schedule: gauss-seidel, threads: always:2"));
  EXPECT_EQ(summary.threads, 1);
  ASSERT_FALSE(summary.notices.empty());
  EXPECT_EQ(summary.notices.back(), "one thread: under gauss-seidel a subsystem waits for those before it");
}

TEST_F(ThreadsOfFmus, an_fmu_that_can_be_made_only_once_is_never_measured) {
  const std::vector<std::string> parts = {fmt::format("{{fmu: {}}}", fmu(2, "bad-single")),
                                          fmt::format("{{fmu: {}}}", fmu(2, "integrator"))};
  const System asked = system(ring(parts, "step: 0.1, threads: auto"));
  const ThreadChoice automatic(asked);
  EXPECT_FALSE(automatic.measures());
  EXPECT_EQ(automatic.threads(), 1);
  const RunSummary two = run_text(ring(parts, "step: 0.1, threads: 2"));
  EXPECT_EQ(two.result.ending, Ending::completed) << two.complaint;
  EXPECT_EQ(two.threads, 2);
}

// Long enough to be worth it, whatever else the machine does.
TEST_F(ThreadsOfFmus, a_run_started_again_has_the_result_of_one_that_was_not) {
  std::vector<std::string> parts;
  for (int i = 0; i < 4; ++i) parts.push_back(fmt::format("{{fmu: {}, set: {{burn: 300000}}}}", fmu(2, "heavy")));
  ASSERT_EQ(run_text(ring(parts, "step: 0.001, threads: 1", "stop: 1")).result.ending, Ending::completed);
  const std::string alone = result_text();
  const RunSummary measured = run_text(ring(parts, "step: 0.001, threads: 2", "stop: 1"));
  EXPECT_EQ(measured.result.ending, Ending::completed);
  EXPECT_EQ(measured.result.steps, 1000);
  EXPECT_EQ(measured.rows, 1001u);
  EXPECT_EQ(result_text(), alone);
  EXPECT_FALSE(measured.notices.empty());
}

}  // namespace
}  // namespace seam::engine
