// Subspaces: null spaces, complements, and taking a known eigenvalue out of a matrix.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// Orthonormal columns spanning { v : M v = 0 }: the right singular vectors whose singular value is at most
/// relative_tolerance times the largest one.
Matrix null_space(const Matrix& M, double relative_tolerance);

/// Orthonormal columns spanning the same as those of basis, which are independent.
Matrix orthonormal(const Matrix& basis);

/// Orthonormal columns spanning everything orthogonal to the columns of basis, which are independent.
Matrix orthogonal_complement(const Matrix& basis);

/// The pseudo-inverse of M: singular values below `least`, or a little less than that, count as 0.
Matrix pseudo_inverse(const Matrix& M, double least);

struct Deflation {
  Matrix remainder;  ///< M on the complement of the removed subspace: its eigenvalues are the others
  int removed = 0;
  Matrix chain;  ///< orthonormal basis of the removed invariant subspace
};

/// Takes an eigenvalue out of M, at most at_most times. A defective one (Jordan block) is removed as a whole, where
/// computed eigenvalues would show 1 +- 1e-8. tolerance is relative to the size of M.
Deflation deflate(const Matrix& M, double eigenvalue, int at_most, double tolerance);

}  // namespace seam::lti
