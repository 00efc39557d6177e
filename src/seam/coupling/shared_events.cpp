// events: shared. An event of one subsystem inside a macro step stops all of them there; values are exchanged, and all
// go on to the grid. Holds begin anew behind such a step: their samples would not lie a macro step apart, and a jump is
// no base for an extrapolation.
#include <fmt/format.h>

#include <algorithm>

#include "seam/assembly/polynomial.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/executor.hpp"
#include "seam/coupling/last_step.hpp"

namespace seam::coupling {
namespace {

using base::Outcome;

/// One lane that may stop early: the state it started from, if it can go back, and where it stopped.
struct Early {
  const EventLane* events = nullptr;
  assembly::Snapshot before;
  double reached = 0.0;
  Outcome outcome = Outcome::accepted;
};

class SharedStep {
 public:
  SharedStep(const Program& program, const Now& now, Memory& memory)
      : program_(program), whole_(now), memory_(memory), values_(memory.values.data()) {
    for (const bool goes_back : {true, false}) {  // who cannot go back is last, and stops where it must
      for (const EventLane& e : program.event_lanes) {
        if (e.part->can_go_back() == goes_back) early_.push_back({&e, {}, 0.0, Outcome::accepted});
      }
    }
  }

  StepFailure cross() {
    constexpr int most_parts = 10'000;
    double t = whole_.step.begin;
    for (int part = 0; part < most_parts; ++part) {
      StepFailure failure = cross_part(t);
      const bool split = part > 0 || t < whole_.end();
      if (split) restart_holds();
      if (failure.outcome != Outcome::accepted && failure.outcome != Outcome::ended) return failure;
      if (failure.outcome == Outcome::ended && t < whole_.end()) failure.outcome = Outcome::broke_off;
      if (failure.outcome != Outcome::accepted || t >= whole_.end()) return failure;
    }
    throw base::Error(base::Failure::subsystem,
                      fmt::format("there were {} events between {} s and {} s, and they do not get past {} s",
                                  most_parts, whole_.step.begin, whole_.end(), t));
  }

 private:
  Now part(double from, double to) const {
    const bool all = from == whole_.step.begin && to == whole_.end();
    const double length = all ? whole_.step.length : to - from;
    const Point begin{whole_.at_end.tick - 1, whole_.step.begin};
    return {{from, length, whole_.step.sources},
            all ? whole_.fraction : length / program_.grid.step,
            to == whole_.end() ? whole_.at_end : begin};
  }

  /// From t to the first event or the end, which becomes t.
  StepFailure cross_part(double& t) {
    const Execution before{program_, whole_, memory_, program_.growth_limit};
    for (const Operation& operation : program_.operations_in(0)) {
      const ActionRow& row = row_of(operation);
      if (row.phase != Phase::before_steps && row.phase != Phase::before_lane) continue;
      const bool first = t == whole_.step.begin;
      if (row.in_parts == InParts::every_part || (row.in_parts == InParts::first_part && first))
        row.perform(before, operation);
    }
    const double reached = stop_at_first_event(t);
    const bool moved = reached > t;  // an event may lie where all stand
    const Now now = part(t, reached);
    t = reached;
    StepFailure failure = what_early_lanes_said(reached);
    if (failure.outcome != Outcome::accepted && failure.outcome != Outcome::ended) return failure;
    for (std::size_t l = 0; moved && l < program_.lanes.size(); ++l) {
      const Lane& lane = program_.lanes[l];
      if (lane.subsystem->facets().discrete_part) continue;
      if (const Outcome outcome = cross_in_segments(program_, lane, now, values_); outcome != Outcome::accepted) {
        failure = {outcome, static_cast<int>(l)};
        if (outcome != Outcome::ended) return failure;
      }
    }
    const StepFailure behind = exchange(now, moved);
    return behind.outcome == Outcome::accepted ? failure : behind;
  }

  /// Subsystems that went beyond the first event go back to it; the last never has to.
  double stop_at_first_event(double t) {
    double first = whole_.end();
    for (Early& lane : early_) {
      const bool may_go_back = &lane != &early_.back() && lane.events->part->can_go_back();
      if (may_go_back) lane.before = lane_of(lane).subsystem->save();
      advance(lane, t, first);
      first = std::min(first, lane.reached);
    }
    for (Early& lane : early_) {
      if (!(lane.reached > first) || !lane.before.handle) continue;
      lane_of(lane).subsystem->restore(lane.before);
      advance(lane, t, first);
    }
    return first;
  }
  /// What one of them met beyond the first event does not count: there it will be another.
  StepFailure what_early_lanes_said(double first) const {
    StepFailure failure;
    for (const Early& lane : early_) {
      if (lane.outcome == Outcome::accepted || lane.reached > first) continue;
      failure = {lane.outcome, lane.events->lane};
      if (lane.outcome != Outcome::ended) return failure;
    }
    return failure;
  }

  /// In segments, if the lane is split; stops where there is an event.
  void advance(Early& lane, double from, double to) {
    const Lane& own = lane_of(lane);
    const Now now = part(from, to);
    lane.outcome = Outcome::accepted;
    lane.reached = from;
    if (!(to > from)) return;
    const bool constant = own.crossing == Crossing::constant_segments;
    const assembly::InputPolynomials whole{values_ + own.coefficients, own.degree, own.inputs};
    const assembly::InputPolynomials input{values_ + own.segment, constant ? 0 : own.degree, own.inputs};
    const int segments = now.fraction == 1.0 ? own.segments : segments_of_last_step(own.segments, now.fraction);
    const double length = now.step.length / segments;
    for (int s = 0; s < segments; ++s) {
      const double at = now.fraction * s / segments;
      if (constant) {
        whole.at(at, {values_ + own.segment, static_cast<std::size_t>(own.inputs)});
      } else {
        assembly::restrict_polynomial(whole, at, now.fraction * (s + 1) / segments, values_ + own.segment);
      }
      const bool last = s + 1 == segments;
      const double begin = now.step.begin + s * length;
      const auto arrival =
          lane.events->part->advance_to_event({begin, length, now.step.sources, last}, input,
                                              {values_ + own.values, static_cast<std::size_t>(own.outputs)});
      const bool at_end = arrival.time == begin + length;
      lane.reached = at_end && last ? to : arrival.time;
      lane.outcome = arrival.outcome;
      if (arrival.outcome != Outcome::accepted || arrival.event || !at_end) return;
    }
  }

  StepFailure exchange(const Now& now, bool moved) {
    std::vector<Operation> operations;
    for (const Operation& operation : program_.operations_in(0)) {
      const ActionRow& row = row_of(operation);
      if (row.phase != Phase::after_lane && row.phase != Phase::point) continue;
      if (row.in_parts == InParts::every_part || (row.in_parts == InParts::parts_that_move && moved))
        operations.push_back(operation);
    }
    return execute_slot({program_, now, memory_, program_.growth_limit}, operations);
  }

  void restart_holds() {
    for (const ReceiverGroup& group : program_.receivers)
      memory_.knowledge[static_cast<std::size_t>(group.counter)] = 1;
  }
  const Lane& lane_of(const Early& lane) const { return program_.lanes[static_cast<std::size_t>(lane.events->lane)]; }

  const Program& program_;
  const Now& whole_;
  Memory& memory_;
  double* values_;
  std::vector<Early> early_;
};

}  // namespace

StepFailure cross_sharing_events(const Program& program, const Now& now, Memory& memory) {
  return SharedStep(program, now, memory).cross();
}

}  // namespace seam::coupling
