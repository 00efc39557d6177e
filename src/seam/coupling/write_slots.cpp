// The operations of every tick of the hyper-period. A lane whose macro step is several ticks long makes it in the last
// of them, with the samples of the tick at which it began: its outputs are not sent before, and no later value reaches
// it.
#include "seam/coupling/write_slots.hpp"

#include <algorithm>
#include <numeric>

namespace seam::coupling {
namespace {

using assembly::Wire;
using base::Tick;

/// Appended to what `of` has of this kind so far; one operation for all of them.
template <class Item>
Operation appended(Action action, const std::vector<Item>& items, std::vector<Item>& of) {
  const Operation operation{action, static_cast<int>(of.size()), static_cast<int>(items.size())};
  of.insert(of.end(), items.begin(), items.end());
  return operation;
}

class SlotWriter {
 public:
  SlotWriter(const CompileTask& task, const Routes& routes, const Layout& layout)
      : assembly_(task.assembly),
        in_turn_(task.plan.schedule == system::Schedule::Kind::gauss_seidel),
        routes_(routes.wires),
        lane_of_member_(routes.lane_of_member),
        stages_(routes.stages),
        layout_(layout) {}

  Slots write(Tick hyper_period) {
    for (Tick end = 1; end <= hyper_period; ++end) write_slot(end);
    list_unread_outputs();
    return std::move(slots_);
  }

 private:
  void write_slot(Tick end);
  void write_steps_together(Tick end);
  void write_steps_in_turn(Tick end);
  void write_step(std::size_t lane, std::vector<Operation>& operations);
  void write_receivers(const Lane& lane, Tick end);
  void write_offsets(Tick end, int lane);
  void write_predicted(Tick end);
  void write_offset(std::size_t l);
  void write_point(Tick end);
  /// Values of corrected wires are those that the subsystem gave, or those that the corrector made of them.
  enum class Sent { raw, corrected };
  enum class Samples { appended, replaced };
  void write_arrivals(const std::vector<std::size_t>& wires, Samples samples, Sent sent);
  void write_discrete_values(Tick end, int sink);
  /// Wires of which a sample reaches its sink at this tick, or on the way to it (ahead).
  enum class Arriving { ahead, at_point };
  std::vector<std::size_t> arriving(Tick end, Arriving when, int sink = -1) const;
  bool arrives(const Lane& lane, Tick end) const { return end % lane.multiple == 0; }
  bool is_ahead(const Lane& source, const Lane& sink) const { return source.turn < sink.turn; }
  bool brings_news(const Lane& source, const Lane& sink, Tick end) const;
  /// The corrector writes whole inputs.
  bool predicts() const { return layout_.correction && layout_.correction->shape.addition == Addition::polynomial; }
  void list_unread_outputs();

  const Lane& lane(int number) const { return layout_.lanes[static_cast<std::size_t>(number)]; }
  const Lane& lane_of(int member) const { return lane(lane_of_member_[static_cast<std::size_t>(member)]); }

