// The strict FMU through every path of the engine: it writes down each call that the standard forbids.
#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/open/fmu_log.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class Strict : public FmuWorkshop, public ::testing::WithParamInterface<int> {
 protected:
  Strict() { ::setenv("SEAM_STRICT_LOG", log().c_str(), 1); }
  ~Strict() override { ::unsetenv("SEAM_STRICT_LOG"); }

  std::string log() const { return folder_.file("illegal-calls"); }
  std::string illegal_calls() const { return std::filesystem::exists(log()) ? formats::read_text(log()) : ""; }

  int other() const { return 5 - GetParam(); }
  std::string part(int version, const std::string& set, const std::string& keys = {}) const {
    return fmt::format("{{fmu: {}, set: {{{}}}{}}}", fmu(version, "strict"), set, keys);
  }
  static std::string alone(const std::string& part, const std::string& stop = "1", const std::string& step = "0.125") {
    return fmt::format("seam: 1\nsubsystems:\n  a: {}\nexperiment: {{stop: {}}}\nplan: {{step: {}}}\n", part, stop,
                       step);
  }
  static std::string pair(const std::string& a, const std::string& b, const std::string& plan = "step: 0.125",
                          const std::string& stop = "1") {
    return fmt::format(
        "seam: 1\nsubsystems:\n  a: {}\n  b: {}\nconnections: [a.y -> b.u, b.y -> a.u]\nexperiment: {{stop: "
        "{}}}\nplan: {{{}}}\n"
        "record: {{variables: [\"*.*\"]}}\n",
        a, b, stop, plan);
  }
  std::string every_type() const {
    const std::string common =
        "k: 2, x0: 0.5, u: 1, boolean_in: false, string_in: some text, enumeration_in: automatic, discrete_in: 4";
    if (GetParam() == 2) return common + ", real_in: 3, integer_in: -9";
    return common +
           ", float64_in: 3, float32_in: 0.5, int8_in: -1, uint8_in: 200, int16_in: -300, uint16_in: 60000, int32_in: "
           "-9, "
           "uint32_in: 4000000000, int64_in: -5, uint64_in: 18446744073709551615, n: 3, u_vector: [4, 5, 6]";
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Strict, ::testing::Values(2, 3));

TEST_P(Strict, plain_run_makes_no_illegal_call) {
  const RunSummary summary = run_text(alone(part(GetParam(), "")));
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
}

// x' = k (u - x): with one Euler step a macro step, (x - u) shrinks by (1 - k h).
TEST_P(Strict, settings_of_every_type_make_no_illegal_call_and_arrive) {
  const RunSummary summary = run_text(alone(part(GetParam(), every_type())));
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
  const formats::Table table = result();
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_NEAR(column(table, "a.y").at(i), 1.0 - 0.5 * std::pow(0.75, static_cast<double>(i)), 1e-14);
  }
  EXPECT_EQ(column(table, GetParam() == 2 ? "a.real_out" : "a.float64_out").back(), 3.0);
  EXPECT_EQ(column(table, "a.discrete_out").back(), 4.0);
  if (GetParam() == 3) {
    EXPECT_EQ(column(table, "a.y_vector[3]").back(), 6.0);
  }
}

TEST_P(Strict, coupled_runs_make_no_illegal_call_whatever_the_coupling) {
  for (const char* plan : {"step: 0.125", "step: 0.125, coupling: foh", "step: 0.125, coupling: soh",
                           "step: 0.125, coupling: foh, subsystems: {a: {micro_step: 0.03125}}"}) {
    for (const int version : {GetParam(), other()}) {
      const RunSummary summary = run_text(pair(part(GetParam(), "x0: 1"), part(version, "x0: 3"), plan));
      EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
      EXPECT_EQ(illegal_calls(), "") << plan;
    }
  }
}

TEST_P(Strict, values_of_every_type_on_connections_make_no_illegal_call) {
  std::string types = "boolean, string, enumeration, discrete";
  if (GetParam() == 2) types += ", real, integer";
  if (GetParam() == 3) types += ", float64, float32, int8, uint8, int16, uint16, int32, uint32, int64, uint64, binary";
  const auto ports = [&](const std::string& end) {
    std::string list = types + ",";
    for (std::size_t at = 0; (at = list.find(',', at)) != std::string::npos; at += end.size() + 1) list.insert(at, end);
    return "{" + list.substr(0, list.size() - 1) + "}";
  };
  const RunSummary summary = run_text(fmt::format(
      "seam: 1\nsubsystems:\n  a: {}\n  b: {}\nconnections:\n  - a.{} -> b.{}\n  - b.{} -> a.{}\nexperiment: {{stop: "
      "1}}\n"
      "plan: {{step: 0.125, coupling: foh}}\n",
      part(GetParam(), ""), part(GetParam(), ""), ports("_out"), ports("_in"), ports("_out"), ports("_in")));
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Strict, fresh_feedthrough_reads_derivatives_legally) {
  const RunSummary summary = run_text(fmt::format(
      "seam: 1\nsubsystems:\n  a: {}\n  b: {}\nconnections: [a.z -> b.u, b.y -> a.u]\nexperiment: {{stop: 1}}\n"
      "plan: {{step: 0.125, feedthrough: fresh}}\n",
      part(GetParam(), "x0: 1"), part(other(), "x0: 3")));
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
}

