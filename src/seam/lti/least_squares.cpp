#include "seam/lti/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "seam/lti/householder.hpp"

namespace seam::lti {
LeastSquares::LeastSquares(int most_columns)
    : pivots_(static_cast<std::size_t>(most_columns)),
      firsts_(pivots_.size()),
      factors_(pivots_.size()),
      solution_(pivots_.size()) {}

int LeastSquares::make_triangular(const Problem& p, double tolerance) {
  double largest = 0.0;
  for (int j = 0; j < std::min(p.rows, p.columns); ++j) {
    const int rows = p.rows - j;
    int best = j;
    double squares = -1.0;
    for (int c = j; c < p.columns; ++c) {
      const double own = sum_of_squares(p.A + c * p.leading + j, rows);
      if (own > squares) {
        squares = own;
        best = c;
      }
    }
    if (j == 0) largest = std::sqrt(squares);
    if (!(squares > 0.0 && std::isfinite(squares)) || std::sqrt(squares) < tolerance * largest) return j;
    double* const own = p.A + j * p.leading;
    if (best != j) {
      std::swap_ranges(own, own + p.rows, p.A + best * p.leading);
      std::swap(pivots_[static_cast<std::size_t>(j)], pivots_[static_cast<std::size_t>(best)]);
    }
    const Reflection mirror = reflection(own[j], squares);
    own[j] = mirror.first;
    reflect(own + j, mirror.factor, {own + p.leading + j, rows, p.columns - j - 1, p.leading});
    reflect(own + j, mirror.factor, {p.B + j, rows, p.right_sides, p.leading});
    own[j] = mirror.image;
  }
  return std::min(p.rows, p.columns);
}

void LeastSquares::shorten(const Problem& p, int rank) {
  const auto at = [&](int i, int j) -> double& { return p.A[j * p.leading + i]; };
  for (int i = rank - 1; i >= 0; --i) {
    double squares = at(i, i) * at(i, i);
    for (int j = rank; j < p.columns; ++j) squares += at(i, j) * at(i, j);
    const Reflection mirror = reflection(at(i, i), squares);
    factors_[static_cast<std::size_t>(i)] = mirror.factor;
    for (int row = 0; row < i; ++row) {
      double product = mirror.first * at(row, i);
      for (int j = rank; j < p.columns; ++j) product += at(i, j) * at(row, j);
      at(row, i) -= mirror.factor * product * mirror.first;
      for (int j = rank; j < p.columns; ++j) at(row, j) -= mirror.factor * product * at(i, j);
    }
    at(i, i) = mirror.image;
    firsts_[static_cast<std::size_t>(i)] = mirror.first;
  }
}

void LeastSquares::lengthen(const Problem& p, int rank, double* x) const {
  std::fill(x + rank, x + p.columns, 0.0);
  for (int i = 0; i < rank; ++i) {
    const double first = firsts_[static_cast<std::size_t>(i)];
    double product = first * x[i];
    for (int j = rank; j < p.columns; ++j) product += p.A[j * p.leading + i] * x[j];
    product *= factors_[static_cast<std::size_t>(i)];
    x[i] -= product * first;
    for (int j = rank; j < p.columns; ++j) x[j] -= product * p.A[j * p.leading + i];
  }
}

int LeastSquares::solve(const Problem& p, double tolerance) {
  for (int j = 0; j < p.columns; ++j) pivots_[static_cast<std::size_t>(j)] = j;
  const int rank = make_triangular(p, tolerance);
  if (rank < p.columns) shorten(p, rank);
  for (int b = 0; b < p.right_sides; ++b) {
    double* const x = p.B + b * p.leading;
    for (int i = rank - 1; i >= 0; --i) {
      x[i] /= p.A[i * p.leading + i];
      for (int row = 0; row < i; ++row) x[row] -= p.A[i * p.leading + row] * x[i];
    }
    if (rank < p.columns) lengthen(p, rank, x);
    std::copy_n(x, p.columns, solution_.begin());
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.columns); ++j) x[pivots_[j]] = solution_[j];
  }
  return rank;
}

}  // namespace seam::lti