  const assembly::Assembly& assembly_;
  bool in_turn_;
  const std::vector<Route>& routes_;
  const std::vector<int>& lane_of_member_;
  int stages_;
  const Layout& layout_;
  Slots slots_;
};

/// At its own points the sink gets what its source has sent since the point before.
bool SlotWriter::brings_news(const Lane& source, const Lane& sink, Tick end) const {
  return arrives(sink, end) && end / source.multiple > (end - sink.multiple) / source.multiple;
}

std::vector<std::size_t> SlotWriter::arriving(Tick end, Arriving when, int sink) const {
  std::vector<std::size_t> wires;
  for (std::size_t w = 0; w < routes_.size(); ++w) {
    const Lane &from = lane(routes_[w].from), &to = lane(routes_[w].to);
    if (is_ahead(from, to) != (when == Arriving::ahead) || !brings_news(from, to, end)) continue;
    if (sink < 0 || routes_[w].to == sink) wires.push_back(w);
  }
  return wires;
}

/// Room in the histories first; then copies, then links with a factor or an offset.
void SlotWriter::write_arrivals(const std::vector<std::size_t>& wires, Samples samples, Sent sent) {
  std::vector<Link> copies, scaled;
  std::vector<int> groups;
  for (const std::size_t w : wires) {
    const Wire& wire = assembly_.wires[w];
    const Route& route = routes_[w];
    const bool corrects = sent == Sent::corrected && route.corrected >= 0;
    const CorrectedWire* const corrected =
        corrects ? &layout_.correction->wires[static_cast<std::size_t>(route.corrected)] : nullptr;
    if (corrected && corrected->is_sample) continue;
    const double gain = corrected ? 1.0 : wire.gain, offset = corrected ? 0.0 : wire.offset;
    std::vector<Link>& links = gain == 1.0 && offset == 0.0 ? copies : scaled;
    const int value = corrected ? corrected->corrected : lane(route.from).values + wire.output;
    if (route.receiver_group < 0) {
      links.push_back({value, lane(route.to).coefficients + wire.input, gain, offset});
      continue;
    }
    if (std::find(groups.begin(), groups.end(), route.receiver_group) == groups.end())
      groups.push_back(route.receiver_group);
    const ReceiverGroup& group = layout_.receivers[static_cast<std::size_t>(route.receiver_group)];
    const int newest = group.receiver->shape().newest;
    for (int row = 0; row < group.rows_per_arrival; ++row) {
      int from = value;
      if (route.emitter_group >= 0 && corrected) {
        from = corrected->fine + row;
      } else if (route.emitter_group >= 0) {
        const EmitterGroup& group_sent = layout_.emitters[static_cast<std::size_t>(route.emitter_group)];
        from = group_sent.rows + row * static_cast<int>(group_sent.ports.size()) + route.sent_column;
      }
      links.push_back(
          {from, group.history + (newest + row) * static_cast<int>(group.columns.size()) + route.column, gain, offset});
    }
  }
  for (const int group : groups) {
    if (samples == Samples::appended) slots_.operations.push_back({Action::make_room, group});
  }
  if (!copies.empty()) slots_.operations.push_back(appended(Action::copy, copies, slots_.links));
  if (!scaled.empty()) slots_.operations.push_back(appended(Action::scale, scaled, slots_.links));
}

/// Discrete values that reach one sink ahead of its turn, or all others at the point.
void SlotWriter::write_discrete_values(Tick end, int sink) {
  std::vector<DiscreteLink> links;
  for (const DiscreteLink& link : layout_.discrete_links) {
    const Lane &from = lane_of(link.wire->ends.from), &to = lane_of(link.wire->ends.to);
    if (!brings_news(from, to, end)) continue;
    const bool ahead = is_ahead(from, to);
    const bool to_sink = sink >= 0 && &to == &layout_.lanes[static_cast<std::size_t>(sink)];
    if (sink < 0 ? !ahead : ahead && to_sink) links.push_back(link);
  }
  if (!links.empty()) slots_.operations.push_back(appended(Action::pass, links, slots_.discrete_passes));
}

void SlotWriter::write_receivers(const Lane& lane, Tick end) {
  for (std::size_t g = 0; g < layout_.receivers.size(); ++g) {
    const ReceiverGroup& group = layout_.receivers[g];
    if (&layout_.lanes[static_cast<std::size_t>(group.lane)] != &lane || group.is_predicted) continue;
    const Tick begin = end - lane.multiple;
    const auto phase = (begin / lane.multiple) % static_cast<Tick>(group.phases.size());
    slots_.operations.push_back({Action::receive, static_cast<int>(g), static_cast<int>(phase), 1, group.lane});
  }
}

void SlotWriter::write_step(std::size_t l, std::vector<Operation>& operations) {
  const Lane& lane = layout_.lanes[l];
  const int number = static_cast<int>(l);
  if (lane.hears_discrete_values) operations.push_back({Action::give, number, 1, 1, number});
  if (lane.crossing != Crossing::whole) {
    operations.push_back({Action::step_in_segments, number, 1, lane.multiple, number});
  } else {
    const bool joins = !operations.empty() && operations.back().action == Action::step &&
                       operations.back().multiple == lane.multiple && slots_.calls.back().step.row == lane.step.row;
    if (joins) {
      ++operations.back().count;
    } else {
      operations.push_back({Action::step, static_cast<int>(slots_.calls.size()), 1, lane.multiple});
    }
    slots_.calls.push_back({lane.step, lane.degree, lane.inputs, lane.outputs, lane.coefficients, lane.values, number});
  }
  if (lane.sends_discrete_values) operations.push_back({Action::take, number, 1, 1, number});
}

/// Of the lanes that step to this tick, or of one of them.
void SlotWriter::write_offsets(Tick end, int lane) {
  if (!layout_.correction || !layout_.correction->shape.has_offset()) return;
  const auto& lanes = layout_.correction->lanes;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    if (end % lanes[l].multiple == 0 && (lane < 0 || lanes[l].lane == lane)) write_offset(l);
  }
}

/// Where the corrector writes whole inputs it does so from what is known where the step of the lane begins, which is
/// some ticks before if that takes several.
void SlotWriter::write_predicted(Tick end) {
  const auto& lanes = layout_.correction->lanes;
  const std::size_t before = slots_.operations.size();
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    if ((end - 1) % lanes[l].multiple == 0) write_offset(l);
  }
  const bool any = slots_.operations.size() > before;
  if (!any) slots_.operations.push_back({Action::offset, 0, 0});  // known signals go on
}

