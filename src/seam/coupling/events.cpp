// Events at a communication point, over all subsystems that have a discrete part.
#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/discrete_values.hpp"
#include "seam/coupling/executor.hpp"

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

  StepFailure settle() {
    if (!any_is_concerned()) return {};
    remember_outputs();
    StepFailure failure;
    for (int instant = 0;; ++instant) {
      if (instant == most_rounds) fail("discrete states were updated", instant);
      exchange();
      const bool again = update(failure);
      if (failure.outcome != Outcome::accepted) break;
      if (!again && !any_input_changed()) break;
    }
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      if (e.part->takes_part()) e.part->leave(now_.end());
    }
    restart_holds();
    return failure;
  }

 private:
  assembly::In inputs(const Lane& lane) {
    give(lane, memory_);
    return gather_inputs(lane, values_);
  }
  assembly::Out outputs(const Lane& lane) { return {values_ + lane.values, static_cast<std::size_t>(lane.outputs)}; }
  const Lane& lane_of(const EventLane& e) const { return program_.lanes[static_cast<std::size_t>(e.lane)]; }

  /// A slower one in the middle of its step is somewhere else.
  bool is_here(const EventLane& e) const { return now_.at_end.tick % lane_of(e).multiple == 0; }

  bool any_is_concerned() {
    bool concerned = false;
    for (const EventLane& e : program_.event_lanes)
      concerned = (is_here(e) && e.part->is_concerned(now_.end(), inputs(lane_of(e)))) || concerned;
    return concerned;
  }
  /// A discrete input differs from what its subsystem was given last.
  bool any_input_changed() {
    bool news = false;
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      const assembly::In now = inputs(lane_of(e));
      news =
          news || (e.part->takes_part() ? e.part->hears_news(now_.end(), now) : e.part->is_concerned(now_.end(), now));
    }
    return news;
  }

  /// One instant: until no discrete input changes any more. In a chain of subsystems a value takes a round for each.
  void exchange() {
    const int most = most_rounds + static_cast<int>(program_.event_lanes.size());
    for (int round = 0; round < most; ++round) {
      for (const EventLane& e : program_.event_lanes) {
        if (!is_here(e)) continue;
        const Lane& lane = lane_of(e);
        const assembly::In now = inputs(lane);
        const bool takes_part = e.part->takes_part();
        if (takes_part && round > 0 && !e.part->hears_news(now_.end(), now)) continue;
        if (!takes_part && !e.part->is_concerned(now_.end(), now)) continue;
        e.part->exchange(now_.end(), now, outputs(lane));
        sent(lane);
      }
      send();
      if (!any_input_changed()) return;
    }
    fail("values were exchanged", most);
  }

  bool update(StepFailure& failure) {
    bool again = false;
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      if (!e.part->takes_part()) continue;
      const DiscretePart::Wish wish = e.part->update();
      if (wish == DiscretePart::Wish::another_instant) restless_ = e.part;
      again = again || wish == DiscretePart::Wish::another_instant;
      if (wish == DiscretePart::Wish::end_of_run) failure = {Outcome::ended, e.lane};
    }
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      if (!e.part->takes_part()) continue;
      e.part->read(outputs(lane_of(e)));
      sent(lane_of(e));
    }
    send();
    return again;
  }

  void sent(const Lane& lane) {
    replace_newest(program_, lane, values_);
    if (program_.correction)
      send_again(*program_.correction, static_cast<int>(&lane - program_.lanes.data()), now_.at_end.tick, values_);
    take(lane, memory_);
  }
  /// All that is exchanged at a communication point once more; samples take the place of those they correct.
  void send() {
    const Execution execution{program_, now_, memory_, program_.growth_limit};
    for (const Operation& operation : program_.operations_before(now_.at_end.tick)) {
      const ActionRow& row = row_of(operation);
      if (row.at_event != AtEvent::repeated) continue;
      if (operation.lane >= 0) {
        evaluate_again(operation.lane, program_.lanes[static_cast<std::size_t>(operation.lane)]);
      } else {
        row.perform(execution, operation);
      }
    }
  }
  void evaluate_again(int index, const Lane& lane) {
    const auto found = std::find_if(program_.event_lanes.begin(), program_.event_lanes.end(),
                                    [&](const EventLane& e) { return e.lane == index; });
    if (found == program_.event_lanes.end()) return evaluate(program_, lane, now_, values_);
    if (!found->part->takes_part()) return;
    found->part->refresh(now_.end(), gather_inputs(lane, values_), outputs(lane));
    replace_newest(program_, lane, values_);
  }

  void remember_outputs() {
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      const assembly::Out now = outputs(lane_of(e));
      std::copy(now.begin(), now.end(), values_ + e.before);
    }
  }
  /// A jump is no base for an extrapolation. An output that follows its inputs at once may change without one.
  void restart_holds() {
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      const assembly::Out now = outputs(lane_of(e));
      const bool changed = !std::equal(now.begin(), now.end(), values_ + e.before);
      if (!changed || (e.feeds_through && !e.part->jumped())) continue;
      for (const ReceiverGroup& group : program_.receivers) {
        if (group.source == e.lane) memory_.knowledge[static_cast<std::size_t>(group.counter)] = 1;
      }
      if (program_.correction) memory_.knowledge[static_cast<std::size_t>(program_.correction->seen)] = 0;
    }
  }

  [[noreturn]] void fail(const char* what, int times) {
    std::string names;
    for (const EventLane& e : program_.event_lanes) {
      if (!is_here(e)) continue;
      const assembly::In now = inputs(lane_of(e));
      const bool changes =
          e.part->takes_part() ? e.part->hears_news(now_.end(), now) : e.part->is_concerned(now_.end(), now);
      if (changes) names += (names.empty() ? "" : ", ") + e.part->what_changed();
    }
    if (names.empty() && restless_) {
      throw base::Error(base::Failure::subsystem,
                        fmt::format("the event at {} s has no end: {} {} times, and {} wants another update",
                                    now_.end(), what, times, restless_->what_changed()));
    }
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("the event at {} s has no end: {} {} times, and still these change: {}\n   Try: break "
                    "the loop of discrete values between these subsystems",
                    now_.end(), what, times, names));
  }

  const Program& program_;
  const Now& now_;
  Memory& memory_;
  double* values_;
  const DiscretePart* restless_ = nullptr;  ///< wanted another instant, the last time that it was asked
};

}  // namespace

StepFailure settle_events(const Program& program, const Now& now, Memory& memory) {
  return Event(program, now, memory).settle();
}

}  // namespace seam::coupling
