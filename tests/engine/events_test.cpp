// Events with FMUs: parameters while they run, inputs of every type, and runs cut in two.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::engine {
namespace {

using stepping::Ending;

class Events : public FmuWorkshop, public ::testing::WithParamInterface<std::pair<int, const char*>> {
 protected:
  int version() const { return GetParam().first; }
  std::string part(const std::string& name, const std::string& set = "") const {
    return fmt::format("{{fmu: {}, interface: {}, set: {{{}}}}}", fmu(version(), name), GetParam().second, set);
  }
  static std::string with(const std::string& subsystems, const std::string& events, const std::string& more = "") {
    return "seam: 1\nsubsystems:\n" + subsystems + more + "\nexperiment:\n  stop: 1\n  events:\n" + events;
  }
  std::string problems_of(const std::string& text) const {
    try {
      run_text(text);
    } catch (const base::ProblemsFound& found) {
      return found.what();
    }
    return {};
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Events,
                         ::testing::Values(std::pair(2, "cs"), std::pair(3, "cs"), std::pair(2, "me"),
                                           std::pair(3, "me")));

// x' = k u with u = 1: the slope is the parameter.
TEST_P(Events, a_tunable_parameter_acts_from_its_time_on) {
  const auto table = table_of(with("  i: " + part("integrator", "u: 1, k: 1"), "    - {at: 0.5, set: {i.k: 3}}\n",
                                   "\nplan: {step: 0.1}\nrecord: {variables: [i.y]}"));
  for (std::size_t n = 0; n <= 10; ++n) {
    const double t = 0.1 * static_cast<double>(n);
    EXPECT_NEAR(column(table, "i.y").at(n), t <= 0.5 ? t : 0.5 + 3.0 * (t - 0.5), 1e-9) << n;
  }
}

TEST_P(Events, a_ramp_of_a_parameter_is_a_staircase_of_its_values_at_communication_points) {
  const auto table =
      table_of(with("  i: " + part("integrator", "u: 1, k: 2"), "    - {from: 0.2, to: 0.6, ramp: {i.k: 6}}\n",
                    "\nplan: {step: 0.1}\nrecord: {variables: [i.y]}"));
  double x = 0.0;
  for (int n = 0; n <= 10; ++n) {
    EXPECT_NEAR(column(table, "i.y").at(static_cast<std::size_t>(n)), x, 1e-9) << n;
    x += 0.1 * (n <= 2 ? 2.0 : n >= 6 ? 6.0 : 2.0 + 4.0 * (n - 2) / 4.0);
  }
}

TEST_P(Events, a_free_input_is_set_and_recorded) {
  const auto table =
      table_of(with("  i: " + part("integrator"), "    - {at: 0.3, set: {i.u: 2}}\n", "\nplan: {step: 0.1}"));
  for (std::size_t n = 0; n <= 10; ++n) {
    const double t = 0.1 * static_cast<double>(n);
    EXPECT_EQ(column(table, "i.u").at(n), n >= 3 ? 2.0 : 0.0);
    EXPECT_NEAR(column(table, "i.y").at(n), n <= 3 ? 0.0 : 2.0 * (t - 0.3), 1e-9) << n;
  }
}

TEST_P(Events, an_override_replaces_a_connection_and_a_known_signal) {
  for (const char* source : {"{model: constant, set: {value: 1}}", "{model: state-space, set: {A: [[0]], x0: [1]}}"}) {
    const auto table = table_of(
        with("  s: " + std::string(source) + "\n  i: " + part("integrator"),
             "    - {from: 0.3, to: 0.5, override: {i.u: 4}}\n",
             "\nconnections: [s.y -> i.u]\nplan: {step: 0.1, coupling: foh}\nrecord: {variables: [i.u, i.y]}"));
    for (std::size_t n = 0; n <= 10; ++n) {
      const double t = 0.1 * static_cast<double>(n);
      EXPECT_EQ(column(table, "i.u").at(n), n >= 3 && n < 5 ? 4.0 : 1.0) << n;
      const double more = n <= 3 ? 0.0 : 3.0 * (std::min(t, 0.5) - 0.3);
      EXPECT_NEAR(column(table, "i.y").at(n), t + more, 1e-9) << source << " " << n;
    }
  }
}

TEST_P(Events, what_cannot_change_while_running_is_refused_with_the_reason) {
  const std::string i = "  i: " + part("integrator");
  const auto refusal = [&](const std::string& event) { return problems_of(with(i, event, "\nplan: {step: 0.1}")); };
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.x0: 3}}\n").find("it is a parameter that is not tunable"),
            std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.kk: 3}}\n").find("did you mean \"k\"?"), std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.y: 3}}\n").find("\"i.y\" is an output"), std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {j.y: 3}}\n").find("there is no subsystem \"j\""), std::string::npos);
  EXPECT_NE(refusal("    - {from: 0.5, to: 1, override: {i.k: 3}}\n").find("nothing arrives there"), std::string::npos);
  EXPECT_NE(refusal("    - {from: 0.5, to: 1, override: {i.u: 3}}\n").find("nothing feeds \"i.u\""), std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.k: true}}\n").find("\"i.k\" takes a number"), std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.k: [1, 2]}}\n").find("takes one value"), std::string::npos);
  EXPECT_NE(refusal("    - {from: 0, to: 0.5, ramp: {i.k: [1, 2, 3]}}\n").find("a begin and an end"),
            std::string::npos);
  EXPECT_NE(refusal("    - {at: 0.5, set: {i.k: 3 kg}}\n").find("kg does not convert"), std::string::npos);
}

