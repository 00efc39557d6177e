// Inputs that vary inside a step: as derivatives that an FMU is told (FMI 2), or as values it asks for (FMI 3).
#pragma once

#include <vector>

#include "seam/fmi/subsystem/birth.hpp"
#include "seam/fmi/subsystem/port_exchange.hpp"

namespace seam::fmi {

/// The inputs over one step: a polynomial of theta from 0 at its begin to 1 at its end.
struct Motion {
  const double* coefficients = nullptr;  ///< a row of `width` for each power
  int degree = 0, width = 0;
  double begin = 0.0, length = 0.0;

  double at(int port, double t) const;
  /// The derivative of this order in time, at time t.
  double derivative(int port, int order, double t) const;
};

/// Connected continuous inputs, as calls name them.
struct MovingInputs {
  MovingInputs(const std::vector<PortVariable>& variables, const std::vector<int>& fed, const Drives& drives);

  std::vector<std::uint32_t> references;
  std::vector<int> places;
  std::vector<const assembly::Drive*> drives;  ///< one a place: the known signal that feeds it, or null

  /// Their values at time t, without allocation.
  void values_at(const Motion& motion, double t, std::vector<double>& values) const;
};

/// Tells an FMI 2 FMU how its inputs move from time t on. What it thinks of that is not an error yet.
class InputDerivatives {
 public:
  explicit InputDerivatives(const MovingInputs& inputs) : inputs_(inputs) {}
  /// All memory for orders up to this one.
  void prepare(int order);
  Severity tell(Instance2& instance, const Motion& motion, double t);
  /// FMI 3 has none.
  Severity tell(Instance3&, const Motion&, double) { return Severity::ok; }
  int order() const { return order_; }
  void lower() { prepare(order_ - 1); }

 private:
  const MovingInputs& inputs_;
  int order_ = 0;
  std::vector<std::uint32_t> references_;  // scalars only: FMI 2 has no arrays
  std::vector<std::int32_t> orders_;
  std::vector<double> values_;
};

}  // namespace seam::fmi
