// Eigenvalues of a general real matrix.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// By falling magnitude, then rising angle; with balancing, so that units do not matter.
/// Entries that are not finite throw base::Error(internal).
std::vector<std::complex<double>> eigenvalues(const Matrix& M);

/// The largest magnitude of an eigenvalue; 0 for an empty matrix. Of a large sparse matrix not all eigenvalues are
/// found for it.
double spectral_radius(const Matrix& M);

/// The same of a large sparse matrix without the eigenvalues of an invariant subspace that these columns span. None
/// where that would be no cheaper than to find all eigenvalues.
std::optional<double> spectral_radius_beside(const Matrix& M, const Matrix& invariant);

}  // namespace seam::lti
