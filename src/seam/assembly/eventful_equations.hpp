// The equations of a simulator that jump, for a solver that owns the states of several of them together.
#pragma once

#include <string>

#include "seam/ode/event_solver.hpp"

namespace seam::assembly {

/// x' = f(t, x, u), y = g(t, x, u) between events. At an event all who are connected go through it together:
/// begin_event, then rounds of exchange and update until nothing changes, then end_event. u and y are the real ports;
/// Discrete values are given to and taken from the subsystem beside.
class EventfulEquations {
 public:
  using In = ode::In;
  using Out = ode::Out;
  using Answer = ode::HybridOde::Answer;
  using AfterStep = ode::HybridOde::AfterStep;
  enum class Update {
    settled,
    again  ///< another round is needed
  };
  enum class Nominals { kept, changed };

  virtual ~EventfulEquations() = default;
  virtual int state_count() const = 0;
  virtual int indicator_count() const = 0;
  virtual Answer derivatives(double t, In x, In u, Out dx) = 0;
  virtual Answer outputs(double t, In x, In u, Out y) = 0;
  /// An event is a change between z > 0 and z <= 0.
  virtual Answer indicators(double t, In x, In u, Out z) = 0;
  /// Every step the solver keeps.
  virtual AfterStep after_step(double t, In x, In u) = 0;
  virtual void states(Out x) = 0;
  virtual void nominals(Out values) = 0;

  /// At t, with the states and inputs left of it.
  virtual void begin_event(double t, In x, In u) = 0;
  /// Outputs for these inputs, inside the event.
  virtual void exchange(In u, Out y) = 0;
  virtual Update update() = 0;
  /// The states right of the event. Who wishes to end stays inside it.
  virtual Nominals end_event(Out x) = 0;
  /// The time of the next event that is known ahead, s; infinity if there is none.
  virtual double next_event() const = 0;
  /// Why the run is to end; empty if it is not.
  virtual std::string wish_to_end() const = 0;
};

}  // namespace seam::assembly
