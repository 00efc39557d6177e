// One instance of an FMI 3.0 FMU for co-simulation whose events we handle: Step Mode, Event Mode, clocks.
#pragma once

#include <limits>

#include "seam/fmi/instance/instance3.hpp"

namespace seam::fmi {

/// What an FMU says when its discrete states were updated once.
struct DiscreteUpdate {
  bool again = false;
  bool wants_to_end = false;
  bool states_jumped = false;
  double next_event = std::numeric_limits<double>::infinity();  ///< s
};

/// How a step of an FMU ended that may stop at events.
struct StepToEvent {
  base::Outcome outcome = base::Outcome::accepted;
  double reached = 0.0;
  bool event = false;  ///< there is one to handle where it stands
};

/// When a clock ticks next, as the FMU says it.
struct ClockInterval {
  enum class News { not_yet_known, unchanged, changed };
  double seconds = 0.0;
  News news = News::unchanged;
};

/// Legal order: as for co-simulation until exit_initialisation, which leads into Event Mode; from there
/// (update* -> enter_step_mode -> step* -> enter_event_mode)*.
class EventInstance final : public Instance3 {
 public:
  EventInstance(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
                const Extras& extras);

  StepToEvent step(double t, double h);
  void enter_event_mode();
  /// One instant of Event Mode ends: clocks stop, discrete states take their new values.
  DiscreteUpdate update();
  void enter_step_mode();

  /// In Event Mode: an input clock ticks now.
  void tick(Reference clock);
  /// In Event Mode: whether an output clock ticks now.
  bool ticks(Reference clock);
  /// In Initialization Mode and Event Mode: time-based input clocks.
  ClockInterval interval(Reference clock);
  double shift(Reference clock);

 private:
  struct EventFunctions {
    FmuFunction<fmi3EnterEventModeTYPE> enter_event_mode;
    FmuFunction<fmi3UpdateDiscreteStatesTYPE> update;
    FmuFunction<fmi3EnterStepModeTYPE> enter_step_mode;
    FmuFunction<fmi3GetClockTYPE> get_clock;
    FmuFunction<fmi3SetClockTYPE> set_clock;
    FmuFunction<fmi3GetIntervalDecimalTYPE> get_interval;
    FmuFunction<fmi3GetShiftDecimalTYPE> get_shift;
  };
  std::string name_of(Reference clock) const { return words_.names(Audience::error, Type::clock, {&clock, 1}); }

  EventFunctions event_{};
};

}  // namespace seam::fmi
