// Events as a user meets them: in the system file, in a scenario, and what is said of those that cannot be.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/fmu_folder.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

/// The two lags with one event, on line 15 if it is the first.
std::string two_lags_with(const std::string& events) {
  return with("experiment: {stop: 1 s}\n", "experiment:\n  stop: 1 s\n  events:\n" + events);
}
const std::string override_line = "    - {from: 0.25, to: 0.6, override: {b.u: 3}}\n";

TEST(Events, an_override_is_recorded_and_its_move_is_said) {
  const Folder folder("system.yaml", two_lags_with(override_line));
  const Ran ran = folder.seam({"run", "system.yaml"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.err, "notice: the override from 0.25 s to 0.6 s lasts from 0.3 s (0.05 s later)")) << ran.err;
  const auto u = column(folder.table("system.csv"), "b.u");
  EXPECT_NE(u.at(2), 3.0);
  EXPECT_EQ(u.at(3), 3.0);
  EXPECT_EQ(u.at(5), 3.0);
  EXPECT_NE(u.at(6), 3.0);
  const formats::Value summary = folder.json("system.summary.json");
  const formats::Value* events = summary.find("events");
  ASSERT_TRUE(events && events->items().size() == 1);
  EXPECT_EQ(number(events->items()[0], "asked"), 0.25);
  EXPECT_NEAR(number(events->items()[0], "landed"), 0.3, 1e-15);
  EXPECT_NEAR(number(events->items()[0], "landed_end"), 0.6, 1e-15);
}

