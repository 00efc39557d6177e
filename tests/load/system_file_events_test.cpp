#include <gtest/gtest.h>

#include "load/system_file_reader.hpp"
#include "seam/load/resolved_file.hpp"

namespace seam::load {
namespace {

using system::EventKind;

/// The third line of the events is line 6 of the file.
ReadFile read_events_text(const std::string& event) {
  return read_with("experiment:\n  events:\n    - " + event + "\n");
}

TEST(SystemFileEvents, each_kind_is_read_with_times_values_and_places) {
  const auto read = read_with(
      "experiment:\n  events:\n    - {at: 200 ms, set: {a.u: 3 bar, b.on: true}}\n"
      "    - {from: 1, to: 2 s, override: {b.u: 0.5}}\n    - {from: 3, to: 4, ramp: {a.u: [0, 1]}}\n");
  ASSERT_TRUE(read.problems.empty()) << read.problems.text();
  const auto& events = read.description->experiment.events;
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, EventKind::set);
  EXPECT_DOUBLE_EQ(events[0].from, 0.2);
  EXPECT_DOUBLE_EQ(events[0].to, 0.2);
  ASSERT_EQ(events[0].targets.size(), 2u);
  EXPECT_EQ(events[0].targets[0].path, "a.u");
  EXPECT_EQ(events[0].targets[0].value.unit, "bar");
  EXPECT_EQ(events[0].targets[0].where.line, 6);
  EXPECT_TRUE(events[0].targets[1].value.boolean);
  EXPECT_EQ(events[1].kind, EventKind::replace);
  EXPECT_EQ(events[1].to, 2.0);
  EXPECT_EQ(events[2].kind, EventKind::ramp);
  EXPECT_EQ(events[2].targets[0].value.items.size(), 2u);
}

TEST(SystemFileEvents, print_and_load_again_to_the_same) {
  const std::string text =
      "seam: 1\nsubsystems: {a: {model: m}}\nexperiment:\n  events:\n    - {at: 200 ms, set: {a.u: 3 bar, a.s: "
      "\"5\"}}\n"
      "    - {from: 1, to: 2 s, override: {a.v: -0.5}}\n    - {from: 3, to: 4, ramp: {\"a.w[1]\": [0, 1]}}\n";
  const std::string first = resolved_text(read_sound(text), nullptr);
  const std::string second = resolved_text(read_sound(first), nullptr);  // where nothing is a default any more
  EXPECT_EQ(resolved_text(read_sound(second), nullptr), second);
  const auto again = read_sound(first).experiment.events;
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again[0].targets[0].value.unit, "bar");
  EXPECT_EQ(again[0].targets[1].value.kind, system::Value::Kind::text);
  EXPECT_EQ(again[1].kind, EventKind::replace);
  EXPECT_EQ(again[2].targets[0].path, "a.w[1]");
}

TEST(SystemFileEvents, one_that_is_not_whole_is_a_problem_at_its_place) {
  expect_problem(read_events_text("{at: 1}"), 6, 7, "does nothing");
  expect_problem(read_events_text("{set: {a.u: 1}}"), 6, 7, "does not say at");
  expect_problem(read_events_text("{from: 1, override: {a.u: 1}}"), 6, 7, "does not say to");
  expect_problem(read_events_text("{at: 1, set: {a.u: 1}, ramp: {a.u: 1}}"), 6, 36, "does set and ramp");
  expect_problem(read_events_text("{from: 2, to: 2, ramp: {a.u: 1}}"), 6, 21, "must be later than from");
  expect_problem(read_events_text("{at: 1, set: {}}"), 6, 20, "names no variable");
  expect_problem(read_events_text("{at: 1, set: [1]}"), 6, 20, "set must be a map");
  expect_problem(read_events_text("{at: 1 kg, set: {a.u: 1}}"), 6, 12, "kg is not a time");
  expect_problem(read_events_text("{at: .nan, set: {a.u: 1}}"), 6, 12, "must be a time");
  expect_problem(read_events_text("{at: 1, set: {a.u: 1}, to: 2}"), 6, 34, "it has no to");
  expect_problem(read_events_text("{at: 1, from: 1, to: 2, ramp: {a.u: 1}}"), 6, 12, "it has no at");
  expect_problem(read_events_text("{at: 1, sets: {a.u: 1}, set: {a.u: 1}}"), 6, 15, "not a key of an event");
  expect_problem(read_events_text("5"), 6, 7, "an event must be a map");
  expect_problem(read_with("experiment: {events: {at: 1}}\n"), 4, 22, "events must be a list");
}

}  // namespace
}  // namespace seam::load
