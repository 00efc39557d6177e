#include "seam/coupling/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/event_lanes.hpp"
#include "seam/coupling/exchange_order.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/parcels.hpp"

namespace seam::coupling {
namespace {

using assembly::Assembly;
using assembly::Member;
using assembly::Wire;
using system::Variability;

/// How one wire is carried: straight into the input, or through an emitter and a receiver.
struct Route {
  int receiver_group = -1;  ///< none: the wire writes the input itself
  int column = 0;
  int emitter_group = -1;  ///< none: the last value
  int sent_column = 0;
};

class Compiler {
 public:
  Compiler(Assembly& assembly, const system::Plan& plan, const CompileOptions& options, base::Problems& problems)
      : assembly_(assembly), plan_(plan), options_(options), problems_(problems) {}

  std::optional<Program> compile() {
    program_.assembly = &assembly_;
    program_.grid = {options_.start, plan_.step};
    program_.growth_limit = options_.growth_limit;
    const std::size_t before = problems_.size();
    make_lanes();
    set_horizon();
    const auto order = exchange_order(assembly_, plan_, options_.courses, problems_);
    if (problems_.size() > before) return std::nullopt;
    order_ = *order;
    for (const Wire& wire : assembly_.wires) routes_.push_back(route(wire));
    for (Lane& lane : program_.lanes) choose_crossing(lane);
    list_event_lanes(program_, plan_, problems_);
    if (problems_.size() > before) return std::nullopt;
    lay_out();
    lay_out_parcels(program_);
    lay_out_interventions(program_, options_.courses);
    for (const Lane& lane : program_.lanes) prepare(lane);
    write_operations();
    list_unheard_outputs();
    return std::move(program_);
  }

 private:
  void make_lanes();
  void set_horizon();
  Route route(const Wire& wire);
  int emitter_group(const Wire& wire, const system::Coupling& coupling);
  void choose_crossing(Lane& lane);
  void lay_out();
  void lay_out_groups();
  void list_signals();
  void write_operations();
  void write_steps();
  void write_links(int stage);
  void list_unheard_outputs();
  void prepare(const Lane& lane);

  bool between_continuous_ports(const Wire& wire) const {
    return member(wire.from).outputs[static_cast<std::size_t>(wire.output)].variability == Variability::continuous &&
           member(wire.to).inputs[static_cast<std::size_t>(wire.input)].variability == Variability::continuous;
  }
  const Member& member(int index) const { return assembly_.members[static_cast<std::size_t>(index)]; }
  Lane& lane_of(int member) {
    return program_.lanes[static_cast<std::size_t>(lane_of_member_[static_cast<std::size_t>(member)])];
  }
  int stage(const Wire& wire) const {
    return order_.stage[static_cast<std::size_t>(wire.from)][static_cast<std::size_t>(wire.output)];
  }
  int take(int count) {
    const int place = size_;
    size_ += count;
    return place;
  }
  int micro_steps(int member_index);

