// Events at a communication point, over all subsystems that have a discrete part.
#include <fmt/format.h>

#include "seam/base/error.hpp"
#include "seam/coupling/exchange.hpp"
#include "seam/coupling/parcels.hpp"

namespace seam::coupling {
namespace {

using assembly::DiscretePart;
using base::Outcome;

constexpr int most_rounds = 100;

/// The event at one communication point.
class Event {
 public:
  Event(const Program& program, const Now& now, Memory& memory)
      : program_(program), now_(now), memory_(memory), values_(memory.values.data()) {}

  Stuck settle() {
    if (!somebody_is_concerned()) return {};
    Stuck stuck;
    for (int instant = 0;; ++instant) {
      if (instant == most_rounds) fail("discrete states were updated");
      exchange();
      const bool again = update(stuck);
      if (stuck.outcome != Outcome::accepted) break;
      if (!again && !somebody_hears_news()) break;
    }
    for (const EventLane& e : program_.event_lanes) {
      if (e.part->takes_part()) e.part->leave(now_.end());
    }
    return stuck;
  }

 private:
  assembly::In inputs(const Lane& lane) {
    give(lane, memory_);
    return gather_inputs(lane, values_);
  }
  assembly::Out outputs(const Lane& lane) { return {values_ + lane.values, static_cast<std::size_t>(lane.outputs)}; }
  const Lane& lane_of(const EventLane& e) const { return program_.lanes[static_cast<std::size_t>(e.lane)]; }

  bool somebody_is_concerned() {
    bool concerned = false;
    for (const EventLane& e : program_.event_lanes)
      concerned = e.part->is_concerned(now_.end(), inputs(lane_of(e))) || concerned;
    return concerned;
  }
  /// A discrete input differs from what its subsystem was given last.
  bool somebody_hears_news() {
    bool news = false;
    for (const EventLane& e : program_.event_lanes) {
      const assembly::In now = inputs(lane_of(e));
      news =
          news || (e.part->takes_part() ? e.part->hears_news(now_.end(), now) : e.part->is_concerned(now_.end(), now));
    }
    return news;
  }

  /// One instant: until no discrete input changes any more.
  void exchange() {
    for (int round = 0; round < most_rounds; ++round) {
      for (const EventLane& e : program_.event_lanes) {
        const Lane& lane = lane_of(e);
        const assembly::In now = inputs(lane);
        if (!e.part->takes_part() && !e.part->is_concerned(now_.end(), now)) continue;
        e.part->exchange(now_.end(), now, outputs(lane));
        sent(lane);
      }
      send();
      if (!somebody_hears_news()) return;
    }
    fail("values were exchanged");
  }

  bool update(Stuck& stuck) {
    bool again = false;
    for (const EventLane& e : program_.event_lanes) {
      if (!e.part->takes_part()) continue;
      const DiscretePart::Wish wish = e.part->update();
      again = again || wish == DiscretePart::Wish::another_instant;
      if (wish == DiscretePart::Wish::end_of_run) stuck = {Outcome::ended, e.lane};
    }
    for (const EventLane& e : program_.event_lanes) {
      if (!e.part->takes_part()) continue;
      e.part->read(outputs(lane_of(e)));
      sent(lane_of(e));
    }
    send();
    return again;
  }

  void sent(const Lane& lane) {
    replace_newest(program_, lane, values_);
    take(lane, memory_);
  }
  /// All that is exchanged at a communication point once more; samples take the place of those they correct.
  void send() {
    if (!program_.parcel_links.empty()) pass(program_, memory_);
    for (const Operation& operation : program_.operations) {
      const auto first = static_cast<std::size_t>(operation.first);
      if (operation.action == Action::evaluate && !has_events(operation.first)) {
        evaluate(program_, program_.lanes[first], now_, values_);
      } else if (operation.action == Action::copy || operation.action == Action::scale) {
        scale(program_, operation, values_);
      }
    }
  }
  bool has_events(int lane) const {
    for (const EventLane& e : program_.event_lanes) {
      if (e.lane == lane) return true;
    }
    return false;
  }

  [[noreturn]] void fail(const char* what) {
    std::string names;
    for (const EventLane& e : program_.event_lanes) {
      if (e.part->takes_part()) names += (names.empty() ? "" : ", ") + e.part->what_changed();
    }
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("the event at {} s has no end: {} {} times, and still these change: {}\n   Try: break "
                    "the loop of discrete values between these subsystems",
                    now_.end(), what, most_rounds, names));
  }

  const Program& program_;
  const Now& now_;
  Memory& memory_;
  double* values_;
};

}  // namespace

Stuck settle_events(const Program& program, const Now& now, Memory& memory) {
  return Event(program, now, memory).settle();
}

}  // namespace seam::coupling
