// Diagonal scaling that makes rows and columns of a matrix alike in size, so that tolerances do not depend on units.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// matrix = diag(scale)^-1 M diag(scale); the eigenvalues are those of M.
struct Balanced {
  Matrix matrix;
  Vector scale;
};
Balanced balance(const Matrix& M);

/// The same in place, without allocating: `M` has n columns of n numbers, `scale` n numbers. What is not finite stays
/// as it is, with scales of 1.
void balance(double* M, int n, double* scale);

}  // namespace seam::lti
