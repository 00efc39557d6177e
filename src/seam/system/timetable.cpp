#include "seam/system/timetable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace seam::system {
namespace {

using base::Tick;

/// One event seen from one of its variables.
struct Act {
  const Event* event = nullptr;
  const EventTarget* target = nullptr;
};

/// What is changed: a subsystem's input or parameter.
using Key = std::pair<int, std::pair<int, std::string>>;

/// Every variable's events in order of their begin.
std::map<Key, std::vector<Act>> acts_of(const SystemDescription& description) {
  std::map<Key, std::vector<Act>> acts;
  for (const Event& event : description.experiment.events) {
    for (const EventTarget& target : event.targets) {
      if (target.input >= 0 || !target.parameter.empty())
        acts[{target.subsystem, {target.input, target.parameter}}].push_back({&event, &target});
    }
  }
  for (auto& [key, list] : acts) {
    std::ranges::stable_sort(list, [](const Act& a, const Act& b) { return a.event->from < b.event->from; });
  }
  return acts;
}

Piece piece_of(const Act& act, const base::Grid& grid, double present) {
  Piece piece;
  piece.from = act.event->from;
  piece.to = act.event->to;
  piece.begin = base::first_tick_from(grid, piece.from);
  piece.settled = act.event->kind == EventKind::ramp ? base::first_tick_from(grid, piece.to) : piece.begin;
  if (act.target->feed != Feed::none) piece.end = base::first_tick_from(grid, piece.to);
  piece.last = act.target->number;
  piece.first = act.event->kind == EventKind::ramp ? act.target->first.value_or(present) : piece.last;
  piece.discrete_value = act.target->discrete_value;
  return piece;
}

const char* verb(EventKind kind) {
  switch (kind) {
    case EventKind::set:
      return "set";
    case EventKind::replace:
      return "override";
    case EventKind::ramp:
      break;
  }
  return "ramp";
}

std::string value_words(const EventTarget& target) {
  if (target.type != PortType::real) return text_of(target.discrete_value, target.type);
  return target.first ? fmt::format("{} ... {}", *target.first, target.number) : fmt::format("{}", target.number);
}

bool same_value(const EventTarget& a, const EventTarget& b) {
  return a.type == PortType::real ? a.number == b.number : a.discrete_value == b.discrete_value;
}

void check_start(const Event& event, const base::Grid& grid, base::Problems& problems) {
  if (base::first_tick_from(grid, event.from) >= 0 && event.from >= grid.start - 1e-9 * grid.step) return;
  problems.add(event.where,
               fmt::format("this event is at {} s, before the start of the experiment at {} s", event.from, grid.start),
               "let it begin at the start, or give the value in `set:` of the subsystem");
}

/// Windows are half open: what begins where a ramp or an override ends comes after it.
void check_pair(const Act& early, const Act& late, const base::Grid& grid, base::Problems& problems) {
  const std::string& path = late.target->path;
  const bool both_set = early.event->kind == EventKind::set && late.event->kind == EventKind::set;
  const bool same_set = both_set && same_value(*early.target, *late.target);
  const std::string other = early.target->where.line > 0 ? fmt::format(" (line {})", early.target->where.line) : "";
  if (late.event->from < early.event->to || (late.event->from == early.event->from && !same_set)) {
    problems.add(late.target->where,
                 fmt::format("two events are about \"{}\" at {} s: this one and the {} that begins at {} s{}", path,
                             late.event->from, verb(early.event->kind), early.event->from, other),
                 "let one end before the other begins");
    return;
  }
  const Tick tick = base::first_tick_from(grid, late.event->from);
  if (same_set || tick != base::first_tick_from(grid, early.event->from)) return;
  problems.add(late.target->where,
               fmt::format("this event and that of {} s{} both fall on the communication point {} s of \"{}\"",
                           early.event->from, other, grid.time(tick), path),
               "give a smaller step, or remove one of the two");
}

void check_lasts(const Act& act, const base::Grid& grid, base::Problems& problems) {
  const Event& event = *act.event;
  const Tick begin = base::first_tick_from(grid, event.from);
  if (act.target->feed == Feed::none || begin != base::first_tick_from(grid, event.to)) return;
  problems.add(act.target->where,
               fmt::format("from {} s to {} s there is no communication point, so \"{}\" would never see it",
                           event.from, event.to, act.target->path),
               fmt::format("let it last longer, or give a step smaller than {:.6g} s", event.to - event.from));
}

}  // namespace

double Piece::at(Tick tick, double t) const {
  if (tick >= settled || first == last) return last;
  return t <= from ? first : first + (last - first) * ((t - from) / (to - from));
}