// y0 = 2 - y1^2/2 and y1 = y0: sqrt(5) - 1
TEST_P(Strict, loop_in_initialization_mode_is_solved_legally) {
  for (const char* interface : {"cs", "me"}) {
    const auto curve = [&](const std::string& set) {
      return fmt::format("{{fmu: {}, interface: {}, set: {{{}}}}}", fmu(GetParam(), "strict-polynomial"), interface,
                         set);
    };
    const formats::Table table = table_of(pair(curve("c0: 2, c1: 0, c2: -0.5"), curve("c1: 1")));
    EXPECT_NEAR(column(table, "a.y").front(), std::sqrt(5.0) - 1.0, 1e-12) << interface;
    EXPECT_EQ(illegal_calls(), "") << interface;
  }
}

TEST_P(Strict, state_saved_to_a_file_and_taken_up_by_another_instance_is_legal) {
  RunSettings save, go_on;
  save.final_state = go_on.initial_state = folder_.file("s.state");
  EXPECT_EQ(run_text(pair(part(GetParam(), "x0: 1"), part(other(), "x0: 3"), "step: 0.125, coupling: foh", "1"), save)
                .result.ending,
            Ending::completed);
  const RunSummary second =
      run_text(pair(part(GetParam(), "x0: 1"), part(other(), "x0: 3"), "step: 0.125, coupling: foh", "2"), go_on);
  EXPECT_EQ(second.result.ending, Ending::completed) << second.complaint;
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Strict, logs_of_calls_and_messages_make_no_illegal_call) {
  RunSettings settings;
  settings.fmu_logging = make_fmu_logging({FmuLogRequest::Calls::written, "all", folder_.file("log.txt")});
  EXPECT_EQ(run_text(pair(part(GetParam(), "x0: 1"), part(other(), "x0: 3")), settings).result.ending,
            Ending::completed);
  EXPECT_EQ(illegal_calls(), "");
  EXPECT_NE(formats::read_text(folder_.file("log.txt")).find("DoStep(t=0.125"), std::string::npos);
}

// FMI 3 asks at the end of the step, which is then the last row; FMI 2 stops inside it, and the row before is the last.
TEST_P(Strict, wish_to_end_is_granted_where_it_was_made) {
  const RunSummary summary = run_text(pair(part(GetParam(), "x0: 1, terminate_at: 0.3"), part(other(), "x0: 3")));
  EXPECT_EQ(summary.result.ending, Ending::ended_by_subsystem);
  EXPECT_EQ(summary.result.time, GetParam() == 2 ? 0.25 : 0.375);
  EXPECT_EQ(result().columns[0].back(), summary.result.time);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Strict, stop_time_off_the_grid_and_a_late_start_make_no_illegal_call) {
  std::string text = pair(part(GetParam(), "x0: 1"), part(other(), "x0: 3"), "step: 0.1", "7.05");
  text.replace(text.find("stop: 7.05"), 10, "start: 3.3, stop: 7.05");
  const RunSummary summary = run_text(text);
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(summary.result.time, 7.05);
  EXPECT_EQ(illegal_calls(), "");
}

// Many steps: t_n + H may round past the stop time, which no FMU may be asked to pass.
TEST_P(Strict, no_step_passes_the_stop_time_by_rounding) {
  for (const char* step : {"0.1", "0.3", "0.7", "0.001"}) {
    const RunSummary summary = run_text(alone(part(GetParam(), ""), "2.1", step));
    EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
    EXPECT_EQ(illegal_calls(), "") << step;
  }
}

// The same of calls inside a macro step: t_n + i h + h.
TEST_P(Strict, no_call_inside_a_step_passes_the_stop_time_by_rounding) {
  for (const int calls : {2, 3, 4, 7, 10}) {
    for (const auto& [step, stop] : {std::pair{0.05, 2.0}, {0.02, 5.0}, {0.1, 10.0}, {0.3, 2.2}}) {
      const std::string both =
          pair(part(GetParam(), "x0: 1"), part(GetParam(), "x0: 3"),
               fmt::format("step: {0}, coupling: foh, subsystems: {{a: {{micro_step: {1}}}, b: {{micro_step: {1}}}}}",
                           step, step / calls),
               fmt::format("{}", stop));
      const RunSummary summary = run_text(both);
      EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
      EXPECT_EQ(illegal_calls(), "") << step << " s in " << calls << " calls";
    }
  }
}

