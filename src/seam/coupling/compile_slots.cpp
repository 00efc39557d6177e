// The operations of every tick of the hyper-period. A lane whose macro step is several ticks long makes it in the last
// of them, with the samples of the tick at which it began: its outputs are not sent before, and no later value reaches
// it.
#include <algorithm>
#include <numeric>

#include "seam/coupling/compiler.hpp"

namespace seam::coupling {

using assembly::Wire;
using base::Tick;

namespace {

/// Appended to what `of` has of this kind so far; one operation for all of them.
template <class Item>
Operation appended(Action action, const std::vector<Item>& items, std::vector<Item>& of) {
  const Operation operation{action, static_cast<int>(of.size()), static_cast<int>(items.size())};
  of.insert(of.end(), items.begin(), items.end());
  return operation;
}

}  // namespace

/// At its own points the sink gets what its source has sent since the point before.
bool Compiler::brings_news(const Lane& source, const Lane& sink, Tick end) const {
  return arrives(sink, end) && end / source.multiple > (end - sink.multiple) / source.multiple;
}

std::vector<std::size_t> Compiler::arriving(Tick end, Arriving when, int sink) const {
  std::vector<std::size_t> wires;
  for (std::size_t w = 0; w < routes_.size(); ++w) {
    const Wire& wire = assembly_.wires[w];
    const Lane &from = lane_of(wire.from), &to = lane_of(wire.to);
    const bool ahead = when == Arriving::ahead;
    if (is_ahead(from, to) != ahead || !brings_news(from, to, end)) continue;
    if (sink < 0 || lane_of_member_[static_cast<std::size_t>(wire.to)] == sink) wires.push_back(w);
  }
  return wires;
}

/// Room in the histories first; then copies, then links with a factor or an offset.
void Compiler::write_arrivals(const std::vector<std::size_t>& wires, Samples samples, Sent sent) {
  std::vector<Link> copies, scaled;
  std::vector<int> groups;
  for (const std::size_t w : wires) {
    const Wire& wire = assembly_.wires[w];
    const CorrectedWire* const mended = sent == Sent::mended ? corrected(w) : nullptr;
    if (mended && mended->is_sample) continue;
    const double gain = mended ? 1.0 : wire.gain, offset = mended ? 0.0 : wire.offset;
    std::vector<Link>& links = gain == 1.0 && offset == 0.0 ? copies : scaled;
    const Route& route = routes_[w];
    const int value = mended ? mended->corrected : lane_of(wire.from).values + wire.output;
    if (route.receiver_group < 0) {
      links.push_back({value, lane_of(wire.to).coefficients + wire.input, gain, offset});
      continue;
    }
    if (std::find(groups.begin(), groups.end(), route.receiver_group) == groups.end())
      groups.push_back(route.receiver_group);
    const ReceiverGroup& group = program_.receivers[static_cast<std::size_t>(route.receiver_group)];
    const int newest = group.receiver->shape().newest;
    for (int row = 0; row < group.rows_per_arrival; ++row) {
      int from = value;
      if (route.emitter_group >= 0 && mended) {
        from = mended->fine + row;
      } else if (route.emitter_group >= 0) {
        const EmitterGroup& group_sent = program_.emitters[static_cast<std::size_t>(route.emitter_group)];
        from = group_sent.rows + row * static_cast<int>(group_sent.ports.size()) + route.sent_column;
      }
      links.push_back(
          {from, group.history + (newest + row) * static_cast<int>(group.columns.size()) + route.column, gain, offset});
    }
  }
  for (const int group : groups) {
    if (samples == Samples::appended) program_.operations.push_back({Action::make_room, group});
  }
  if (!copies.empty()) program_.operations.push_back(appended(Action::copy, copies, program_.links));
  if (!scaled.empty()) program_.operations.push_back(appended(Action::scale, scaled, program_.links));
}

/// Discrete values that reach one sink ahead of its turn, or all others at the point.
void Compiler::write_discrete_values(Tick end, int sink) {
  std::vector<DiscreteLink> links;
  for (const DiscreteLink& link : program_.discrete_links) {
    const Lane &from = lane_of(link.wire->ends.from), &to = lane_of(link.wire->ends.to);
    if (!brings_news(from, to, end)) continue;
    const bool ahead = is_ahead(from, to);
    const bool to_sink = sink >= 0 && &to == &program_.lanes[static_cast<std::size_t>(sink)];
    if (sink < 0 ? !ahead : ahead && to_sink) links.push_back(link);
  }
  if (!links.empty()) program_.operations.push_back(appended(Action::pass, links, program_.discrete_passes));
}

void Compiler::write_receivers(const Lane& lane, Tick end) {
  for (std::size_t g = 0; g < program_.receivers.size(); ++g) {
    const ReceiverGroup& group = program_.receivers[g];
    if (&program_.lanes[static_cast<std::size_t>(group.lane)] != &lane) continue;
    const Tick begin = end - lane.multiple;
    const auto phase = (begin / lane.multiple) % static_cast<Tick>(group.phases.size());
    program_.operations.push_back({Action::receive, static_cast<int>(g), static_cast<int>(phase), 1, group.lane});
  }
}

void Compiler::write_step(std::size_t l, std::vector<Operation>& operations) {
  const Lane& lane = program_.lanes[l];
  const int number = static_cast<int>(l);
  if (lane.discrete_in_count > 0) operations.push_back({Action::give, number, 1, 1, number});
  if (lane.crossing != Crossing::whole) {
    operations.push_back({Action::step_in_segments, number, 1, lane.multiple, number});
  } else {
    const bool joins = !operations.empty() && operations.back().action == Action::step &&
                       operations.back().multiple == lane.multiple && program_.rows.back() == lane.step.row;
    if (joins) {
      ++operations.back().count;
    } else {
      operations.push_back({Action::step, static_cast<int>(program_.calls.size()), 1, lane.multiple});
    }
    program_.calls.push_back({lane.step.call, lane.step.who, lane.degree, lane.inputs, lane.outputs, lane.coefficients,
                              lane.values, number});
    program_.rows.push_back(lane.step.row);
  }
  if (lane.sends_discrete_values) operations.push_back({Action::take, number, 1, 1, number});
}

/// The order of lanes does not matter: nothing is exchanged before all have arrived.
void Compiler::write_steps_together(Tick end) {
  for (const Lane& lane : program_.lanes) {
    if (arrives(lane, end)) write_receivers(lane, end);
  }
  write_offsets(end, -1);
  if (!program_.interventions.empty()) program_.operations.push_back({Action::intervene_in_step});
  std::vector<Operation> steps;
  for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
    if (arrives(program_.lanes[l], end)) write_step(l, steps);
  }
  program_.operations.insert(program_.operations.end(), steps.begin(), steps.end());
}

