#include "seam/coupling/layout.hpp"

#include <algorithm>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/intervention.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/micro_rows.hpp"

namespace seam::coupling {
namespace {

using assembly::Member;

class LayoutWriter {
 public:
  LayoutWriter(const CompileTask& task, const Routes& routes) : task_(task), routes_(routes) {
    static_cast<Parts&>(layout_) = routes.parts;
  }

  std::optional<Layout> write() {
    for (Lane& lane : layout_.lanes) prepare(lane);
    layout_.is_affine = is_affine();
    lay_out_lanes();
    if (layout_.correction) lay_out_correction(routes_, task_.assembly.wires, {values_, knowledge_}, layout_);
    list_signals();
    lay_out_discrete_values();
    layout_.kept_values = static_cast<std::size_t>(values_.size());
    lay_out_interventions();
    lay_out_notes();
    set_initial_memory();
    if (layout_.correction && !make_models(task_, layout_)) {
      task_.problems.add(
          task_.plan.corrector.where, "the equations of the corrector have no solution for these subsystems",
          "direct feed-through closes a loop of gain 1: choose another corrector, or `over` fewer connections");
      return std::nullopt;
    }
    return std::move(layout_);
  }

 private:
  void prepare(Lane& lane);
  bool is_affine() const;
  void lay_out_lanes();
  void lay_out_groups();
  void list_signals();
  void lay_out_discrete_values();
  void lay_out_interventions();
  void lay_out_notes();
  void set_initial_memory();

  const Member& member(const Lane& lane) const { return task_.assembly.members[static_cast<std::size_t>(lane.member)]; }
  Lane& lane_of(int member) {
    return layout_.lanes[static_cast<std::size_t>(routes_.lane_of_member[static_cast<std::size_t>(member)])];
  }

