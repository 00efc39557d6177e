// How far a square matrix is from being singular, whatever the units of its rows and columns, and where it is so.
#pragma once

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// An estimate of 1 / (|A| |A^-1|) once rows and columns are alike in size; 0 if A is singular, or if a number is not
/// finite.
double reciprocal_condition(const Matrix& A);

/// Of a singular matrix.
struct NullDirections {
  Vector participation;  ///< how much each column has to do with it: 1 for the most, 0 for none
  Vector left;           ///< left^T A = 0: the combination of rows that says nothing
};
NullDirections null_directions(const Matrix& A);

}  // namespace seam::lti