const Piece* Course::at(Tick tick) const {
  const auto after = std::ranges::upper_bound(pieces, tick, {}, &Piece::begin);
  if (after == pieces.begin()) return nullptr;
  const Piece& piece = *(after - 1);
  return tick < piece.end ? &piece : nullptr;
}

std::vector<Course> courses_of(const SystemDescription& description, const base::Grid& grid) {
  std::vector<Course> courses;
  for (const auto& [key, acts] : acts_of(description)) {
    const EventTarget& any = *acts.front().target;
    Course course;
    course.subsystem = any.subsystem;
    course.input = any.input;
    course.type = any.type;
    course.feed = any.feed;
    if (!any.parameter.empty()) {
      const auto names = tuned_parameters(description, any.subsystem);
      course.parameter = static_cast<int>(std::ranges::find(names, any.parameter) - names.begin());
    }
    double present = any.before.value_or(0.0);
    for (const Act& act : acts) {
      course.pieces.push_back(piece_of(act, grid, present));
      present = course.pieces.back().last;
    }
    courses.push_back(std::move(course));
  }
  return courses;
}

void check_events(const SystemDescription& description, const base::Grid& grid, base::Problems& problems) {
  for (const Event& event : description.experiment.events) check_start(event, grid, problems);
  for (const auto& [key, acts] : acts_of(description)) {
    const Act* longest = nullptr;  // the one so far that ends last
    for (const Act& act : acts) {
      check_lasts(act, grid, problems);
      if (longest) check_pair(*longest, act, grid, problems);
      if (!longest || act.event->to >= longest->event->to) longest = &act;
    }
  }
}

std::vector<std::string> tuned_parameters(const SystemDescription& description, int subsystem) {
  std::vector<std::string> names;
  for (const Event& event : description.experiment.events) {
    for (const EventTarget& target : event.targets) {
      const bool known = std::ranges::find(names, target.parameter) != names.end();
      if (target.subsystem == subsystem && !target.parameter.empty() && !known) names.push_back(target.parameter);
    }
  }
  return names;
}

namespace {

std::string words_of(const Event& event) {
  std::string words;
  for (const EventTarget& target : event.targets)
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", target.path, value_words(target));
  return fmt::format("{} {}", verb(event.kind), words);
}

/// A ramp keeps its line and is only looked at on the grid: nothing of it is moved.
std::string remark_of(const Event& event, const Landing& landing, double slack) {
  const auto moved = [&](double asked, double landed) { return landed - asked > slack; };
  const bool begin = moved(landing.asked, landing.landed), end = moved(landing.asked_end, landing.landed_end);
  if (landing.fate == Landing::Fate::comes_too_late)
    return fmt::format("the event at {:.12g} s comes after the stop time and does not happen: {}", landing.asked,
                       landing.words);
  if (event.kind == EventKind::ramp) {
    if (landing.landed < landing.landed_end) return {};
    return fmt::format(
        "the ramp from {:.12g} s to {:.12g} s lies between two communication points and is a jump at {:.12g} s: {}",
        landing.asked, landing.asked_end, landing.landed_end, landing.words);
  }
  if (!begin && !end) return {};
  std::string text =
      fmt::format("the event at {:.12g} s happens at {:.12g} s, {:.6g} s later, on a communication point",
                  landing.asked, landing.landed, landing.landed - landing.asked);
  if (event.kind == EventKind::replace)
    text = fmt::format(
        "the override from {:.12g} s to {:.12g} s lasts from {:.12g} s ({:.6g} s later) to {:.12g} s ({:.6g} s later), "
        "on communication "
        "points",
        landing.asked, landing.asked_end, landing.landed, landing.landed - landing.asked, landing.landed_end,
        landing.landed_end - landing.asked_end);
  return text + ": " + landing.words;
}

}  // namespace

std::vector<Landing> landings(const Experiment& experiment, const base::Grid& grid) {
  const double stop = experiment.stop.value_or(std::numeric_limits<double>::infinity());
  const double slack = 1e-9 * grid.step;
  const auto point_from = [&](double t) {  // a stop time off the grid is a communication point too
    const double on_grid = grid.time(base::first_tick_from(grid, t));
    return on_grid > stop && t <= stop ? stop : on_grid;
  };
  std::vector<Landing> result;
  for (const Event& event : experiment.events) {
    Landing landing;
    landing.words = words_of(event);
    landing.asked = event.from;
    landing.asked_end = event.to;
    landing.landed = point_from(event.from);
    landing.landed_end = point_from(event.to);
    landing.tick = base::first_tick_from(grid, event.from);
    if (event.from > stop + slack) landing.fate = Landing::Fate::comes_too_late;
    landing.remark = remark_of(event, landing, slack);
    result.push_back(std::move(landing));
  }
  return result;
}

}  // namespace seam::system
