#include "seam/coupling/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compiler.hpp"
#include "seam/coupling/discrete_values.hpp"
#include "seam/coupling/event_lanes.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {

using assembly::Assembly;
using assembly::Member;
using assembly::Wire;

std::optional<Program> Compiler::compile() {
  program_.assembly = &assembly_;
  program_.grid = {options_.start, plan_.step};
  program_.growth_limit = options_.growth_limit;
  const std::size_t before = problems_.size();
  make_lanes();
  check_rates();
  set_horizon();
  const auto order = exchange_order(assembly_, plan_, options_.courses, problems_);
  if (problems_.size() > before) return std::nullopt;
  order_ = *order;
  for (Lane& lane : program_.lanes) {
    const auto& stages = order_.stage[static_cast<std::size_t>(lane.member)];
    lane.stages.assign(stages.begin(), stages.begin() + lane.outputs);
  }
  choose_corrected();
  for (const assembly::Wire& wire : assembly_.wires) routes_.push_back(route(wire));
  for (Lane& lane : program_.lanes) choose_crossing(lane);
  check_last_step_of_filters();
  split_for_points();
  list_event_lanes(program_, plan_, problems_);
  if (problems_.size() > before) return std::nullopt;
  lay_out();
  lay_out_discrete_values(program_);
  lay_out_interventions(program_, options_.courses);
  lay_out_watches(program_, options_.watches);
  list_micro_rows(program_, options_.micro);
  for (Lane& lane : program_.lanes) prepare(lane);
  make_models();
  const bool affine = is_affine_throughout();
  lay_out_micro_rows(program_, affine);
  write_slots();
  list_unread_outputs();
  if (problems_.size() > before) return std::nullopt;
  if (affine && options_.use == Use::stepping) program_.map = find_step_map(program_);
  return std::move(program_);
}

void Compiler::make_lanes() {
  for (std::size_t i = 0; i < assembly_.members.size(); ++i) {
    Member& m = assembly_.members[i];
    lane_of_member_.push_back(m.subsystem ? static_cast<int>(program_.lanes.size()) : -1);
    if (!m.subsystem) continue;
    Lane lane;
    lane.subsystem = m.subsystem.get();
    lane.member = static_cast<int>(i);
    lane.inputs = static_cast<int>(system::count_reals(m.inputs));
    lane.outputs = static_cast<int>(system::count_reals(m.outputs));
    lane.multiple = plan_.subsystems[i].multiple;
    const auto turn = std::find(plan_.order.begin(), plan_.order.end(), static_cast<int>(i));
    if (turn != plan_.order.end()) lane.turn = static_cast<int>(turn - plan_.order.begin());
    program_.lanes.push_back(std::move(lane));
    const system::SubsystemPlan& plan = plan_.subsystems[i];
    if (plan.feedthrough == system::Feedthrough::fresh && !m.subsystem->capabilities().can_evaluate) {
      problems_.add(plan.feedthrough_where, fmt::format("feedthrough: fresh is not possible for \"{}\"", m.name),
                    "its outputs cannot be evaluated without a step; use held (default)");
    }
  }
}

