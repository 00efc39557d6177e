// Eigenvalues of a general real matrix.
#pragma once

#include <complex>
#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// By falling magnitude, then rising angle; with balancing, so that units do not matter.
/// Entries that are not finite throw base::Error(internal).
std::vector<std::complex<double>> eigenvalues(const Matrix& M);

/// The largest magnitude of an eigenvalue; 0 for an empty matrix.
double spectral_radius(const Matrix& M);

}  // namespace seam::lti
