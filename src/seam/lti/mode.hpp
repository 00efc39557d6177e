// The vectors of one eigenvalue: what moves, and what makes it move.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// M right = lambda right, left^H M = lambda left^H, left^H right = 1.
struct Mode {
  Eigen::VectorXcd right, left;
};

/// By inverse iteration. `lambda` must be an eigenvalue that is well apart from the others; of a defective one the
/// product of the two vectors vanishes and the numbers mean nothing.
Mode mode_of(const Matrix& M, std::complex<double> lambda);

/// d lambda for a small change dM of the matrix, or one that is into from^T.
std::complex<double> sensitivity(const Mode& mode, const Matrix& change);
std::complex<double> sensitivity(const Mode& mode, const Vector& into, const Vector& from);

}  // namespace seam::lti
