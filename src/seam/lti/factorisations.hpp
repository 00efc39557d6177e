// Factorisations whose memory is made once: LAPACK is asked for its needs at construction, calls allocate nothing.
// Only source files of this room include it.
#pragma once

#include <vector>

#include "seam/lti/lapack.hpp"

namespace seam::lti {

/// R of A = Q R, upper triangular, in the place of A.
class TriangularFactor {
 public:
  TriangularFactor(lapack_int most_rows, lapack_int columns);
  void compute(double* A, lapack_int rows, lapack_int columns, lapack_int leading);

 private:
  std::vector<double> reflections_, work_;
};

/// Singular values, falling; and all left singular vectors where asked for.
class SingularValues {
 public:
  SingularValues(lapack_int most_rows, lapack_int most_columns);
  enum class Vectors { none, left };
  /// A (column-major) is destroyed. False if the iteration did not converge.
  bool compute(double* A, lapack_int rows, lapack_int columns, Vectors vectors);
  const std::vector<double>& values() const { return values_; }
  /// rows x rows, column-major, of the latest call with Vectors::left.
  const double* left() const { return left_.data(); }

 private:
  std::vector<double> values_, left_, work_;
};

/// min |A X - B| with the smallest X, by complete orthogonal factorisation.
class LeastSquares {
 public:
  LeastSquares(lapack_int most_rows, lapack_int most_columns, lapack_int most_right_sides);
  struct Problem {
    double* A;  ///< column-major, leading dimension `leading`, destroyed
    double* B;  ///< the same; X on return. Needs as many rows as the larger side of A
    lapack_int rows, columns, right_sides, leading;
  };
  /// The rank of A: pivots below `tolerance` times the first one count as zero.
  lapack_int solve(const Problem& problem, double tolerance);

 private:
  std::vector<lapack_int> pivots_;
  std::vector<double> work_;
};

}  // namespace seam::lti
