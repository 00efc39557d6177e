// The solver with error control: variable step and order, for stiff and smooth equations.
#pragma once

#include <memory>

#include "seam/ode/input.hpp"
#include "seam/ode/ode.hpp"

namespace seam::ode {

struct CvodeTolerances {
  double relative = 1e-8;
  double absolute = 1e-10;
};

/// BDF with Newton's method (SUNDIALS CVODE). It starts anew at every call and at every corner of a driven input,
/// because inputs jump there; so the result depends on x alone and repeats to the bit.
class CvodeSolver {
 public:
  /// The ode must outlive the solver. A discrete ode has no continuous solution: base::Error(subsystem).
  explicit CvodeSolver(const Ode& ode, CvodeTolerances tolerances = {});
  ~CvodeSolver();
  CvodeSolver(CvodeSolver&&) noexcept;
  CvodeSolver& operator=(CvodeSolver&&) noexcept;

  /// Covers [t, t + h]. Throws base::Error(subsystem) with the reason and the time reached; x is then what it was
  /// there.
  void advance(double t, double h, const InputSignal& input, Out x);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace seam::ode