/// Joined to that of the lane before.
void SlotWriter::write_offset(std::size_t l) {
  const auto& lanes = layout_.correction->lanes;
  if (lanes[l].inputs == 0) return;
  Operation* const last = slots_.operations.empty() ? nullptr : &slots_.operations.back();
  const int first_of_slot = slots_.slots.empty() ? 0 : slots_.slots.back().first + slots_.slots.back().count;
  const bool joins = last && static_cast<int>(slots_.operations.size()) > first_of_slot &&
                     last->action == Action::offset && last->first + last->count == static_cast<int>(l);
  if (joins) {
    ++last->count;
  } else {
    slots_.operations.push_back({Action::offset, static_cast<int>(l)});
  }
}

/// The order of lanes does not matter: nothing is exchanged before all have arrived.
void SlotWriter::write_steps_together(Tick end) {
  for (const Lane& lane : layout_.lanes) {
    if (arrives(lane, end)) write_receivers(lane, end);
  }
  if (predicts()) {
    write_predicted(end);
  } else {
    write_offsets(end, -1);
  }
  if (!layout_.interventions.empty()) slots_.operations.push_back({Action::intervene_in_step});
  std::vector<Operation> steps;
  for (std::size_t l = 0; l < layout_.lanes.size(); ++l) {
    if (arrives(layout_.lanes[l], end)) write_step(l, steps);
  }
  slots_.operations.insert(slots_.operations.end(), steps.begin(), steps.end());
}

