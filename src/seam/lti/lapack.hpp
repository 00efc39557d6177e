// LAPACK's C interface with C++ complex numbers. Only source files of this room include it.
#pragma once

#include <complex>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// The size as LAPACK counts.
inline lapack_int lapack_size(Eigen::Index n) { return static_cast<lapack_int>(n); }

/// Throws base::Error(internal) that names the operation: LAPACK may not return from a NaN, and a caller let one
/// through.
void require_finite(const Matrix& matrix, const char* operation);
void require_square(const Matrix& matrix, const char* operation);
/// Throws base::Error(internal) unless LAPACK reported success.
void require_success(lapack_int status, const char* operation);

}  // namespace seam::lti
