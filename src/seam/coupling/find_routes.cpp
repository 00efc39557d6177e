#include "seam/coupling/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "seam/coupling/last_step.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/observed.hpp"
#include "seam/coupling/route_finder.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {

using assembly::Member;
using assembly::Wire;

std::optional<Routes> RouteFinder::find_all() {
  const std::size_t before = problems_.size();
  make_lanes();
  check_rates();
  set_horizon();
  const auto order = exchange_order(assembly_, plan_, options_.courses, problems_);
  if (problems_.size() > before) return std::nullopt;
  set_stages(*order);
  choose_corrected();
  for (std::size_t w = 0; w < assembly_.wires.size(); ++w) carry(assembly_.wires[w], routes_.wires[w]);
  for (Lane& lane : parts_.lanes) choose_crossing(lane);
  check_last_step_of_filters();
  find_corrected_points();
  find_models();
  list_event_lanes();
  list_watches(assembly_, options_.watches, parts_);
  list_micro_rows(assembly_, options_.micro, parts_);
  choose_outputs(assembly_, options_, parts_);
  if (problems_.size() > before) return std::nullopt;
  return std::move(routes_);
}

void RouteFinder::make_lanes() {
  for (std::size_t i = 0; i < assembly_.members.size(); ++i) {
    Member& m = assembly_.members[i];
    routes_.lane_of_member.push_back(m.subsystem ? static_cast<int>(parts_.lanes.size()) : -1);
    if (!m.subsystem) continue;
    Lane lane;
    lane.subsystem = m.subsystem.get();
    lane.member = static_cast<int>(i);
    lane.inputs = static_cast<int>(system::count_reals(m.inputs));
    lane.outputs = static_cast<int>(system::count_reals(m.outputs));
    lane.discrete_in_count = static_cast<int>(m.inputs.size()) - lane.inputs;
    lane.discrete_out_count = static_cast<int>(m.outputs.size()) - lane.outputs;
    lane.multiple = plan_.subsystems[i].multiple;
    const auto turn = std::find(plan_.order.begin(), plan_.order.end(), static_cast<int>(i));
    if (turn != plan_.order.end()) lane.turn = static_cast<int>(turn - plan_.order.begin());
    parts_.lanes.push_back(std::move(lane));
    const system::SubsystemPlan& plan = plan_.subsystems[i];
    if (plan.feedthrough == system::Feedthrough::fresh && !m.subsystem->capabilities().can_evaluate) {
      problems_.add(plan.feedthrough_where, fmt::format("feedthrough: fresh is not possible for \"{}\"", m.name),
                    "its outputs cannot be evaluated without a step; use held (default)");
    }
  }
}

/// Steps of their own exclude what happens off or between the points of the slower ones.
void RouteFinder::check_rates() {
  constexpr base::Tick most_operations = 2'000'000;
  for (const Lane& lane : parts_.lanes) {
    routes_.hyper_period = std::lcm(routes_.hyper_period, static_cast<base::Tick>(lane.multiple));
    if (routes_.hyper_period <= most_operations / static_cast<base::Tick>(parts_.lanes.size())) continue;
    problems_.add({},
                  fmt::format("the steps of the subsystems meet again only after more than {} steps of {} s",
                              routes_.hyper_period, plan_.step),
                  "choose steps that are multiples of each other");
    routes_.hyper_period = 1;
    return;
  }
  for (const Lane& lane : parts_.lanes) {
    if (lane.multiple == 1) continue;
    const std::string& name = member(lane.member).name;
    const base::Tick ticks = options_.stop ? base::divide(*options_.stop - options_.start, plan_.step).whole : 0;
    const bool fits = !options_.stop || base::divide(*options_.stop - options_.start, step_of(lane)).exact;
    if (!fits) {
      const auto before = static_cast<double>(ticks / lane.multiple) * step_of(lane);
      problems_.add(
          options_.stop_where,
          fmt::format("the stop time {} s is not a whole number of steps of {} s, by which \"{}\" steps",
                      *options_.stop, step_of(lane), name),
          fmt::format("stop at {} s or at {} s", options_.start + before, options_.start + before + step_of(lane)));
    }
    for (const system::Course& course : options_.courses) {
      if (course.subsystem == lane.member)
        problems_.add({}, fmt::format("events on \"{}\" are not possible, since it has a step of its own", name));
    }
  }
}