class EventsOfCoSimulation : public Events {
 protected:
  std::string rows_from(const std::string& file, const std::string& time) const {
    const std::string csv = formats::read_text(folder_.file(file));
    const std::size_t at = csv.find("\n" + time + ",");
    return at == std::string::npos ? "no row at " + time : csv.substr(at);
  }
  RunSummary run_to(const std::string& text, const char* stop, const std::string& file, const std::string& from = "",
                    const std::string& to = "") const {
    RunSettings settings;
    settings.file = folder_.file(file);
    if (!from.empty()) settings.initial_state = folder_.file(from);
    if (!to.empty()) settings.final_state = folder_.file(to);
    Changes changes;
    changes.stop = stop;
    return run(open_text(text, folder_.file("system.yaml"), changes), settings);
  }
};
INSTANTIATE_TEST_SUITE_P(Fmi, EventsOfCoSimulation, ::testing::Values(std::pair(2, "cs"), std::pair(3, "cs")));

TEST_P(EventsOfCoSimulation, values_of_every_type_are_set_and_overridden) {
  const std::string integer = version() == 2 ? "integer" : "int32";
  const auto table =
      table_of(with("  c: " + part("counter") + "\n  t: " + part("types"),
                    "    - {at: 0.3, set: {t.boolean_in: false, t.string_in: some text, t.enumeration_in: automatic}}\n"
                    "    - {from: 0.4, to: 0.6, override: {t." +
                        integer + "_in: -7}}\n",
                    "\nconnections: [c.count -> t." + integer + "_in]\nplan: {step: 0.1}"));
  for (std::size_t n = 2; n <= 10; ++n) {
    EXPECT_EQ(column(table, "t." + integer + "_in").at(n), n >= 4 && n < 6 ? -7.0 : static_cast<double>(n)) << n;
    EXPECT_EQ(column(table, "t.boolean_in").at(n), n >= 3 ? 0.0 : 1.0) << n;
  }
  EXPECT_NE(formats::read_text(folder_.file("result.csv")).find("some text"), std::string::npos);
  const std::string refusal =
      problems_of(with("  t: " + part("types"), "    - {at: 0.3, set: {t.boolean_in: 2}}\n", "\nplan: {step: 0.1}"));
  EXPECT_NE(refusal.find("\"t.boolean_in\" takes true or false"), std::string::npos) << refusal;
  EXPECT_NE(problems_of(with("  t: " + part("types"), "    - {from: 0.3, to: 0.4, ramp: {t.boolean_in: 1}}\n",
                             "\nplan: {step: 0.1}"))
                .find("it is no real number"),
            std::string::npos);
}

TEST_P(EventsOfCoSimulation, a_known_signal_into_a_whole_number_is_overridden_too) {
  const std::string integer = version() == 2 ? "integer" : "int32";
  const auto table =
      table_of(with("  s: {model: constant, set: {value: 3}}\n  t: " + part("types"),
                    "    - {from: 0.4, to: 0.6, override: {t." + integer + "_in: -7}}\n",
                    "\nconnections: [s.y -> t." + integer + "_in]\nplan: {step: 0.1}\nrecord: {variables: [t." +
                        integer + "_in, t." + integer + "_out]}"));
  for (std::size_t n = 1; n <= 10; ++n) {
    EXPECT_EQ(column(table, "t." + integer + "_in").at(n), n >= 4 && n < 6 ? -7.0 : 3.0) << n;
    EXPECT_EQ(column(table, "t." + integer + "_out").at(n), n >= 5 && n < 7 ? -7.0 : 3.0) << n;
  }
}

