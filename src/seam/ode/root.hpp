// Roots of systems of nonlinear equations.
#pragma once

#include "seam/ode/ode.hpp"

namespace seam::ode {

/// F(x) = 0 with as many equations as unknowns.
class RootProblem {
 public:
  enum class Answer {
    given,
    refused  ///< it cannot be had there: not finite, or (the Jacobian) singular
  };
  virtual ~RootProblem() = default;
  virtual int count() const = 0;
  virtual Answer residual(In x, Out F) = 0;
  /// dF/dx, row by row.
  virtual Answer jacobian(In x, Out J) = 0;
};

/// What is large and what is small: usual sizes of the unknowns and of the terms that cancel in each equation, all
/// above 0.
struct RootScales {
  In unknowns, equations;
};

enum class RootStrategy {
  line_search,  ///< Newton's steps are shortened until the residual falls
  full_steps    ///< Newton's steps as they are: a corner in F may need that
};

struct RootRequest {
  RootScales scales;
  double tolerance = 1e-13;  ///< of every |F_i| / scale_i
  RootStrategy strategy = RootStrategy::line_search;
};

struct RootResult {
  enum class Ending {
    found,
    stuck,   ///< no step makes the residual smaller
    limit,   ///< too many iterations
    refused  ///< by the problem, at the place reached
  } ending = Ending::found;
  int iterations = 0;
};

/// Newton's method (SUNDIALS KINSOL) from x, with a new Jacobian in every iteration; x is the best place reached. What
/// the problem throws comes out here.
RootResult find_root(RootProblem& problem, const RootRequest& request, Out x);

}  // namespace seam::ode