void RouteFinder::set_horizon() {
  Horizon& horizon = routes_.horizon;
  horizon.grid = {options_.start, plan_.step};
  if (!options_.stop) return;
  const double length = *options_.stop - options_.start;
  const base::Division division = base::divide(length, plan_.step);
  horizon.ticks = division.whole;
  if (division.exact) return;
  horizon.last_step = *options_.stop - horizon.grid.time(division.whole);
  for (const Member& m : assembly_.members) {
    if (!m.subsystem || m.subsystem->capabilities().can_shorten) continue;
    problems_.add(
        options_.stop_where,
        fmt::format(
            "the stop time {} s is not a whole number of steps of {} s, and \"{}\" cannot take a shorter last step",
            *options_.stop, plan_.step, m.name),
        fmt::format("stop at {} s or at {} s", horizon.grid.time(division.whole),
                    horizon.grid.time(division.whole + 1)));
  }
}

/// When each output is sent.
void RouteFinder::set_stages(const ExchangeOrder& order) {
  routes_.stages = order.stages;
  for (Lane& lane : parts_.lanes) {
    const auto& stages = order.stage[static_cast<std::size_t>(lane.member)];
    if (!stages.empty()) lane.stages.assign(stages.begin(), stages.begin() + lane.outputs);
  }
  for (const Wire& wire : assembly_.wires) {
    Route route;
    route.from = routes_.lane_of_member[static_cast<std::size_t>(wire.from)];
    route.to = routes_.lane_of_member[static_cast<std::size_t>(wire.to)];
    route.stage = order.stage_of(wire.from, wire.output);
    routes_.wires.push_back(route);
  }
}

/// Macro steps of a member in micro steps of its own.
int RouteFinder::micro_steps(int member_index) {
  const double micro = plan_.subsystems[static_cast<std::size_t>(member_index)].micro_step;
  const double step = step_of(lane_of(member_index));
  const base::Division division = base::divide(step, micro);
  if (!division.exact || division.whole < 1) {
    problems_.add({}, fmt::format("the micro step {} s of \"{}\" does not divide the macro step {} s", micro,
                                  member(member_index).name, step));
    return 1;
  }
  const assembly::Capabilities can = member(member_index).subsystem->capabilities();
  auto calls = static_cast<int>(division.whole);
  if (can.shortest_step > 0.0)
    calls = std::min(calls, static_cast<int>(std::max<base::Tick>(1, base::divide(step, can.shortest_step).whole)));
  const auto fits = [&](int count) { return base::divide(step / count, can.step_unit).exact; };
  while (can.step_unit > 0.0 && calls > 1 && !fits(calls)) --calls;
  return calls;
}

/// Couplings that are the same have the same number.
int RouteFinder::number_of(const system::Coupling& coupling) {
  const auto found = std::find_if(couplings_.begin(), couplings_.end(),
                                  [&](const system::Coupling* known) { return are_same(*known, coupling); });
  const auto number = static_cast<int>(found - couplings_.begin());
  if (found == couplings_.end()) couplings_.push_back(&coupling);
  return number;
}

int RouteFinder::emitter_group(const Wire& wire, const system::Coupling& coupling) {
  Lane& lane = lane_of(wire.from);
  const double length = interval(lane, lane_of(wire.to));
  const auto [entry, added] =
      emitter_groups_.try_emplace({lane.member, number_of(coupling), length}, static_cast<int>(parts_.emitters.size()));
  if (added) {
    parts_.emitters.push_back({make_emitter(coupling, micro_step_of_samples(wire)), {}});
    lane.emitters.push_back(entry->second);
  }
  return entry->second;
}

