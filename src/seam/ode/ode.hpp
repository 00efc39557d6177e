// Equations as values: x' = f(t, x, u), y = g(t, x, u). Const; all that changes is the x the caller owns.
#pragma once

#include <span>
#include <vector>

namespace seam::ode {

using In = std::span<const double>;
using Out = std::span<double>;

/// Partial derivatives, row-major: A = df/dx, B = df/du, C = dg/dx, D = dg/du.
struct Jacobians {
  std::vector<double> A, B, C, D;
};

class Ode {
 public:
  struct Sizes {
    int states = 0, inputs = 0, outputs = 0;
  };
  enum class Nature {
    linear,     ///< f = A x + B u and g = C x + D u with constant matrices: jacobians() is the whole model
    nonlinear,  ///< anything smooth enough to integrate
    discrete    ///< states also change in after_step: the Jacobians do not describe it
  };

  enum class JacobianSource {
    differences,  ///< jacobians() is not overridden: many evaluations
    analytic      ///< jacobians() is exact and cheap
  };

  virtual ~Ode() = default;
  virtual Sizes sizes() const = 0;
  virtual Nature nature() const = 0;
  virtual void derivatives(double t, In x, In u, Out dx) const = 0;
  virtual void outputs(double t, In x, In u, Out y) const = 0;

  /// Whether y[output] depends directly on u[input]; true where it is not known.
  virtual bool feeds_through(int output, int input) const = 0;

  /// For second-order systems: velocity_of()[i] is the state whose value is the derivative of state i, or -1.
  /// Empty: first order.
  virtual std::span<const int> velocity_of() const { return {}; }

  /// Called once after every solver step, with its start and the input there (a jump at the start has happened); for
  /// states that are not integrated. Only for Nature::discrete.
  virtual void after_step(double /*t*/, In /*u*/, Out /*x*/) const {}

  /// Says how good jacobians() is; solvers then choose between it and their own differences.
  virtual JacobianSource jacobian_source() const { return JacobianSource::differences; }

  /// Central differences unless the model knows better.
  virtual void jacobians(double t, In x, In u, Jacobians& result) const;
};

}  // namespace seam::ode
