// events: shared. Whoever has an event inside a macro step stops everybody there; values are exchanged, and all go on
// to the grid. Holds begin anew behind such a step: their samples would not lie a macro step apart, and a jump is no
// base for an extrapolation.
#include <fmt/format.h>

#include <algorithm>

#include "seam/assembly/polynomial.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/exchange.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/parcels.hpp"

namespace seam::coupling {
namespace {

using base::Outcome;

/// One lane that may stop early: the state it started from, if it can go back, and where it stopped.
struct Early {
  const EventLane* events = nullptr;
  assembly::Snapshot before;
  double reached = 0.0;
};

class SharedStep {
 public:
  SharedStep(const Program& program, const Now& now, Memory& memory)
      : program_(program), whole_(now), memory_(memory), values_(memory.values.data()) {
    for (const bool goes_back : {true, false}) {  // who cannot go back is last, and stops where it must
      for (const EventLane& e : program.event_lanes) {
        if (e.part->can_go_back() == goes_back) early_.push_back({&e, {}, 0.0});
      }
    }
  }

  Stuck cross() {
    constexpr int most_parts = 10'000;
    double t = whole_.step.begin;
    for (int part = 0; part < most_parts; ++part) {
      Stuck stuck = cross_part(t);
      const bool split = part > 0 || t < whole_.end();
      if (split) restart_holds();
      if (stuck.outcome != Outcome::accepted && stuck.outcome != Outcome::ended) return stuck;
      if (stuck.outcome == Outcome::ended && t < whole_.end()) stuck.outcome = Outcome::broke_off;
      if (stuck.outcome != Outcome::accepted || t >= whole_.end()) return stuck;
    }
    throw base::Error(base::Failure::subsystem,
                      fmt::format("there were {} events between {} s and {} s, and they do not get past {} s",
                                  most_parts, whole_.step.begin, whole_.end(), t));
  }

 private:
  Now part(double from, double to) const {
    const bool all = from == whole_.step.begin && to == whole_.end();
    const double length = all ? whole_.step.length : to - from;
    return {{from, length, whole_.step.sources}, all ? whole_.fraction : length / program_.grid.step};
  }

  /// From t to the first event or the end, which becomes t.
  Stuck cross_part(double& t) {
    for (const Operation& operation : program_.operations) {
      if (operation.action == Action::receive) perform(program_, operation, whole_, memory_);
    }
    for (const Lane& lane : program_.lanes) {
      if (lane.parcels_in_count > 0) give(lane, memory_);
    }
    Stuck stuck;
    const double reached = stop_at_first_event(t, stuck);
    const Now now = part(t, reached);
    t = reached;
    if (stuck.outcome != Outcome::accepted && stuck.outcome != Outcome::ended) return stuck;
    for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
      const Lane& lane = program_.lanes[l];
      if (lane.subsystem->discrete_part()) continue;
      if (const Outcome outcome = cross_lane(lane, now); outcome != Outcome::accepted) {
        stuck = {outcome, static_cast<int>(l)};
        if (outcome != Outcome::ended) return stuck;
      }
    }
    const Stuck behind = exchange(now);
    return behind.outcome != Outcome::accepted ? behind : stuck;
  }

  Outcome cross_lane(const Lane& lane, const Now& now) {
    if (now.fraction != 1.0) {
      const int segments = segments_of_last_step(lane, now.fraction);
      const int degree = lane.crossing == Crossing::constant_segments ? 0 : lane.degree;
      lane.subsystem->prepare_once(now.step.length / segments, degree);
    }
    return cross_in_segments(program_, lane, now, values_);
  }

  double stop_at_first_event(double t, Stuck& stuck) {
    double first = whole_.end();
    for (Early& lane : early_) {
      if (lane.events->part->can_go_back()) lane.before = lane_of(lane).subsystem->save();
      first = std::min(first, advance(lane, t, first, stuck));
      if (stuck.outcome != Outcome::accepted && stuck.outcome != Outcome::ended) return first;
    }
    for (Early& lane : early_) {
      if (!(lane.reached > first)) continue;
      lane_of(lane).subsystem->restore(lane.before);
      advance(lane, t, first, stuck);
    }
    return first;
  }

  double advance(Early& lane, double from, double to, Stuck& stuck) {
    const Lane& own = lane_of(lane);
    const Now now = part(from, to);
    const assembly::InputPolynomials whole{values_ + own.coefficients, own.degree, own.inputs};
    assembly::restrict_polynomial(whole, 0.0, now.fraction, values_ + own.segment);
    const auto arrival =
        lane.events->part->advance_to_event(now.step, {values_ + own.segment, own.degree, own.inputs},
                                            {values_ + own.values, static_cast<std::size_t>(own.outputs)});
    if (arrival.outcome != Outcome::accepted) stuck = {arrival.outcome, lane.events->lane};
    lane.reached = arrival.time;
    return arrival.time;
  }

  Stuck exchange(const Now& now) {
    Stuck stuck;
    for (const Operation& operation : program_.operations) {
      switch (operation.action) {
        case Action::settle:
          stuck = settle_events(program_, now, memory_);
          break;
        case Action::copy:
          stuck.outcome = scale(program_, operation, values_);
          break;
        case Action::take:
        case Action::pass:
        case Action::evaluate:
        case Action::make_room:
        case Action::scale:
          stuck.outcome = perform(program_, operation, now, memory_);
          break;
        default:
          break;
      }
      if (stuck.outcome != Outcome::accepted) return stuck;
    }
    return stuck;
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

Stuck cross_sharing_events(const Program& program, const Now& now, Memory& memory) {
  return SharedStep(program, now, memory).cross();
}

}  // namespace seam::coupling