/// Samples must be equally spaced for holds above order 0.
bool RouteFinder::one_divides_the_other(const Wire& wire) {
  const Lane &source = lane_of(wire.from), &sink = lane_of(wire.to);
  if (source.multiple % sink.multiple == 0 || sink.multiple % source.multiple == 0) return true;
  problems_.add(
      {},
      fmt::format("\"{}\" steps by {} s and \"{}\" by {} s: a hold above order 0 between them needs one to be a "
                  "whole multiple of the other",
                  member(wire.from).name, step_of(source), member(wire.to).name, step_of(sink)),
      fmt::format("use zoh for {}", assembly_.sink_name(wire)));
  return false;
}

/// Between two points of its own a slower sink hears nothing; a faster sink uses the same samples several times, and
/// they get older. Ahead of the others' turn the newest sample belongs to the end of the sink's step: its age is -1.
void RouteFinder::add_phases(ReceiverGroup& group, const system::Coupling& coupling, int source_steps) {
  const Lane& source = parts_.lanes[static_cast<std::size_t>(group.source)];
  const Lane& sink = parts_.lanes[static_cast<std::size_t>(group.lane)];
  const bool fine = coupling.samples == system::Samples::micro;
  const double ratio = static_cast<double>(source.multiple) / sink.multiple;
  const int phases = std::max(1, source.multiple / sink.multiple);
  const double spacing = fine ? ratio / source_steps : std::max(1.0, ratio);
  group.new_per_arrival = source_steps * std::max(1, sink.multiple / source.multiple);
  if (!fine) group.new_per_arrival = 1;
  for (int phase = 0; phase < phases; ++phase) {
    const bool ahead = is_ahead(source, sink) && phase + 1 == phases;
    SampleTiming timing{ahead ? -1.0 : static_cast<double>(phase), spacing, group.new_per_arrival};
    timing.sink_step = step_of(sink) / interval(source, sink);
    if (has_filters(coupling)) timing.sink_segments = micro_steps(sink.member);
    group.phases.push_back(make_receiver(coupling, timing));
  }
  group.receiver = group.phases.front();
  // where a last step is shorter all have the same step, and filters let a sample that is ahead wait
  if (routes_.horizon.last_step == 0.0 || !is_ahead(source, sink) || has_filters(coupling)) return;
  const double fraction = routes_.horizon.last_step / routes_.horizon.grid.step;
  const int parts = fine ? segments_of_last_step(source_steps, fraction) : 1;
  SampleTiming last{-fraction, parts > 1 ? fraction / parts : spacing, group.new_per_arrival};
  last.newest_spacing = fraction / parts;
  group.last = make_receiver(coupling, last);
}

/// Wires that arrive together by the same coupling share a receiver.
int RouteFinder::receiver_group(const Wire& wire, const Route& route, const system::Coupling& coupling) {
  const bool predicted = is_corrected(wire) && parts_.correction->shape.addition == Addition::polynomial;
  const auto [entry, added] = receiver_groups_.try_emplace(
      {route.to, route.from, route.stage, number_of(coupling), predicted}, static_cast<int>(parts_.receivers.size()));
  if (!added) return entry->second;
  const bool fine = coupling.samples == system::Samples::micro;
  ReceiverGroup group;
  group.lane = route.to;
  group.source = route.from;
  group.is_predicted = predicted;
  add_phases(group, coupling, fine ? micro_steps(wire.from) : 1);
  const ReceiverShape shape = group.receiver->shape();
  group.history_rows = shape.history;
  group.rows_per_arrival = fine ? shape.history : 1;
  Lane& sink = lane_of(wire.to);
  sink.degree = std::max(sink.degree, shape.degree);
  if (shape.pace == Pace::micro_steps) sink.smoothers.push_back(entry->second);
  parts_.receivers.push_back(std::move(group));
  return entry->second;
}

