#include "seam/lti/factorisations.hpp"

#include <algorithm>

namespace seam::lti {
namespace {

std::size_t length(double asked) { return static_cast<std::size_t>(std::max(asked, 1.0)); }

lapack_int at_least_one(lapack_int n) { return std::max<lapack_int>(n, 1); }

}  // namespace

TriangularFactor::TriangularFactor(lapack_int most_rows, lapack_int columns)
    : reflections_(length(std::min(most_rows, columns))) {
  double asked = 0.0;
  require_success(
      LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, most_rows, columns, nullptr, at_least_one(most_rows), nullptr, &asked, -1),
      "the QR factorisation");
  work_.resize(length(asked));
}

void TriangularFactor::compute(double* A, lapack_int rows, lapack_int columns, lapack_int leading) {
  require_success(LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, columns, A, leading, reflections_.data(), work_.data(),
                                      static_cast<lapack_int>(work_.size())),
                  "the QR factorisation");
}

SingularValues::SingularValues(lapack_int most_rows, lapack_int most_columns)
    : values_(length(std::min(most_rows, most_columns))), left_(length(static_cast<double>(most_rows) * most_rows)) {
  double asked = 0.0;
  require_success(
      LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', most_rows, most_columns, nullptr, at_least_one(most_rows),
                          nullptr, nullptr, at_least_one(most_rows), nullptr, 1, &asked, -1),
      "the singular value decomposition");
  // LAPACK's least, for smaller matrices, too
  const double least = 5.0 * std::min(most_rows, most_columns) + std::max(most_rows, most_columns);
  work_.resize(length(std::max(asked, least)));
}

bool SingularValues::compute(double* A, lapack_int rows, lapack_int columns, Vectors vectors) {
  if (rows == 0 || columns == 0) return true;
  const char job = vectors == Vectors::left ? 'A' : 'N';
  return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, job, 'N', rows, columns, A, rows, values_.data(), left_.data(), rows,
                             nullptr, 1, work_.data(), static_cast<lapack_int>(work_.size())) == 0;
}

LeastSquares::LeastSquares(lapack_int most_rows, lapack_int most_columns, lapack_int most_right_sides)
    : pivots_(length(most_columns)) {
  double asked = 0.0;
  lapack_int rank = 0;
  const lapack_int leading = at_least_one(std::max(most_rows, most_columns));
  require_success(LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, most_rows, most_columns, most_right_sides, nullptr, leading,
                                      nullptr, leading, nullptr, 0.0, &rank, &asked, -1),
                  "least squares");
  work_.resize(length(asked));
}

lapack_int LeastSquares::solve(const Problem& p, double tolerance) {
  if (p.columns == 0) return 0;
  std::fill_n(pivots_.begin(), p.columns, 0);
  lapack_int rank = 0;
  require_success(
      LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, p.rows, p.columns, p.right_sides, p.A, p.leading, p.B, p.leading,
                          pivots_.data(), tolerance, &rank, work_.data(), static_cast<lapack_int>(work_.size())),
      "least squares");
  return rank;
}

}  // namespace seam::lti