  Assembly& assembly_;
  const system::Plan& plan_;
  const CompileOptions& options_;
  base::Problems& problems_;
  Program program_;
  ExchangeOrder order_;
  std::vector<int> lane_of_member_;
  std::vector<Route> routes_;                                              // one a wire
  std::map<std::tuple<int, int, int, std::string>, int> receiver_groups_;  // lane, source lane, stage, method
  std::map<std::tuple<int, int>, int> emitter_groups_;                     // lane, rows
  int size_ = 0;
};

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
    program_.lanes.push_back(std::move(lane));
    const system::SubsystemPlan& plan = plan_.subsystems[i];
    if (plan.feedthrough == system::Feedthrough::fresh && !m.subsystem->capabilities().can_evaluate) {
      problems_.add(plan.feedthrough_where, fmt::format("feedthrough: fresh is not possible for \"{}\"", m.name),
                    "its outputs cannot be evaluated without a step; use held (default)");
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
  const base::Division division = base::divide(plan_.step, micro);
  if (!division.exact || division.whole < 1) {
    problems_.add({}, fmt::format("the micro step {} s of \"{}\" does not divide the macro step {} s", micro,
                                  member(member_index).name, plan_.step));
    return 1;
  }
  const assembly::Capabilities can = member(member_index).subsystem->capabilities();
  auto calls = static_cast<int>(division.whole);
  if (can.shortest_step > 0.0)
    calls =
        std::min(calls, static_cast<int>(std::max<base::Tick>(1, base::divide(plan_.step, can.shortest_step).whole)));
  const auto fits = [&](int count) { return base::divide(plan_.step / count, can.step_unit).exact; };
  while (can.step_unit > 0.0 && calls > 1 && !fits(calls)) --calls;
  return calls;
}

int Compiler::emitter_group(const Wire& wire, const system::Coupling& coupling) {
  const int lane = lane_of_member_[static_cast<std::size_t>(wire.from)];
  auto emitter = make_emitter(coupling);
  const auto [entry, added] =
      emitter_groups_.try_emplace({lane, emitter->rows()}, static_cast<int>(program_.emitters.size()));
  if (added) {
    program_.emitters.push_back({emitter.get(), {}, 0, 0});
    program_.owned_emitters.push_back(std::move(emitter));
    program_.lanes[static_cast<std::size_t>(lane)].emitters.push_back(entry->second);
  }
  return entry->second;
}

Route Compiler::route(const Wire& wire) {
  const system::Coupling& coupling = plan_.connections[static_cast<std::size_t>(wire.connection)];
  if (!between_continuous_ports(wire) || is_plain_hold(coupling)) return {};
  const bool fine = coupling.samples == system::Samples::micro;
  const int source_steps = fine ? micro_steps(wire.from) : 1;
  const SampleTiming timing{0.0, 1.0 / source_steps, source_steps};

  const int lane = lane_of_member_[static_cast<std::size_t>(wire.to)];
  const int source = lane_of_member_[static_cast<std::size_t>(wire.from)];
  const auto [entry, added] = receiver_groups_.try_emplace({lane, source, stage(wire), describe(coupling)},
                                                           static_cast<int>(program_.receivers.size()));
  if (added) {
    auto receiver = make_receiver(coupling, timing);
    ReceiverGroup group;
    group.receiver = receiver.get();
    group.lane = lane;
    group.source = source;
    group.history_rows = receiver->shape().history;
    group.rows_per_arrival = fine ? receiver->shape().history : 1;
    group.new_per_arrival = timing.per_arrival;
    group.counter = program_.knowledge++;
    program_.lanes[static_cast<std::size_t>(lane)].degree =
        std::max(program_.lanes[static_cast<std::size_t>(lane)].degree, receiver->shape().degree);
    program_.receivers.push_back(std::move(group));
    program_.owned_receivers.push_back(std::move(receiver));
  }
  Route result;
  result.receiver_group = entry->second;
  ReceiverGroup& group = program_.receivers[static_cast<std::size_t>(entry->second)];
  result.column = static_cast<int>(group.columns.size());
  group.columns.push_back(wire.input);
  group.connections.push_back(wire.connection);
  if (!fine) return result;
  result.emitter_group = emitter_group(wire, coupling);
  std::vector<int>& ports = program_.emitters[static_cast<std::size_t>(result.emitter_group)].ports;
  const auto port = std::find(ports.begin(), ports.end(), wire.output);
  result.sent_column = static_cast<int>(port - ports.begin());
  if (port == ports.end()) ports.push_back(wire.output);
  return result;
}

void Compiler::choose_crossing(Lane& lane) {
  const assembly::Capabilities can = lane.subsystem->capabilities();
  const bool cannot_take_signal = (lane.degree > 0 && !can.takes_polynomials) || can.wants_micro_steps;
  if (!cannot_take_signal && lane.emitters.empty()) return;
  lane.segments = micro_steps(lane.member);
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
    lane.coefficients = take((lane.degree + 1) * lane.inputs);
    lane.segment = take((lane.degree + 1) * lane.inputs);
    lane.fresh = take(lane.inputs);
    for (int i = 0; i < lane.inputs; ++i) lane.now.push_back(lane.coefficients + i);
  }
  for (EventLane& e : program_.event_lanes) e.before = take(program_.lanes[static_cast<std::size_t>(e.lane)].outputs);
  for (const ReceiverGroup& group : program_.receivers) {
    Lane& lane = program_.lanes[static_cast<std::size_t>(group.lane)];
    for (std::size_t p = 0; p < group.columns.size(); ++p) {
      lane.now[static_cast<std::size_t>(group.columns[p])] = group.history + static_cast<int>(p);
    }
  }
  program_.initial_values.assign(static_cast<std::size_t>(size_), 0.0);
  for (const Lane& lane : program_.lanes) {
    for (int i = 0; i < lane.inputs; ++i) {
      program_.initial_values[static_cast<std::size_t>(lane.coefficients + i)] =
          member(lane.member).inputs[static_cast<std::size_t>(i)].start.value_or(0.0);
    }
  }
  list_signals();
}

/// What is read in a macro step before it is written there: inputs that wires write, samples of receivers, and what an
/// emitter keeps because a step has fewer micro points than it sends samples.
void Compiler::list_signals() {
  for (std::size_t w = 0; w < routes_.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    if (routes_[w].receiver_group < 0) program_.signals.push_back(lane_of(wire.to).coefficients + wire.input);
  }
  for (const ReceiverGroup& group : program_.receivers) {
    const int count = group.receiver->shape().history * static_cast<int>(group.columns.size());
    for (int i = 0; i < count; ++i) program_.signals.push_back(group.history + i);
  }
  for (const Lane& lane : program_.lanes) {
    for (const int e : lane.emitters) {
      const EmitterGroup& group = program_.emitters[static_cast<std::size_t>(e)];
      const int kept = (group.emitter->rows() - lane.segments) * static_cast<int>(group.ports.size());
      for (int i = 0; i < kept; ++i) program_.signals.push_back(group.rows + i);
    }
  }
}

/// The links of the outputs that are ready at this stage: copies first, then those with a factor or an offset.
void Compiler::write_links(int stage_now) {
  std::vector<Link> copies, scaled;
  for (std::size_t w = 0; w < routes_.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    if (stage(wire) != stage_now) continue;
    std::vector<Link>& links = wire.gain == 1.0 && wire.offset == 0.0 ? copies : scaled;
    const Route& route = routes_[w];
    const int value = lane_of(wire.from).values + wire.output;
    if (route.receiver_group < 0) {
      links.push_back({value, lane_of(wire.to).coefficients + wire.input, wire.gain, wire.offset});
      continue;
    }
    const ReceiverGroup& group = program_.receivers[static_cast<std::size_t>(route.receiver_group)];
    for (int row = 0; row < group.rows_per_arrival; ++row) {
      int from = value;
      if (route.emitter_group >= 0) {
        const EmitterGroup& sent = program_.emitters[static_cast<std::size_t>(route.emitter_group)];
        from = sent.rows + row * static_cast<int>(sent.ports.size()) + route.sent_column;
      }
      links.push_back(
          {from, group.history + row * static_cast<int>(group.columns.size()) + route.column, wire.gain, wire.offset});
    }
  }
  for (const auto& [action, links] : {std::pair{Action::copy, copies}, std::pair{Action::scale, scaled}}) {
    if (links.empty()) continue;
    program_.operations.push_back({action, static_cast<int>(program_.links.size()), static_cast<int>(links.size())});
    program_.links.insert(program_.links.end(), links.begin(), links.end());
  }
}

/// Bare functions first, in one go; the order of lanes does not matter, since nothing is exchanged before all have
/// arrived.
void Compiler::write_steps() {
  std::vector<Operation> others;
  const auto with_lane = [&](Action action, std::size_t lane, bool wanted) {
    if (wanted) others.push_back({action, static_cast<int>(lane)});
  };
  for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
    const Lane& lane = program_.lanes[l];
    const bool whole = lane.crossing == Crossing::whole;
    const auto direct = whole ? lane.subsystem->direct_step(program_.grid.step, lane.degree) : std::nullopt;
    if (direct && program_.last_step == 0.0) {
      program_.direct.push_back({*direct, lane.coefficients, lane.values});
      continue;
    }
    with_lane(Action::give, l, lane.parcels_in_count > 0);
    if (!whole) {
      others.push_back({Action::step_in_segments, static_cast<int>(l)});
    } else if (!others.empty() && others.back().action == Action::step) {
      ++others.back().count;
    } else {
      others.push_back({Action::step, static_cast<int>(program_.calls.size())});
    }
    if (whole)
      program_.calls.push_back({lane.subsystem->step_function(), lane.degree, lane.inputs, lane.outputs,
                                lane.coefficients, lane.values, static_cast<int>(l)});
    with_lane(Action::take, l, lane.sends_parcels);
  }
  if (!program_.direct.empty())
    program_.operations.push_back({Action::step_directly, 0, static_cast<int>(program_.direct.size())});
  program_.operations.insert(program_.operations.end(), others.begin(), others.end());
}