TEST_P(EventsOfCoSimulation, a_run_cut_in_two_anywhere_is_the_same_run_to_the_bit) {
  const std::string pair = "  l: " + part("two-mass-left", "x0: 1") + "\n  r: " + part("two-mass-right") +
                           "\n  b: {model: mass-chain, set: {masses: [1], to_ground: {d: 2}}}\n";
  const std::string events =
      "    - {at: 0.3, set: {l.kc: 12, b.f1: 3}}\n    - {from: 0.4, to: 0.7, override: {r.F_in: 5}}\n"
      "    - {from: 0.3, to: 0.9, ramp: {r.k: 20}}\n    - {from: 0.5, to: 0.8, override: {l.v_in: 0.25}}\n"
      "    - {from: 0.35, to: 1.2, ramp: {b.f1: 4}}\n";
  std::string allowed = events;
  allowed.replace(allowed.find("0.35"), 4, "0.45");
  for (const char* coupling : {"zoh", "foh", "{soh: {}}"}) {
    const std::string text = with(pair, allowed,
                                  "connections: [l.F -> r.F_in, r.x1 -> l.x_in, r.v1 -> l.v_in]\nplan: {step: 0.1, "
                                  "coupling: " +
                                      std::string(coupling) + "}\nrecord: {variables: [\"*.*\"]}");
    ASSERT_EQ(run_to(text, "1.5", "whole.csv").result.ending, Ending::completed);
    for (const auto& [stop, row] :
         {std::pair("0.2", "0.2"), std::pair("0.3", "0.30000000000000004"), std::pair("0.4", "0.4"),
          std::pair("0.5", "0.5"), std::pair("0.6", "0.6000000000000001"), std::pair("0.7", "0.7000000000000001"),
          std::pair("0.9", "0.9"), std::pair("1.2", "1.2000000000000002")}) {
      ASSERT_EQ(run_to(text, stop, "first.csv", "", "s.state").result.ending, Ending::completed);
      ASSERT_EQ(run_to(text, "1.5", "second.csv", "s.state").result.ending, Ending::completed);
      EXPECT_EQ(rows_from("second.csv", row), rows_from("whole.csv", row)) << coupling << " cut at " << stop;
    }
  }
}

TEST_P(EventsOfCoSimulation, a_state_goes_on_with_other_events_to_come_but_not_with_another_past) {
  const std::string i = "  i: " + part("integrator", "u: 1");
  const std::string plan = "\nplan: {step: 0.1}\nrecord: {variables: [i.y]}";
  const std::string past = "    - {at: 0.2, set: {i.k: 3}}\n";
  run_to(with(i, past, plan), "0.5", "first.csv", "", "s.state");
  run_to(with(i, past + "    - {at: 0.7, set: {i.k: 0}}\n", plan), "1", "second.csv", "s.state");
  base::Problems problems;
  const auto table = formats::read_csv(folder_.file("second.csv"), problems);
  EXPECT_NEAR(column(table, "i.y").back(), 0.2 + 3.0 * 0.5, 1e-9);
  EXPECT_THROW(run_to(with(i, "    - {at: 0.2, set: {i.k: 4}}\n", plan), "1", "second.csv", "s.state"),
               base::ProblemsFound);
  EXPECT_THROW(run_to(with(i, past + "    - {at: 0.4, set: {i.k: 4}}\n", plan), "1", "second.csv", "s.state"),
               base::ProblemsFound);
}

TEST_P(EventsOfCoSimulation, the_strict_fmu_sees_no_illegal_call) {
  const std::string log = folder_.file("illegal-calls");
  ::setenv("SEAM_STRICT_LOG", log.c_str(), 1);
  const RunSummary summary =
      run_text(with("  a: " + part("strict") + "\n  b: " + part("strict"),
                    "    - {at: 0.25, set: {a.k: 2, a.discrete_in: 4, a.boolean_in: true}}\n"
                    "    - {from: 0.25, to: 0.75, ramp: {b.k: 2}}\n    - {from: 0.25, to: 0.75, override: {b.u: 2}}\n",
                    "\nconnections: [a.y -> b.u, b.y -> a.u]\nplan: {step: 0.125, feedthrough: fresh, coupling: foh}"));
  ::unsetenv("SEAM_STRICT_LOG");
  EXPECT_EQ(summary.result.ending, Ending::completed) << summary.complaint;
  EXPECT_EQ(std::filesystem::exists(log) ? formats::read_text(log) : "", "");
}

TEST(EventsSummary, says_where_each_event_landed) {
  const formats::TemporaryFolder folder;
  RunSettings settings;
  settings.file = folder.file("r.csv");
  const RunSummary summary = run(
      open_text("seam: 1\nsubsystems: {b: {model: mass-chain, set: {masses: [1]}}}\nexperiment:\n  stop: 1\n  events:\n"
                "    - {at: 0.25, set: {b.f1: 3 kN}}\n    - {at: 0.5, set: {b.f1: 0}}\n    - {at: 3, set: {b.f1: 1}}\n"
                "plan: {step: 0.1}\n",
                folder.file("s.yaml"), {}),
      settings);
  ASSERT_EQ(summary.events.size(), 3u);
  EXPECT_NEAR(summary.events[0].landed, 0.3, 1e-15);
  EXPECT_EQ(summary.events[0].words, "set b.f1: 3000");
  ASSERT_EQ(summary.notices.size(), 2u);
  EXPECT_EQ(summary.notices[0],
            "the event at 0.25 s happens at 0.3 s, 0.05 s later, on a communication point: set b.f1: 3000");
  EXPECT_EQ(summary.notices[1], "the event at 3 s comes after the stop time and does not happen: set b.f1: 1");
}

}  // namespace
}  // namespace seam::engine