  const CompileTask& task_;
  const Routes& routes_;
  Layout layout_;
  Places values_, knowledge_, discrete_values_;
};

void LayoutWriter::prepare(Lane& lane) {
  const Horizon& horizon = routes_.horizon;
  const double step = lane.multiple * horizon.grid.step;
  assembly::Calls calls;
  calls.length = step / lane.segments;
  calls.degree = lane.degree;
  if (lane.crossing == Crossing::constant_segments) {
    calls.degree = 0;
    calls.in_macro_step = lane.segments;
    calls.macro_step = step;
  }
  calls.evaluates = lane.evaluates;
  calls.outputs = lane.wanted ? &*lane.wanted : nullptr;
  lane.step = lane.subsystem->prepare(calls);
  if (horizon.last_step == 0.0) return;
  calls.length = horizon.last_step / segments_of_last_step(lane.segments, horizon.last_step / horizon.grid.step);
  lane.subsystem->prepare(calls);
}

bool LayoutWriter::is_affine() const {
  const system::Plan& plan = task_.plan;
  if (plan.events != system::Events::local || !task_.options.courses.empty() || !layout_.event_lanes.empty())
    return false;
  const bool couplings = std::all_of(plan.connections.begin(), plan.connections.end(),
                                     [](const auto& coupling) { return affinity(coupling) == Affinity::affine; });
  if (!couplings || affinity(plan.corrector) != Affinity::affine) return false;
  if (const auto& c = layout_.correction) {
    const auto limited = [](const CorrectedWire& wire) { return wire.limited; };
    if (c->learns_in_runs() || std::any_of(c->wires.begin(), c->wires.end(), limited)) return false;
  }
  return std::all_of(layout_.lanes.begin(), layout_.lanes.end(), [&](const Lane& lane) {
    return lane.multiple == 1 && lane.discrete_in_count + lane.discrete_out_count == 0 && member(lane).equations &&
           lane.subsystem->capabilities().affine && lane.subsystem->shows_states();
  });
}

void LayoutWriter::lay_out_groups() {
  for (EmitterGroup& group : layout_.emitters) {
    const int ports = static_cast<int>(group.ports.size());
    group.rows = values_.take(group.emitter->rows() * ports);
    group.gathered = values_.take(ports);
  }
  for (ReceiverGroup& group : layout_.receivers) {
    group.history = values_.take(group.history_rows * static_cast<int>(group.columns.size()));
    group.counter = knowledge_.take(1);
  }
}

void LayoutWriter::lay_out_lanes() {
  for (Lane& lane : layout_.lanes) lane.values = values_.take(lane.outputs);
  lay_out_groups();
  for (Lane& lane : layout_.lanes) {
    lane.segment = values_.take((lane.degree + 1) * lane.inputs);
    lane.fresh = values_.take(lane.inputs);
  }
  for (EventLane& e : layout_.event_lanes)
    e.before = values_.take(layout_.lanes[static_cast<std::size_t>(e.lane)].outputs);
  for (Lane& lane : layout_.lanes) {
    lane.coefficients = values_.take((lane.degree + 1) * lane.inputs);
    for (int i = 0; i < lane.inputs; ++i) lane.now.push_back(lane.coefficients + i);
  }
  for (const ReceiverGroup& group : layout_.receivers) {
    Lane& lane = layout_.lanes[static_cast<std::size_t>(group.lane)];
    for (std::size_t p = 0; p < group.columns.size(); ++p)
      lane.now[static_cast<std::size_t>(group.columns[p])] = group.history + static_cast<int>(p);
  }
}

/// What is read in a macro step before it is written there: inputs that wires write, samples and filters of receivers,
/// filters of emitters, and what these keep because a step has fewer micro points than they send samples.
void LayoutWriter::list_signals() {
  std::vector<int>& signals = layout_.signals;
  const auto add = [&](int first, int count) {
    for (int i = 0; i < count; ++i) signals.push_back(first + i);
  };
  for (std::size_t w = 0; w < routes_.wires.size(); ++w) {
    const assembly::Wire& wire = task_.assembly.wires[w];
    if (routes_.wires[w].receiver_group < 0) add(lane_of(wire.to).now[static_cast<std::size_t>(wire.input)], 1);
  }
  if (layout_.correction) coupling::list_signals(*layout_.correction, signals);
  for (const ReceiverGroup& group : layout_.receivers) {
    const ReceiverShape shape = group.receiver->shape();
    const int ports = static_cast<int>(group.columns.size());
    add(group.history + shape.newest * ports, (shape.history - shape.newest) * ports);
  }
  const Horizon& horizon = routes_.horizon;
  for (const Lane& lane : layout_.lanes) {
    const bool last = horizon.last_step > 0.0;  // a shorter step has fewer micro points
    const int points =
        last ? segments_of_last_step(lane.segments, horizon.last_step / horizon.grid.step) : lane.segments;
    for (const int e : lane.emitters) {
      const EmitterGroup& group = layout_.emitters[static_cast<std::size_t>(e)];
      const RowRange kept = group.emitter->carried(points);
      const int ports = static_cast<int>(group.ports.size());
      add(group.rows + kept.first * ports, kept.count * ports);
    }
  }
}

void LayoutWriter::lay_out_discrete_values() {
  for (Lane& lane : layout_.lanes) {
    lane.discrete_in = discrete_values_.take(lane.discrete_in_count);
    lane.discrete_out = discrete_values_.take(lane.discrete_out_count);
  }
  for (const assembly::DiscreteWire& wire : task_.assembly.discrete_wires) {
    const Lane &from = lane_of(wire.ends.from), &to = lane_of(wire.ends.to);
    const int sent = from.discrete_out + wire.ends.output - from.outputs;
    const int received = wire.to == system::PortType::real ? to.now[static_cast<std::size_t>(wire.ends.input)]
                                                           : to.discrete_in + wire.ends.input - to.inputs;
    layout_.discrete_links.push_back({&wire, sent, received});
  }
  layout_.kept_discrete_values = static_cast<std::size_t>(discrete_values_.size());
}

void LayoutWriter::lay_out_interventions() {
  for (const system::Course& course : task_.options.courses) {
    Lane& lane = lane_of(course.subsystem);
    Intervention one = find_intervention(course, task_.assembly, layout_, lane);
    if (one.is_shown_apart()) one.place = values_.take(1);
    if (one.is_shown_apart() && course.input < lane.inputs)
      lane.now[static_cast<std::size_t>(course.input)] = one.place;
    layout_.interventions.push_back(std::move(one));
  }
}

/// What monitors, the corrector and recorders are told of the inside of a step: no saved state needs it.
void LayoutWriter::lay_out_notes() {
  for (StepWatch& watch : layout_.watches) {
    const Lane& lane = layout_.lanes[static_cast<std::size_t>(watch.lane)];
    watch.polynomials = values_.take((lane.degree + 1) * static_cast<int>(watch.inputs.size()));
    if (lane.crossing != Crossing::whole)
      watch.points = values_.take(lane.segments * static_cast<int>(watch.outputs.size()));
  }
  for (const Lane& lane : layout_.lanes) {
    if (lane.told < 0) continue;
    CorrectedLane& corrected = layout_.correction->lanes[static_cast<std::size_t>(lane.told)];
    corrected.told_size = 1 + (corrected.states + lane.outputs) * (corrected.states + lane.inputs);
    corrected.told = values_.take(layout_.correction->shape.points_told() * corrected.told_size);
  }
  for (ObservedLane& observed : layout_.observed) {
    observed.place = values_.take(observed.reals);
    observed.discrete_place = discrete_values_.take(observed.discrete_count);
  }
  layout_.micro_rows_last = give_room(layout_.lanes, layout_.is_affine, layout_.micro_rows);
  for (MicroRows& rows : layout_.micro_rows) {
    constexpr int filling = lti::rows_a_block - 1;  // a map writes whole blocks of rows
    const Lane& lane = layout_.lanes[static_cast<std::size_t>(rows.lane)];
    rows.place = values_.take(rows.steps * lane.segments * rows.width() + filling);
  }
}

void LayoutWriter::set_initial_memory() {
  Memory& initial = layout_.initial;
  initial.values.assign(static_cast<std::size_t>(values_.size()), 0.0);
  initial.knowledge.assign(static_cast<std::size_t>(knowledge_.size()), 0);
  initial.discrete_values.resize(static_cast<std::size_t>(discrete_values_.size()));
  for (const Lane& lane : layout_.lanes) {
    for (int i = 0; i < lane.inputs; ++i)
      initial.values[static_cast<std::size_t>(lane.coefficients + i)] =
          member(lane).inputs[static_cast<std::size_t>(i)].start.value_or(0.0);
  }
  if (layout_.correction && layout_.correction->shape.learns()) initial.learning.emplace(*layout_.correction);
}

}  // namespace

std::optional<Layout> lay_out(const CompileTask& task, const Routes& routes) {
  return LayoutWriter(task, routes).write();
}

}  // namespace seam::coupling