/// Steps of their own exclude what happens off or between the points of the slower ones.
void Compiler::check_rates() {
  constexpr base::Tick most_operations = 2'000'000;
  for (const Lane& lane : program_.lanes) {
    hyper_period_ = std::lcm(hyper_period_, static_cast<base::Tick>(lane.multiple));
    if (hyper_period_ <= most_operations / static_cast<base::Tick>(program_.lanes.size())) continue;
    problems_.add({},
                  fmt::format("the steps of the subsystems meet again only after more than {} steps of {} s",
                              hyper_period_, plan_.step),
                  "choose steps that are multiples of each other");
    hyper_period_ = 1;
    return;
  }
  for (const Lane& lane : program_.lanes) {
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

void Compiler::set_horizon() {
  if (!options_.stop) return;
  const double length = *options_.stop - options_.start;
  const base::Division division = base::divide(length, plan_.step);
  program_.ticks = division.whole;
  if (division.exact) return;
  program_.last_step = *options_.stop - program_.grid.time(division.whole);
  for (const Member& m : assembly_.members) {
    if (!m.subsystem || m.subsystem->capabilities().can_shorten) continue;
    problems_.add(
        options_.stop_where,
        fmt::format(
            "the stop time {} s is not a whole number of steps of {} s, and \"{}\" cannot take a shorter last step",
            *options_.stop, plan_.step, m.name),
        fmt::format("stop at {} s or at {} s", program_.grid.time(division.whole),
                    program_.grid.time(division.whole + 1)));
  }
}

/// Macro steps of a member in micro steps of its own.
int Compiler::micro_steps(int member_index) {
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
int Compiler::number_of(const system::Coupling& coupling) {
  const auto found = std::find_if(couplings_.begin(), couplings_.end(),
                                  [&](const system::Coupling* known) { return are_same(*known, coupling); });
  const auto number = static_cast<int>(found - couplings_.begin());
  if (found == couplings_.end()) couplings_.push_back(&coupling);
  return number;
}

int Compiler::emitter_group(const Wire& wire, const system::Coupling& coupling) {
  const int lane = lane_of_member_[static_cast<std::size_t>(wire.from)];
  const double length = interval(lane_of(wire.from), lane_of(wire.to));
  const auto [entry, added] =
      emitter_groups_.try_emplace({lane, number_of(coupling), length}, static_cast<int>(program_.emitters.size()));
  if (added) {
    auto emitter = make_emitter(coupling, micro_step_of_samples(wire));
    program_.emitters.push_back({emitter.get(), {}, 0, 0});
    program_.owned_emitters.push_back(std::move(emitter));
    program_.lanes[static_cast<std::size_t>(lane)].emitters.push_back(entry->second);
  }
  return entry->second;
}

/// Samples must be equally spaced for holds above order 0.
bool Compiler::one_divides_the_other(const Wire& wire) {
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
void Compiler::add_phases(ReceiverGroup& group, const system::Coupling& coupling, int source_steps) {
  const Lane& source = program_.lanes[static_cast<std::size_t>(group.source)];
  const Lane& sink = program_.lanes[static_cast<std::size_t>(group.lane)];
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
    auto receiver = make_receiver(coupling, timing);
    group.phases.push_back(receiver.get());
    program_.owned_receivers.push_back(std::move(receiver));
  }
  group.receiver = group.phases.front();
}

Route Compiler::route(const Wire& wire) {
  const system::Coupling& coupling = plan_.connections[static_cast<std::size_t>(wire.connection)];
  const bool plain = is_plain_hold(coupling);
  if (!between_continuous_ports(wire) || (plain && (!is_corrected(wire) || is_corrected_sample(wire)))) return {};
  const bool fine = coupling.samples == system::Samples::micro;
  if (!plain && !one_divides_the_other(wire)) return {};
  if (sends_by_emitter(coupling)) check_emitter(wire, coupling);
  if (has_filters(coupling)) check_filters(wire, coupling);
  const int source_steps = fine ? micro_steps(wire.from) : 1;

  const int lane = lane_of_member_[static_cast<std::size_t>(wire.to)];
  const int source = lane_of_member_[static_cast<std::size_t>(wire.from)];
  const auto [entry, added] = receiver_groups_.try_emplace({lane, source, stage(wire), number_of(coupling)},
                                                           static_cast<int>(program_.receivers.size()));
  if (added) {
    ReceiverGroup group;
    group.lane = lane;
    group.source = source;
    add_phases(group, coupling, source_steps);
    const ReceiverShape shape = group.receiver->shape();
    group.history_rows = shape.history;
    group.rows_per_arrival = fine ? shape.history : 1;
    group.counter = program_.knowledge++;
    Lane& sink = program_.lanes[static_cast<std::size_t>(lane)];
    sink.degree = std::max(sink.degree, shape.degree);
    if (shape.pace == Pace::micro_steps) sink.smoothers.push_back(entry->second);
    program_.receivers.push_back(std::move(group));
  }
  Route result;
  result.receiver_group = entry->second;
  ReceiverGroup& group = program_.receivers[static_cast<std::size_t>(entry->second)];
  result.column = static_cast<int>(group.columns.size());
  group.columns.push_back(wire.input);
  group.connections.push_back(wire.connection);
  if (!sends_by_emitter(coupling)) return result;
  result.emitter_group = emitter_group(wire, coupling);
  std::vector<int>& ports = program_.emitters[static_cast<std::size_t>(result.emitter_group)].ports;
  const auto port = std::find(ports.begin(), ports.end(), wire.output);
  result.sent_column = static_cast<int>(port - ports.begin());
  if (port == ports.end()) ports.push_back(wire.output);
  return result;
}

/// 0: the step is made in one call. A watch is no reason to split a step whose result would be another one then.
int Compiler::micro_steps_if_needed(const Lane& lane, bool cannot_take_signal) {
  const bool split_anyway = !lane.emitters.empty() || !lane.smoothers.empty();
  if (cannot_take_signal || split_anyway || wants_micro_rows(options_.micro, lane.member))
    return micro_steps(lane.member);
  if (!wants_micro_points(options_.watches, lane.member)) return 0;
  const int segments = micro_steps(lane.member);
  return segments > 1 && lane.subsystem->capabilities().is_divisible_by(step_of(lane) / segments) ? segments : 0;
}

void Compiler::choose_crossing(Lane& lane) {
  const assembly::Capabilities can = lane.subsystem->capabilities();
  const bool cannot_take_signal = (lane.degree > 0 && !can.takes_polynomials) || can.wants_micro_steps;
  const int segments = micro_steps_if_needed(lane, cannot_take_signal);
  if (segments == 0) return;
  lane.segments = segments;
  lane.crossing = can.takes_polynomials ? Crossing::polynomial_segments : Crossing::constant_segments;
}

void Compiler::lay_out_groups() {
  for (EmitterGroup& group : program_.emitters) {
    const int ports = static_cast<int>(group.ports.size());
    group.rows = take(group.emitter->rows() * ports);
    group.gathered = take(ports);
  }
  for (ReceiverGroup& group : program_.receivers) {
    const int ports = static_cast<int>(group.columns.size());
    group.history = take(group.receiver->shape().history * ports);
  }
}

void Compiler::lay_out() {
  for (Lane& lane : program_.lanes) lane.values = take(lane.outputs);
  lay_out_groups();
  for (Lane& lane : program_.lanes) {
    lane.segment = take((lane.degree + 1) * lane.inputs);
    lane.fresh = take(lane.inputs);
  }
  for (EventLane& e : program_.event_lanes) e.before = take(program_.lanes[static_cast<std::size_t>(e.lane)].outputs);
  for (Lane& lane : program_.lanes) {
    lane.coefficients = take((lane.degree + 1) * lane.inputs);
    for (int i = 0; i < lane.inputs; ++i) lane.now.push_back(lane.coefficients + i);
  }
  for (const ReceiverGroup& group : program_.receivers) {
    Lane& lane = program_.lanes[static_cast<std::size_t>(group.lane)];
    for (std::size_t p = 0; p < group.columns.size(); ++p) {
      lane.now[static_cast<std::size_t>(group.columns[p])] = group.history + static_cast<int>(p);
    }
  }
  lay_out_correction();
  program_.initial_values.assign(static_cast<std::size_t>(size_), 0.0);
  for (const Lane& lane : program_.lanes) {
    for (int i = 0; i < lane.inputs; ++i) {
      program_.initial_values[static_cast<std::size_t>(lane.coefficients + i)] =
          member(lane.member).inputs[static_cast<std::size_t>(i)].start.value_or(0.0);
    }
  }
  list_signals();
}

/// What is read in a macro step before it is written there: inputs that wires write, samples and filters of receivers,
/// filters of emitters, and what these keep because a step has fewer micro points than they send samples.
void Compiler::list_signals() {
  for (std::size_t w = 0; w < routes_.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    if (routes_[w].receiver_group < 0)
      program_.signals.push_back(lane_of(wire.to).now[static_cast<std::size_t>(wire.input)]);
  }
  list_corrector_signals();
  for (const ReceiverGroup& group : program_.receivers) {
    const ReceiverShape shape = group.receiver->shape();
    const int ports = static_cast<int>(group.columns.size());
    for (int i = shape.newest * ports; i < shape.history * ports; ++i) program_.signals.push_back(group.history + i);
  }
  for (const Lane& lane : program_.lanes) {
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program_.emitters[static_cast<std::size_t>(e)];
      const RowRange kept = group.emitter->carried(lane.segments);
      const int ports = static_cast<int>(group.ports.size());
      for (int i = 0; i < kept.count * ports; ++i) program_.signals.push_back(group.rows + kept.first * ports + i);
    }
  }
}

void Compiler::list_unread_outputs() {
  std::vector<bool> read(static_cast<std::size_t>(size_));
  for (const Link& link : program_.links) read[static_cast<std::size_t>(link.from)] = true;
  for (const Lane& lane : program_.lanes) {
    for (int place = lane.values; place < lane.values + lane.outputs; ++place) {
      if (!read[static_cast<std::size_t>(place)]) program_.unread.push_back(place);
    }
  }
}

/// Whether a macro step maps states, signals and known signals affinely.
bool Compiler::is_affine_throughout() const {
  const bool couplings = std::all_of(plan_.connections.begin(), plan_.connections.end(),
                                     [](const auto& coupling) { return affinity(coupling) == Affinity::affine; });
  return couplings && affinity(plan_.corrector) == Affinity::affine && is_affine(program_);
}

void Compiler::prepare(Lane& lane) {
  assembly::Calls calls;
  calls.length = step_of(lane) / lane.segments;
  calls.degree = lane.degree;
  if (lane.crossing == Crossing::constant_segments) {
    calls.degree = 0;
    calls.in_macro_step = lane.segments;
    calls.macro_step = step_of(lane);
  }
  const bool evaluated = std::any_of(lane.stages.begin(), lane.stages.end(), [](int stage) { return stage > 0; });
  calls.evaluates = evaluated || (options_.evaluations == Evaluations::wherever_possible &&
                                  lane.subsystem->capabilities().can_evaluate);
  lane.step = lane.subsystem->prepare(calls);
  if (program_.last_step == 0.0) return;
  calls.length = program_.last_step / segments_of_last_step(lane, program_.last_step / program_.grid.step);
  lane.subsystem->prepare(calls);
}

std::optional<Program> compile(Assembly& assembly, const system::Plan& plan, const CompileOptions& options,
                               base::Problems& problems) {
  return Compiler(assembly, plan, options, problems).compile();
}

}  // namespace seam::coupling