// The discarded step is done in halves until they are short enough; Euler in halves is another product of factors.
TEST_P(Strict, retries_save_restore_and_free_states_legally) {
  const RunSummary summary =
      run_text(alone(part(GetParam(), "x0: 1, u: 0, discard_at: 0.3, discard_limit: 0.04", ", retries: 3")));
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
  const formats::Table table = result();
  const double whole = 1.0 - 0.125, half = 1.0 - 0.0625, quarter = 1.0 - 0.03125;
  EXPECT_NEAR(column(table, "a.y").at(2), whole * whole, 1e-14);
  EXPECT_NEAR(column(table, "a.y").at(3), whole * whole * quarter * quarter * half, 1e-14);
  EXPECT_NEAR(column(table, "a.y").at(8), std::pow(whole, 7) * quarter * quarter * half, 1e-14);
}

TEST_P(Strict, retries_that_are_not_enough_end_the_run_legally) {
  const RunSummary summary =
      run_text(pair(part(GetParam(), "discard_at: 0.3, discard_limit: 0.01", ", retries: 2"), part(other(), "")));
  EXPECT_EQ(summary.result.ending, Ending::rejected);
  EXPECT_NE(summary.complaint.find("discarded the step"), std::string::npos) << summary.complaint;
  EXPECT_EQ(illegal_calls(), "");
  EXPECT_EQ(result().rows(), 3u);
}

TEST_P(Strict, discard_without_retries_ends_the_run_legally) {
  const RunSummary summary = run_text(pair(part(GetParam(), "discard_at: 0.3"), part(other(), "")));
  EXPECT_EQ(summary.result.ending, Ending::rejected);
  EXPECT_EQ(illegal_calls(), "");
  EXPECT_EQ(result().rows(), 3u);
}

TEST_P(Strict, the_one_of_two_neighbours_that_discards_is_the_culprit) {
  const std::string discards = part(GetParam(), "discard_at: 0.3"), goes_on = part(other(), "");
  EXPECT_EQ(run_text(pair(discards, goes_on)).culprit, "a");
  EXPECT_EQ(run_text(pair(goes_on, discards)).culprit, "b");
}

TEST_P(Strict, wish_to_end_ends_the_run_legally) {
  for (const char* keys : {"", ", retries: 2"}) {
    const RunSummary summary = run_text(pair(part(GetParam(), "terminate_at: 0.3", keys), part(other(), "")));
    EXPECT_EQ(summary.result.ending, Ending::ended_by_subsystem);
    EXPECT_NE(summary.complaint.find("asked to end the run at"), std::string::npos) << summary.complaint;
    EXPECT_EQ(illegal_calls(), "") << keys;
  }
}

// The partner fails; the strict one is left in the middle of the run and must still be terminated and freed.
TEST_P(Strict, failure_of_a_partner_ends_its_life_legally) {
  for (const char* partner : {"bad-error", "bad-fatal", "bad-discard", "bad-nan", "bad-token"}) {
    const std::string text = pair(part(GetParam(), ""), fmt::format("{{fmu: {}}}", fmu(other(), partner)));
    if (std::string(partner) == "bad-token") {
      EXPECT_THROW(run_text(text), base::Error);
    } else {
      EXPECT_NE(run_text(text).result.ending, Ending::completed) << partner;
    }
    EXPECT_EQ(illegal_calls(), "") << partner;
  }
}

TEST_P(Strict, divergence_ends_its_life_legally) {
  RunSettings settings;
  settings.growth_limit = 2.0;
  const RunSummary summary = run_text(pair(part(GetParam(), "x0: 1, k: -30"), part(other(), "")), settings);
  EXPECT_EQ(summary.result.ending, Ending::diverged);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Strict, interruption_ends_its_life_legally) {
  const std::atomic<bool> asked{true};
  RunSettings settings;
  settings.stop_asked = &asked;
  const RunSummary summary = run_text(pair(part(GetParam(), ""), part(other(), "")), settings);
  EXPECT_EQ(summary.result.ending, Ending::interrupted);
  EXPECT_EQ(illegal_calls(), "");
}

TEST_P(Strict, system_that_is_made_live_and_never_run_ends_its_life_legally) {
  const System system = open_text(pair(part(GetParam(), ""), part(other(), "")), folder_.file("system.yaml"), {});
  { const Live live = make_live(system, {}); }
  EXPECT_EQ(illegal_calls(), "");
}

}  // namespace
}  // namespace seam::engine
