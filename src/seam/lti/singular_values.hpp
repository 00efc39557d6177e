// Singular values of small matrices. Only source files of this room include it.
#pragma once

#include <vector>

namespace seam::lti {

/// Rows that are turned, each filled up to whole fours, and vectors that are turned with them.
struct TurnedRows {
  double *rows, *vectors;
  int count, length;  ///< of the rows
  int vector_length;  ///< 0 without vectors
};
/// By one-sided Jacobi rotations: A = U S V^T becomes S V^T, and vectors that were unit vectors become the columns of
/// U. Fourth powers of the numbers are numbers, too. False if that did not converge.
bool make_rows_orthogonal(const TurnedRows& turned);

/// Singular values, falling; and all left singular vectors where asked for. Its memory is made once.
class SingularValues {
 public:
  SingularValues(int most_rows, int most_columns);

  enum class Vectors { none, left };
  /// A is column-major. False if it has an entry that is no finite number, or if the iteration did not converge.
  bool compute(const double* A, int rows, int columns, Vectors vectors);

  /// The first min(rows, columns) belong to the latest matrix.
  const std::vector<double>& values() const { return values_; }
  /// rows x rows, column-major, of the latest call with Vectors::left.
  const double* left() const { return left_.data(); }

 private:
  bool by_lapack(int rows, int columns, Vectors vectors);

  std::vector<double> values_, left_, rows_of_A_, vectors_, work_;
  std::vector<int> order_;
};

}  // namespace seam::lti