void RouteFinder::carry(const Wire& wire, Route& route) {
  const system::Coupling& coupling = plan_.connections[static_cast<std::size_t>(wire.connection)];
  const bool plain = is_plain_hold(coupling);
  if (!between_continuous_ports(wire) || (plain && (!is_corrected(wire) || is_corrected_sample(wire)))) return;
  if (!plain && !one_divides_the_other(wire)) return;
  if (sends_by_emitter(coupling)) check_emitter(wire, coupling);
  if (has_filters(coupling)) check_filters(wire, coupling);
  route.receiver_group = receiver_group(wire, route, coupling);
  ReceiverGroup& group = parts_.receivers[static_cast<std::size_t>(route.receiver_group)];
  route.column = static_cast<int>(group.columns.size());
  group.columns.push_back(wire.input);
  group.connections.push_back(wire.connection);
  if (!sends_by_emitter(coupling)) return;
  route.emitter_group = emitter_group(wire, coupling);
  std::vector<int>& ports = parts_.emitters[static_cast<std::size_t>(route.emitter_group)].ports;
  const auto port = std::find(ports.begin(), ports.end(), wire.output);
  route.sent_column = static_cast<int>(port - ports.begin());
  if (port == ports.end()) ports.push_back(wire.output);
}

/// 0: the step is made in one call. A watch is no reason to split a step whose result would be another one then.
int RouteFinder::micro_steps_if_needed(const Lane& lane, bool cannot_take_signal) {
  const bool split_anyway = !lane.emitters.empty() || !lane.smoothers.empty();
  if (cannot_take_signal || split_anyway || wants_micro_rows(options_.micro, lane.member))
    return micro_steps(lane.member);
  if (!wants_micro_points(options_.watches, lane.member)) return 0;
  const int segments = micro_steps(lane.member);
  return segments > 1 && lane.subsystem->capabilities().is_divisible_by(step_of(lane) / segments) ? segments : 0;
}

void RouteFinder::choose_crossing(Lane& lane) {
  const assembly::Capabilities can = lane.subsystem->capabilities();
  if (lane.constants > 0) {
    lane.segments = lane.constants;
    lane.crossing = Crossing::constant_segments;
    return;
  }
  const bool cannot_take_signal = (lane.degree > 0 && !can.takes_polynomials) || can.wants_micro_steps;
  const int segments = micro_steps_if_needed(lane, cannot_take_signal);
  if (segments == 0) return;
  lane.segments = segments;
  lane.crossing = can.takes_polynomials ? Crossing::polynomial_segments : Crossing::constant_segments;
}

void RouteFinder::list_event_lanes() {
  const bool shared = plan_.events == system::Events::shared;
  const auto refuse = [&](const std::string& why, const char* mend) {
    if (shared) problems_.add(plan_.events_where, "events: shared is not possible: " + why, mend);
  };
  const char* const otherwise = "use events: local (default)";
  if (plan_.schedule != system::Schedule::Kind::jacobi) refuse("the schedule is gauss-seidel", otherwise);
  std::string stays;  // a subsystem that cannot go back
  for (std::size_t l = 0; l < parts_.lanes.size(); ++l) {
    const Lane& lane = parts_.lanes[l];
    const std::string& name = member(lane.member).name;
    if (lane.multiple > 1) refuse(fmt::format("\"{}\" has a step of its own", name), otherwise);
    if (!lane.subsystem->capabilities().can_shorten)
      refuse(fmt::format("\"{}\" takes no shorter step", name), otherwise);
    if (!lane.emitters.empty())
      refuse(fmt::format("\"{}\" sends samples of its micro steps", name), "use samples: macro");
    assembly::DiscretePart* part = lane.subsystem->facets().discrete_part;
    if (!part) continue;
    bool feeds_through = false;
    for (int o = 0; o < lane.outputs; ++o) {
      for (int i = 0; i < lane.inputs; ++i) feeds_through = feeds_through || lane.subsystem->feeds_through(o, i);
    }
    parts_.event_lanes.push_back({static_cast<int>(l), part, 0, feeds_through});
    if (part->can_go_back()) continue;
    if (!stays.empty()) {
      refuse(
          fmt::format("neither \"{}\" nor \"{}\" can save its state and go back to an event of the other", stays, name),
          otherwise);
    }
    stays = name;
  }
}

std::optional<Routes> find_routes(const CompileTask& task) { return RouteFinder(task).find_all(); }

}  // namespace seam::coupling
