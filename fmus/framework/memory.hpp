// All that changes in an instance, as one value: saving a state is copying it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seam::fmus {

/// Where in its life an instance is; single bits, so that a function can say in which phases it is allowed.
enum class Phase : unsigned {
  instantiated = 1,
  configuration = 2,
  initialization = 4,
  step = 8,
  failed = 16,  ///< FMI 2: a step was discarded
  terminated = 32,
  error = 64,
  fatal = 128,
  intermediate = 256,  ///< FMI 3: the environment is inside the callback of a step
  event = 512,
  continuous = 1024  ///< model exchange: Continuous-Time Mode
};

struct Experiment {
  double start = 0.0;
  std::optional<double> stop, tolerance;
  bool told = false;  ///< the environment has set it
};

/// The n-th derivative of an input with respect to time, at the start of a step.
struct InputDerivative {
  std::int64_t place = 0, order = 0;
  double value = 0.0;
};

/// The times of a clock. Numbers alone, so that its bytes are its value.
struct ClockTime {
  double interval = 0.0, shift = 0.0;  ///< s
  double last = 0.0;                   ///< the last tick, if there was one
  double due = 0.0;                    ///< time-based clocks: the next tick; infinite: not known yet
  std::int64_t ticks = 0;              ///< so far
  std::int64_t news = 1;               ///< the interval was not told since it changed
};

/// What the calls so far were, for strict FMUs: later ones are judged by it. Numbers alone, so that its bytes are its
/// value.
struct Trace {
  double earliest = 0.0;               ///< no way back behind this time
  double completed = 0.0;              ///< the last completed integrator step
  std::int64_t updated = 0;            ///< Event Mode: discrete states were updated and need no more of it
  std::int64_t must_enter_events = 0;  ///< an event was announced and not handled yet
  std::int64_t must_read_states = 0;   ///< states were reset and not read yet
  std::int64_t ticked = 0;             ///< Event Mode: bits of the periodic clocks that were active in an update
  std::int64_t asked = 0;              ///< Event Mode: bits of the clocks whose interval was asked for
  std::int64_t domains = 0;            ///< bits of the event indicators that were positive
};

struct Memory {
  Phase phase = Phase::instantiated;
  double time = 0.0;
  Experiment experiment;
  bool stale = true;                 ///< what was set has not been evaluated
  bool awaits_end = false;           ///< the model asked for the end of the run
  std::optional<double> next_event;  ///< the time event that was announced
  Trace trace;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;              ///< all integers, Booleans and enumerations
  std::vector<std::string> texts;                  ///< strings and binaries
  std::vector<double> states;                      ///< of equations; the variables of the same names are copies
  std::vector<ClockTime> clocks;                   ///< in the order of the clocks among the variables
  std::vector<InputDerivative> input_derivatives;  ///< for the next step alone
};

std::string to_bytes(const Memory& memory);

/// None if these are not the bytes of a memory.
std::optional<Memory> from_bytes(const char* bytes, std::size_t count);

}  // namespace seam::fmus