/// One after the other, each with what those before it have just sent.
void SlotWriter::write_steps_in_turn(Tick end) {
  if (predicts()) write_predicted(end);
  std::vector<std::size_t> turns(layout_.lanes.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  std::sort(turns.begin(), turns.end(),
            [&](std::size_t a, std::size_t b) { return layout_.lanes[a].turn < layout_.lanes[b].turn; });
  for (const std::size_t l : turns) {
    if (!arrives(layout_.lanes[l], end)) continue;
    std::vector<std::size_t> ahead = arriving(end, Arriving::ahead, static_cast<int>(l));
    if (predicts()) std::erase_if(ahead, [&](std::size_t w) { return routes_[w].corrected >= 0; });
    write_arrivals(ahead, Samples::appended, Sent::raw);
    write_discrete_values(end, static_cast<int>(l));
    write_receivers(layout_.lanes[l], end);
    if (!predicts()) write_offsets(end, static_cast<int>(l));
    if (!layout_.interventions.empty()) slots_.operations.push_back({Action::intervene_in_step});
    std::vector<Operation> step;
    write_step(l, step);
    slots_.operations.insert(slots_.operations.end(), step.begin(), step.end());
  }
}

/// The communication point. What was sent ahead and is evaluated again here replaces its sample.
void SlotWriter::write_point(Tick end) {
  write_discrete_values(end, -1);
  if (layout_.correction) slots_.operations.push_back({Action::correct});
  const std::vector<std::size_t> at_point = arriving(end, Arriving::at_point), ahead = arriving(end, Arriving::ahead);
  const auto of_stage = [&](const std::vector<std::size_t>& wires, int now) {
    std::vector<std::size_t> result;
    std::copy_if(wires.begin(), wires.end(), std::back_inserter(result),
                 [&](std::size_t w) { return routes_[w].stage == now; });
    return result;
  };
  for (int now = 0; now < stages_; ++now) {
    for (std::size_t l = 0; now > 0 && l < layout_.lanes.size(); ++l) {
      const auto& stages = layout_.lanes[l].stages;
      if (!arrives(layout_.lanes[l], end) || std::find(stages.begin(), stages.end(), now) == stages.end()) continue;
      slots_.operations.push_back({Action::evaluate, static_cast<int>(l), now, 1, static_cast<int>(l)});
    }
    write_arrivals(of_stage(at_point, now), Samples::appended, Sent::corrected);
    std::vector<std::size_t> again = of_stage(ahead, now);
    if (now == 0) std::erase_if(again, [&](std::size_t w) { return routes_[w].corrected < 0; });
    write_arrivals(again, Samples::replaced, Sent::corrected);
    if (!layout_.interventions.empty()) slots_.operations.push_back({Action::intervene_at_point});
  }
  const bool events = std::any_of(layout_.event_lanes.begin(), layout_.event_lanes.end(), [&](const EventLane& e) {
    return arrives(layout_.lanes[static_cast<std::size_t>(e.lane)], end);
  });
  if (events) slots_.operations.push_back({Action::settle});
}

void SlotWriter::write_slot(Tick end) {
  Slot slot{static_cast<int>(slots_.operations.size()), 0};
  if (!layout_.interventions.empty()) slots_.operations.push_back({Action::tune});
  if (in_turn_) {
    write_steps_in_turn(end);
  } else {
    write_steps_together(end);
  }
  if (!layout_.watches.empty()) slots_.operations.push_back({Action::note});
  write_point(end);
  if (!layout_.watches.empty()) slots_.operations.push_back({Action::measure});
  slot.count = static_cast<int>(slots_.operations.size()) - slot.first;
  slots_.slots.push_back(slot);
}

void SlotWriter::list_unread_outputs() {
  std::vector<bool> read(layout_.initial.values.size());
  for (const Link& link : slots_.links) read[static_cast<std::size_t>(link.from)] = true;
  for (const Lane& lane : layout_.lanes) {
    const auto add = [&](int place) {
      if (!read[static_cast<std::size_t>(place)]) slots_.unread.push_back(place);
    };
    for (int output = 0; !lane.wanted && output < lane.outputs; ++output) add(lane.values + output);
    for (std::size_t i = 0; lane.wanted && i < lane.wanted->size() && (*lane.wanted)[i] < lane.outputs; ++i)
      add(lane.values + (*lane.wanted)[i]);
  }
}

}  // namespace

Slots write_slots(const CompileTask& task, const Routes& routes, const Layout& layout) {
  return SlotWriter(task, routes, layout).write(routes.hyper_period);
}

}  // namespace seam::coupling