/// One after the other, each with what those before it have just sent.
void Compiler::write_steps_in_turn(Tick end) {
  std::vector<std::size_t> turns(program_.lanes.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  std::sort(turns.begin(), turns.end(),
            [&](std::size_t a, std::size_t b) { return program_.lanes[a].turn < program_.lanes[b].turn; });
  for (const std::size_t l : turns) {
    if (!arrives(program_.lanes[l], end)) continue;
    write_arrivals(arriving(end, Arriving::ahead, static_cast<int>(l)), Samples::appended, Sent::raw);
    write_discrete_values(end, static_cast<int>(l));
    write_receivers(program_.lanes[l], end);
    write_offsets(end, static_cast<int>(l));
    if (!program_.interventions.empty()) program_.operations.push_back({Action::intervene_in_step});
    std::vector<Operation> step;
    write_step(l, step);
    program_.operations.insert(program_.operations.end(), step.begin(), step.end());
  }
}

/// The communication point. What was sent ahead and is evaluated again here replaces its sample.
void Compiler::write_point(Tick end) {
  write_discrete_values(end, -1);
  if (program_.correction) program_.operations.push_back({Action::correct});
  const std::vector<std::size_t> at_point = arriving(end, Arriving::at_point), ahead = arriving(end, Arriving::ahead);
  const auto of_stage = [&](const std::vector<std::size_t>& wires, int now) {
    std::vector<std::size_t> result;
    std::copy_if(wires.begin(), wires.end(), std::back_inserter(result),
                 [&](std::size_t w) { return stage(assembly_.wires[w]) == now; });
    return result;
  };
  for (int now = 0; now < order_.stages; ++now) {
    for (std::size_t l = 0; now > 0 && l < program_.lanes.size(); ++l) {
      const auto& stages = order_.stage[static_cast<std::size_t>(program_.lanes[l].member)];
      if (!arrives(program_.lanes[l], end) || std::find(stages.begin(), stages.end(), now) == stages.end()) continue;
      program_.operations.push_back({Action::evaluate, static_cast<int>(l), now, 1, static_cast<int>(l)});
    }
    write_arrivals(of_stage(at_point, now), Samples::appended, Sent::mended);
    std::vector<std::size_t> again = of_stage(ahead, now);
    if (now == 0) std::erase_if(again, [&](std::size_t w) { return !corrected(w); });
    write_arrivals(again, Samples::replaced, Sent::mended);
    if (!program_.interventions.empty()) program_.operations.push_back({Action::intervene_at_point});
  }
  const bool events = std::any_of(program_.event_lanes.begin(), program_.event_lanes.end(), [&](const EventLane& e) {
    return arrives(program_.lanes[static_cast<std::size_t>(e.lane)], end);
  });
  if (events) program_.operations.push_back({Action::settle});
}

void Compiler::write_slot(Tick end) {
  Slot slot{static_cast<int>(program_.operations.size()), 0};
  if (!program_.interventions.empty()) program_.operations.push_back({Action::tune});
  if (plan_.schedule == system::Schedule::Kind::gauss_seidel) {
    write_steps_in_turn(end);
  } else {
    write_steps_together(end);
  }
  if (!program_.watches.empty()) program_.operations.push_back({Action::note});
  write_point(end);
  if (!program_.watches.empty()) program_.operations.push_back({Action::measure});
  slot.count = static_cast<int>(program_.operations.size()) - slot.first;
  program_.slots.push_back(slot);
}

void Compiler::write_slots() {
  for (Tick end = 1; end <= hyper_period_; ++end) write_slot(end);
}

}  // namespace seam::coupling