void Compiler::write_operations() {
  for (std::size_t g = 0; g < program_.receivers.size(); ++g)
    program_.operations.push_back({Action::receive, static_cast<int>(g)});
  const bool events = !program_.interventions.empty();
  if (events) program_.operations.insert(program_.operations.end(), {{Action::tune}, {Action::intervene_in_step}});
  write_steps();
  if (!program_.parcel_links.empty()) program_.operations.push_back({Action::pass});
  for (int now = 0; now < order_.stages; ++now) {
    for (std::size_t l = 0; now > 0 && l < program_.lanes.size(); ++l) {
      const auto& stages = order_.stage[static_cast<std::size_t>(program_.lanes[l].member)];
      if (std::find(stages.begin(), stages.end(), now) != stages.end()) {
        program_.operations.push_back({Action::evaluate, static_cast<int>(l)});
        program_.lanes[l].subsystem->expect_evaluations();
      }
    }
    for (const auto& [key, group] : receiver_groups_) {
      if (std::get<2>(key) == now) program_.operations.push_back({Action::make_room, group});
    }
    write_links(now);
    if (events) program_.operations.push_back({Action::intervene_at_point});
  }
  if (!program_.event_lanes.empty()) program_.operations.push_back({Action::settle});
}

void Compiler::list_unheard_outputs() {
  std::vector<bool> heard(static_cast<std::size_t>(size_));
  for (const Link& link : program_.links) heard[static_cast<std::size_t>(link.from)] = true;
  for (const Lane& lane : program_.lanes) {
    for (int place = lane.values; place < lane.values + lane.outputs; ++place) {
      if (!heard[static_cast<std::size_t>(place)]) program_.unheard.push_back(place);
    }
  }
}

void Compiler::prepare(const Lane& lane) {
  const int degree = lane.crossing == Crossing::constant_segments ? 0 : lane.degree;
  lane.subsystem->prepare(program_.grid.step / lane.segments, degree);
  if (lane.crossing == Crossing::constant_segments) lane.subsystem->split(program_.grid.step, lane.segments);
  if (program_.last_step > 0.0) {
    const int segments = segments_of_last_step(lane, program_.last_step / program_.grid.step);
    lane.subsystem->prepare(program_.last_step / segments, degree);
  }
}

}  // namespace

std::optional<Program> compile(Assembly& assembly, const system::Plan& plan, const CompileOptions& options,
                               base::Problems& problems) {
  return Compiler(assembly, plan, options, problems).compile();
}

}  // namespace seam::coupling
