// Linear equations: x' = A x + B u, y = C x + D u, evaluated without allocation.
#pragma once

#include <vector>

#include "seam/lti/state_space.hpp"
#include "seam/ode/ode.hpp"

namespace seam::models {

class LinearOde final : public ode::Ode {
 public:
  /// velocity_of: as in Ode; empty for first-order systems. Matrices that do not fit throw base::Error(internal).
  explicit LinearOde(const lti::StateSpace& system, std::vector<int> velocity_of = {});

  Sizes sizes() const override { return sizes_; }
  Nature nature() const override { return Nature::linear; }
  void derivatives(double t, ode::In x, ode::In u, ode::Out dx) const override;
  void outputs(double t, ode::In x, ode::In u, ode::Out y) const override;
  bool feeds_through(int output, int input) const override;
  std::span<const int> velocity_of() const override { return velocity_of_; }
  JacobianSource jacobian_source() const override { return JacobianSource::analytic; }
  void jacobians(double t, ode::In x, ode::In u, ode::Jacobians& result) const override;

 private:
  Sizes sizes_;
  ode::Jacobians matrices_;
  std::vector<int> velocity_of_;
};

}  // namespace seam::models
