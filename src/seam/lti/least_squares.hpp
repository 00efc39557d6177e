// Equations, more or fewer of them than unknowns. Only source files of this room include it.
#pragma once

#include <vector>

namespace seam::lti {

/// min |A X - B| with the smallest X, by complete orthogonal factorisation. Its memory is made once.
class LeastSquares {
 public:
  explicit LeastSquares(int most_columns);

  struct Problem {
    double* A;  ///< column-major, leading dimension `leading`, destroyed; squares of its numbers are numbers, too
    double* B;  ///< the same; X on return. Needs as many rows as the larger side of A
    int rows, columns, right_sides, leading;
  };
  /// The rank of A: pivots below `tolerance` times the first one count as zero.
  int solve(const Problem& problem, double tolerance);

 private:
  std::vector<int> pivots_;
  std::vector<double> firsts_, factors_, solution_;  ///< of reflections from the right; of one right side

  /// Reflections from the left, of the column with the largest rest at a time, until that is next to nothing.
  int make_triangular(const Problem& p, double tolerance);
  /// Reflections from the right: the columns behind the rank become zero.
  void shorten(const Problem& p, int rank);
  /// The smallest solution of the equations from that of the shortened ones.
  void lengthen(const Problem& p, int rank, double* x) const;
};

}  // namespace seam::lti
