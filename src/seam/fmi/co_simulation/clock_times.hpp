// When the time-based input clocks of one FMU tick: FMI 3.0.2, 2.2.8.
#pragma once

#include <span>
#include <vector>

#include "seam/fmi/instance/event_instance.hpp"

namespace seam::fmi {

/// Periodic clocks tick at start + shift + k interval, so that no rounding adds up; the others at the time of an event
/// plus what the FMU says there.
class ClockTimes {
 public:
  using Reference = InstanceBase::Reference;
  explicit ClockTimes(const ModelDescription& description);

  /// In Initialization Mode, when all parameters are set.
  void begin(EventInstance& instance, double t0);
  double next() const;  ///< infinite: nothing is due
  bool is_due(double t, double slack) const { return next() <= t + slack; }
  /// In Event Mode: those that are due tick; they are added to `active`. Throws base::Error(subsystem) if one should
  /// have ticked before.
  void tick(EventInstance& instance, double t, double slack, std::vector<Reference>& active);
  /// At the end of Event Mode: asks for the intervals that may be new.
  void ask(EventInstance& instance, double t);

  /// What there is to remember at a communication point, and back.
  std::vector<double> memory() const;
  std::size_t memory_size() const { return clocks_.size() * numbers_a_clock; }
  void take(std::span<const double> memory);

 private:
  enum class Kind { unchanging, tunable, changing, countdown };
  static constexpr std::size_t numbers_a_clock = 4;
  struct Clock {
    Reference reference = 0;
    Kind kind = Kind::unchanging;
    std::string name;
    bool described = false;  ///< the description says interval and shift; otherwise the FMU is asked
    double interval = 0.0;   ///< s
    double shift = 0.0;      ///< s
    double origin = 0.0;     ///< periodic clocks: a tick, from which the next are counted
    double ticks = 0.0;      ///< since then
    double due = 0.0;
    bool ticked = false;  ///< in the event under way
  };
  static bool is_periodic(const Clock& clock) { return clock.kind == Kind::unchanging || clock.kind == Kind::tunable; }

  std::vector<Clock> clocks_;
};

}  // namespace seam::fmi