TEST(Events, a_scenario_is_added_to_the_events_of_the_file) {
  const Folder folder("system.yaml", two_lags_with(override_line));
  folder.write("fault.yaml", "seam: 1\nevents:\n  - {from: 0.7, to: 0.8, override: {b.u: 9}}\n");
  folder.write("both.yaml", two_lags_with(override_line + "    - {from: 0.7, to: 0.8, override: {b.u: 9}}\n"));
  ASSERT_EQ(folder.seam({"run", "system.yaml", "--scenario", "fault.yaml", "-o", "a.csv"}).exit_code, 0);
  ASSERT_EQ(folder.seam({"run", "both.yaml", "-o", "b.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_EQ(column(folder.table("a.csv"), "b.u").at(7), 9.0);
}

TEST(Events, the_resolved_file_holds_the_scenario_and_runs_alike) {
  const Folder folder("system.yaml", two_lags_with(override_line));
  folder.write("fault.yaml", "seam: 1\nevents:\n  - {from: 0.7, to: 0.8, ramp: {b.u: [9, 10]}}\n");
  const Ran resolved = folder.seam({"check", "system.yaml", "--scenario", "fault.yaml", "--print-resolved"});
  ASSERT_EQ(resolved.exit_code, 0) << resolved.err;
  folder.write("resolved.yaml", resolved.out);
  ASSERT_EQ(folder.seam({"run", "system.yaml", "--scenario", "fault.yaml", "-o", "a.csv"}).exit_code, 0);
  const Ran again = folder.seam({"run", "resolved.yaml", "-o", "b.csv"});
  ASSERT_EQ(again.exit_code, 0) << again.err << resolved.out;
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
}

TEST(Events, a_scenario_that_contradicts_the_file_is_refused) {
  const Folder folder("system.yaml", two_lags_with(override_line));
  folder.write("fault.yaml", "seam: 1\nevents:\n  - {from: 0.5, to: 0.8, override: {b.u: 9}}\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "fault.yaml"},
                      {"fault.yaml:3:", "two events are about \"b.u\" at 0.5 s", "line 15"}));
}

TEST(Events, a_scenario_that_is_none_is_refused) {
  const Folder folder("system.yaml", two_lags);
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "nowhere.yaml"}, {"nowhere.yaml"}));
  folder.write("s.yaml", "seam: 1\nevents: []\nplan: {step: 1}\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "s.yaml"},
                      {"s.yaml:3:1:", "\"plan\" is not a key of a scenario file"}));
  folder.write("s.yaml", "events: []\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "s.yaml"}, {"begin it with  seam: 1"}));
  folder.write("s.yaml", "seam: 1\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "s.yaml"}, {"the scenario has no events"}));
  folder.write("s.yaml", "- 1\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "s.yaml"}, {"a scenario file must be a map"}));
}

TEST(Events, a_result_does_not_replace_the_scenario) {
  const Folder folder("system.yaml", two_lags);
  folder.write("s.yaml", "seam: 1\nevents:\n  - {from: 0.5, to: 0.8, override: {b.u: 9}}\n");
  EXPECT_TRUE(refuses(folder, {"run", "system.yaml", "--scenario", "s.yaml", "-o", "s.yaml"}, {"would replace"}));
}

TEST(Events, bad_ones_are_problems_with_place_and_mend) {
  const auto event = [](const std::string& text) { return two_lags_with("    - " + text + "\n"); };
  EXPECT_TRUE(refused(event("{at: 0.5, set: {b.u: 3}}"), "system.yaml:15:23:", {"a.y feeds it", "override"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {b.y: 3}}"),
                      "system.yaml:15:39:", {"override what it feeds: a.u"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {b.v: 3}}"),
                      "system.yaml:15:39:", {"\"b\" has no input \"v\"", "known: u"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {c.u: 3}}"),
                      "system.yaml:15:39:", {"there is no subsystem \"c\""}));
  EXPECT_TRUE(
      refused(event("{from: 0.5, to: 0.6, override: {b: 3}}"), "system.yaml:15:39:", {"does not say which variable"}));
  EXPECT_TRUE(refused(event("{at: 0.5, set: {b.A: 3}}"), "system.yaml:15:23:", {"a parameter of a built-in model"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, ramp: {b.u: 3}}"),
                      "system.yaml:15:40:", {"not known ahead of time", "[begin, end]"}));
  EXPECT_TRUE(
      refused(event("{from: 0.51, to: 0.59, override: {b.u: 3}}"), "system.yaml:15:41:", {"no communication point"}));
  EXPECT_TRUE(refused(event("{from: -1, to: 0.6, override: {b.u: 3}}"), "system.yaml:15:7:", {"before the start"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {b.u: text}}"), "system.yaml:15:44:", {"takes a number"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {b.u: .inf}}"), "system.yaml:15:44:", {"a finite number"}));
  EXPECT_TRUE(refused(event("{from: 0.5, to: 0.6, override: {b.u: 3 kg}}"), "system.yaml:15:44:", {"has no unit"}));
}

TEST(Events, analysis_says_that_it_leaves_them_out_and_the_reference_goes_by_smaller_steps) {
  const Folder folder("system.yaml", two_lags_with(override_line));
  const Ran analysed = folder.seam({"analyze", "system.yaml"});
  EXPECT_EQ(analysed.exit_code, 0);
  EXPECT_TRUE(says(analysed.out, "notice: the events of the experiment are not part of the analysis")) << analysed.out;
  EXPECT_TRUE(json(folder.seam({"analyze", "system.yaml", "--json"}).out).find("notices"));
  folder.write("plain.yaml", two_lags);
  EXPECT_EQ(folder.seam({"analyze", "plain.yaml"}).out.substr(5), [&] {
    std::string text = analysed.out.substr(6);
    const std::size_t at = text.find("  notice:");
    return text.erase(at, text.find('\n', at) + 1 - at);
  }());
  EXPECT_TRUE(refuses(folder, {"reference", "system.yaml", "--by", "monolithic"}, {"the experiment has events"}));
  folder.write("on-points.yaml", two_lags_with("    - {from: 0.3, to: 0.6, override: {b.u: 3}}\n"));
  const Ran halved = folder.seam({"reference", "on-points.yaml", "--agree", "1e-3"});
  EXPECT_EQ(halved.exit_code, 0) << halved.err;
  EXPECT_TRUE(says(halved.err, "not a monolithic solution (the experiment has events")) << halved.err;
}

TEST(Events, the_example_shows_what_its_page_says) {
  const Folder folder;
  const std::string example = SEAM_SOURCE_DIR "/examples/sensor-fault/";
  const auto largest = [&](Words more) {
    Words words = {"run", example + "drive.yaml", "-o", "r.csv"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(folder.seam(words).exit_code, 0);
    const auto speed = column(folder.table("r.csv"), "body.v1");
    return *std::max_element(speed.begin(), speed.end());
  };
  EXPECT_NEAR(largest({}), 2.001287, 5e-7);
  EXPECT_NEAR(largest({"--scenario", example + "fault.scenario.yaml"}), 6.052303, 5e-7);
}

TEST(Events, fmus_without_a_system_file_take_a_scenario_too) {
  const FmuFolder folder(3, "integrator");
  folder.write("s.yaml", "seam: 1\nevents:\n  - {at: 0.5, set: {integrator.k: 3}}\n");
  const Ran ran = folder.seam({"run", "integrator.fmu", "--set", "integrator.u=1", "--scenario", "s.yaml", "--stop",
                               "1", "--step", "0.1", "-o", "r.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NEAR(column(folder.table("r.csv"), "integrator.y").back(), 2.0, 1e-9);
}

}  // namespace
}  // namespace seam::cli
