// Householder's reflections of columns of numbers. Only source files of this room include it.
#pragma once

namespace seam::lti {

/// I - factor v v^T, which takes a column to a multiple of the first unit vector.
struct Reflection {
  double first;  ///< of v; its others are those of the column
  double image;  ///< what the first number of the column becomes
  double factor;
};
/// By the first number of a column and the sum of the squares of all, which is a number and not 0.
Reflection reflection(double first, double squares);

/// Columns that lie `leading` numbers apart.
struct Columns {
  double* numbers;
  int rows, count, leading;
};
/// Each column c becomes c - factor v (v^T c).
void reflect(const double* v, double factor, const Columns& columns);

double sum_of_squares(const double* numbers, int count);

/// R of A = Q R takes the place of A on and above the diagonal; what is below is of no use. Squares of the numbers are
/// numbers, too.
void make_triangular(const Columns& A);

}  // namespace seam::lti
