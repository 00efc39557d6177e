// Equations that jump: integrated with error control from event to event.
#pragma once

#include <memory>

#include "seam/ode/ode.hpp"

namespace seam::ode {

/// x' = f(t, x) between events. The implementation keeps everything else: inputs, discrete states.
class HybridOde {
 public:
  enum class Answer {
    given,
    refused  ///< not there: a shorter step may do
  };
  enum class AfterStep {
    go_on,
    event,  ///< stop here: something has to be handled
  };

  virtual ~HybridOde() = default;
  virtual int state_count() const = 0;
  virtual int indicator_count() const = 0;
  virtual Answer derivatives(double t, In x, Out dx) = 0;
  /// An event is a change between z > 0 and z <= 0.
  virtual Answer indicators(double t, In x, Out z) = 0;
  /// Every step the solver keeps; the last one before a return too.
  virtual AfterStep after_step(double t, In x) = 0;

  virtual Ode::JacobianSource jacobian_source() const { return Ode::JacobianSource::differences; }
  /// df/dx row by row; only called where it is analytic.
  virtual void jacobian(double /*t*/, In /*x*/, Out /*rows*/) {}
};

struct Arrival {
  double time = 0.0;
  enum class Reason {
    end,
    crossing,  ///< an indicator changed its sign: located to rounding of the time
    asked      ///< by after_step
  } reason = Reason::end;
};

/// BDF with Newton's method and root finding (SUNDIALS CVODE). It goes on with the steps and orders it had where t and
/// x are those it stopped at, and starts anew anywhere else: every start costs accuracy of about the tolerance.
class EventSolver {
 public:
  /// The equations must outlive the solver. Absolute tolerances are relative * nominal, a nominal a state.
  EventSolver(HybridOde& equations, double relative, In nominals);
  ~EventSolver();
  EventSolver(EventSolver&&) noexcept;
  EventSolver& operator=(EventSolver&&) noexcept;

  void set_nominals(In nominals);
  /// Where the indicators are now: the next event is their change from there. After initialisation and every event;
  /// starts anew.
  void mark(double t, In x);
  /// Starts anew: what follows then depends on t, x and the equations alone.
  void forget();
  /// From t to `end`, never beyond, or to the first event. Throws base::Error(subsystem) with the reason and the time.
  Arrival advance(double t, double end, Out x);
  /// Steps so far.
  long steps() const;

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace seam::ode
