#include "seam/system/timetable.hpp"

#include <gtest/gtest.h>

namespace seam::system {
namespace {

const base::Grid tenths{0.0, 0.1};

EventTarget input(double number, Feed feed = Feed::none) {
  EventTarget target;
  target.path = "a.u";
  target.subsystem = 0;
  target.input = 0;
  target.before = 7.0;
  target.number = number;
  target.feed = feed;
  return target;
}

Event event(EventKind kind, double from, double to, EventTarget target) {
  Event made;
  made.kind = kind;
  made.from = from;
  made.to = to;
  made.targets = {std::move(target)};
  return made;
}
Event set(double at, double number) { return event(EventKind::set, at, at, input(number)); }
Event replace(double from, double to, double number) {
  return event(EventKind::replace, from, to, input(number, Feed::connection));
}
Event ramp(double from, double to, double number) { return event(EventKind::ramp, from, to, input(number)); }

SystemDescription with(std::vector<Event> events, double stop = 10.0) {
  SystemDescription description;
  description.experiment.stop = stop;
  description.experiment.events = std::move(events);
  return description;
}

Course course(std::vector<Event> events) { return courses_of(with(std::move(events)), tenths).at(0); }

double value(const Course& course, base::Tick tick) {
  const Piece* const piece = course.at(tick);
  return piece ? piece->at(tick, tenths.time(tick)) : -1.0;
}

std::string problems_of(std::vector<Event> events) {
  base::Problems problems;
  check_events(with(std::move(events)), tenths, problems);
  return problems.text();
}

TEST(Grid, the_first_tick_from_a_time_forgives_rounding) {
  EXPECT_EQ(base::first_tick_from(tenths, 0.3), 3);
  EXPECT_EQ(base::first_tick_from(tenths, 0.1 + 0.2), 3);
  EXPECT_EQ(base::first_tick_from(tenths, 0.300001), 4);
  EXPECT_EQ(base::first_tick_from(tenths, 0.299999), 3);
  EXPECT_EQ(base::first_tick_from(tenths, -0.05), 0);
  EXPECT_EQ(base::first_tick_from(tenths, -0.15), -1);
  EXPECT_EQ(base::first_tick_from(tenths, 1e300), 9'000'000'000'000'000);
}

TEST(Courses, a_set_stays_until_the_next_one) {
  const Course made = course({set(2.0, 5.0), set(1.0, 4.0)});
  EXPECT_EQ(made.at(9), nullptr);
  EXPECT_EQ(value(made, 10), 4.0);
  EXPECT_EQ(value(made, 19), 4.0);
  EXPECT_EQ(value(made, 20), 5.0);
  EXPECT_EQ(value(made, 1'000'000), 5.0);
}

TEST(Courses, an_override_is_over_at_its_end) {
  const Course made = course({replace(1.0, 2.0, 5.0), replace(2.0, 2.5, 6.0)});
  EXPECT_EQ(value(made, 9), -1.0);
  EXPECT_EQ(value(made, 10), 5.0);
  EXPECT_EQ(value(made, 19), 5.0);
  EXPECT_EQ(value(made, 20), 6.0);
  EXPECT_EQ(value(made, 25), -1.0);
}

TEST(Courses, a_ramp_keeps_its_line_and_stays_at_its_end) {
  const Course made = course({ramp(0.25, 0.65, 11.0)});
  EXPECT_EQ(made.at(2), nullptr);
  EXPECT_NEAR(value(made, 3), 7.0 + 4.0 * 0.05 / 0.4, 1e-15);  // from the value before the ramp
  EXPECT_NEAR(value(made, 6), 7.0 + 4.0 * 0.35 / 0.4, 1e-14);
  EXPECT_EQ(value(made, 7), 11.0);
  EXPECT_EQ(value(made, 100), 11.0);
}

TEST(Courses, a_ramp_begins_where_the_last_event_left_it) {
  const Course made = course({set(0.5, 3.0), ramp(1.0, 2.0, 4.0), ramp(2.0, 3.0, 0.0)});
  EXPECT_NEAR(value(made, 15), 3.5, 1e-15);
  EXPECT_EQ(value(made, 20), 4.0);
  EXPECT_NEAR(value(made, 25), 2.0, 1e-15);
}

TEST(Courses, a_parameter_is_told_when_it_changes_and_not_again) {
  const Course made = course({set(0.5, 3.0), ramp(1.0, 1.2, 4.0)});
  std::vector<base::Tick> told;
  for (base::Tick tick = 0; tick < 20; ++tick) {
    const Piece* const piece = made.at(tick);
    if (piece && piece->moves_at(tick)) told.push_back(tick);
  }
  EXPECT_EQ(told, (std::vector<base::Tick>{5, 10, 11, 12}));
}

TEST(CheckEvents, what_follows_one_another_is_fine) {
  EXPECT_EQ(problems_of({set(0.5, 3.0), ramp(1.0, 2.0, 4.0), set(2.0, 5.0), set(2.0, 5.0)}), "");
  EXPECT_EQ(problems_of({replace(1.0, 2.0, 5.0), replace(2.0, 2.5, 6.0)}), "");
}

TEST(CheckEvents, two_at_one_time_are_a_problem) {
  EXPECT_NE(problems_of({set(0.5, 3.0), set(0.5, 4.0)}).find("two events are about \"a.u\" at 0.5 s"),
            std::string::npos);
  EXPECT_NE(problems_of({ramp(1.0, 2.0, 4.0), set(1.5, 4.0)}).find("the ramp that begins at 1 s"), std::string::npos);
  // also where a short one lies between the two
  EXPECT_NE(problems_of({ramp(1.0, 4.0, 4.0), ramp(4.0, 9.0, 1.0), set(5.0, 4.0), set(8.0, 4.0)}).find("at 8 s"),
            std::string::npos);
  EXPECT_NE(problems_of({replace(1.0, 2.0, 5.0), replace(1.9, 2.5, 6.0)}).find("the override that begins at 1 s"),
            std::string::npos);
}

TEST(CheckEvents, two_that_fall_on_one_point_are_a_problem) {
  EXPECT_NE(problems_of({set(0.41, 3.0), set(0.45, 4.0)}).find("both fall on the communication point 0.5 s"),
            std::string::npos);
  EXPECT_EQ(problems_of({set(0.41, 3.0), set(0.55, 4.0)}), "");
}

TEST(CheckEvents, an_override_that_no_point_sees_is_a_problem) {
  EXPECT_NE(problems_of({replace(0.41, 0.49, 5.0)}).find("there is no communication point"), std::string::npos);
  EXPECT_EQ(problems_of({replace(0.41, 0.51, 5.0)}), "");
}

TEST(CheckEvents, one_before_the_start_is_a_problem) {
  EXPECT_NE(problems_of({set(-0.01, 5.0)}).find("before the start of the experiment"), std::string::npos);
  EXPECT_EQ(problems_of({set(0.0, 5.0)}), "");
}

TEST(Landings, say_by_how_much_an_event_was_moved) {
  const auto all = landings(with({set(0.5, 3.0), set(0.73, 4.0), replace(1.05, 2.0, 5.0), ramp(3.05, 4.05, 1.0),
                                  ramp(5.01, 5.02, 1.0), set(11.0, 1.0)})
                                .experiment,
                            tenths);
  EXPECT_EQ(all[0].remark, "");
  EXPECT_EQ(all[1].remark, "the event at 0.73 s happens at 0.8 s, 0.07 s later, on a communication point: set a.u: 4");
  EXPECT_EQ(all[2].remark,
            "the override from 1.05 s to 2 s lasts from 1.1 s (0.05 s later) to 2 s (0 s later), on communication "
            "points: override a.u: 5");
  EXPECT_EQ(all[3].remark, "");
  EXPECT_EQ(all[4].remark,
            "the ramp from 5.01 s to 5.02 s lies between two communication points and is a jump at 5.1 s: ramp a.u: 1");
  EXPECT_EQ(all[5].remark, "the event at 11 s comes after the stop time and does not happen: set a.u: 1");
}

TEST(Landings, a_stop_time_off_the_grid_is_a_communication_point) {
  const auto all = landings(with({set(0.52, 3.0), set(0.57, 3.0)}, 0.55).experiment, tenths);
  EXPECT_EQ(all[0].landed, 0.55);
  EXPECT_EQ(all[1].fate, Landing::Fate::comes_too_late);
}

TEST(TunedParameters, are_listed_once_each) {
  EventTarget target;
  target.subsystem = 1;
  target.parameter = "k";
  EventTarget other = target;
  other.parameter = "m";
  const SystemDescription description = with(
      {event(EventKind::set, 1, 1, target), event(EventKind::set, 2, 2, other), event(EventKind::set, 3, 3, target)});
  EXPECT_EQ(tuned_parameters(description, 1), (std::vector<std::string>{"k", "m"}));
  EXPECT_TRUE(tuned_parameters(description, 0).empty());
}

}  // namespace
}  // namespace seam::system
