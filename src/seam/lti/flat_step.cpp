#include "seam/lti/flat_step.hpp"

#include <algorithm>
#include <cmath>

namespace seam::lti {
namespace {

constexpr int degree = 2;
/// Behind this power of a matrix of norm 1/2 the series has nothing left to say.
constexpr int powers = 14;

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

/// to = A from, with A n x n and `from` n x columns.
void multiply(const double* A, const double* from, int n, int columns, double* to) {
  std::fill_n(to, size(n, columns), 0.0);
  for (int c = 0; c < columns; ++c) {
    for (int k = 0; k < n; ++k) {
      const double factor = from[c * n + k];
      for (int i = 0; i < n; ++i) to[c * n + i] += A[k * n + i] * factor;
    }
  }
}

/// A similarity by powers of two that brings rows and columns of A to like sizes (Osborne 1960): M -> D^-1 M D. Without
/// it a stiffness of 1e7 beside a mass of 1 asks for many more squarings.
void balance(double* A, int n, double* d) {
  std::fill_n(d, n, 1.0);
  for (int sweep = 0; sweep < 20; ++sweep) {
    bool changed = false;
    for (int i = 0; i < n; ++i) {
      double row = 0.0, column = 0.0;
      for (int k = 0; k < n; ++k) {
        if (k == i) continue;
        row += std::abs(A[k * n + i]);
        column += std::abs(A[i * n + k]);
      }
      if (!(row > 0.0) || !(column > 0.0) || !std::isfinite(row) || !std::isfinite(column)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (factor == 1.0) continue;
      changed = true;
      d[i] *= factor;
      for (int k = 0; k < n; ++k) A[i * n + k] *= factor;
      for (int k = 0; k < n; ++k) A[k * n + i] /= factor;
    }
    if (!changed) return;
  }
}

double norm(const double* A, int n) {
  double largest = 0.0;
  for (int c = 0; c < n; ++c) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += std::abs(A[c * n + i]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// sum_k first!/(k + first)! A^k V over k = 0…powers, by Horner's rule; V is n x columns.
struct Series {
  const double* A;
  const double* V;
  int n, columns, first;

  void add_up(double* sum, double* work) const {
    double factor[powers + 1];
    factor[0] = 1.0;
    for (int k = 1; k <= powers; ++k) factor[k] = factor[k - 1] / (k + first);
    std::transform(V, V + size(n, columns), sum, [&](double v) { return factor[powers] * v; });
    for (int k = powers - 1; k >= 0; --k) {
      multiply(A, sum, n, columns, work);
      for (std::size_t i = 0; i < size(n, columns); ++i) sum[i] = work[i] + factor[k] * V[i];
    }
  }
};

/// From a step to one of twice the length. In its first half theta is s/2, in its second (1 + s)/2:
///   G_j(2h) = (Ad G_j + sum_k (j over k) G_k)/2^j.
void double_step(const FlatStep& step, double* work) {
  const int n = step.n, m = step.m;
  double* const G[] = {step.G, step.G + size(n, m), step.G + 2 * size(n, m)};
  for (int j = degree; j >= 0; --j) {
    multiply(step.Ad, G[j], n, m, work);
    for (std::size_t i = 0; i < size(n, m); ++i) {
      const double first = G[0][i], second = j > 0 ? j * G[1][i] : 0.0, third = j > 1 ? G[2][i] : 0.0;
      G[j][i] = (work[i] + first + second + third) / (1 << j);
    }
  }
  multiply(step.Ad, step.Ad, n, n, work);
  std::copy_n(work, size(n, n), step.Ad);
}

}  // namespace

std::size_t flat_step_work(int n, int m) {
  return 2 * size(n, n) + size(n, m) + static_cast<std::size_t>(n) + size(n, std::max(n, m));
}

// Scaling and squaring of the series, on balanced matrices.
void flat_step(const FlatStep& step) {
  const int n = step.n, m = step.m;
  double* const A = step.work;
  double* const unit = A + size(n, n);
  double* const B = unit + size(n, n);
  double* const d = B + size(n, m);
  double* const work = d + n;
  std::transform(step.A, step.A + size(n, n), A, [&](double a) { return step.h * a; });
  balance(A, n, d);
  const double large = norm(A, n);
  const int doublings = std::isfinite(large) && large > 0.5 ? static_cast<int>(std::ceil(std::log2(large / 0.5))) : 0;
  const double scale = std::exp2(-doublings);
  for (std::size_t i = 0; i < size(n, n); ++i) A[i] *= scale;
  for (int c = 0; c < m; ++c) {
    for (int i = 0; i < n; ++i) B[c * n + i] = scale * step.h * step.B[c * n + i] / d[i];
  }
  std::fill_n(unit, size(n, n), 0.0);
  for (int i = 0; i < n; ++i) unit[i * n + i] = 1.0;
  Series{A, unit, n, n, 0}.add_up(step.Ad, work);
  for (int j = 0; j <= degree; ++j) {  // j! A^k B/(k + j + 1)!
    double* const G = step.G + static_cast<std::size_t>(j) * size(n, m);
    Series{A, B, n, m, j + 1}.add_up(G, work);
    for (std::size_t i = 0; i < size(n, m); ++i) G[i] /= j + 1;
  }
  for (int k = 0; k < doublings; ++k) double_step(step, work);
  for (int c = 0; c < n; ++c) {
    for (int i = 0; i < n; ++i) step.Ad[c * n + i] *= d[i] / d[c];
  }
  for (int c = 0; c < (degree + 1) * m; ++c) {
    for (int i = 0; i < n; ++i) step.G[c * n + i] *= d[i];
  }
}

std::size_t pseudo_inverse_work(int rows, int columns) {
  return size(rows, columns) + size(rows, rows) + static_cast<std::size_t>(rows);
}

namespace {

void rotate(double* a, double* b, int count, double c, double s) {
  for (int k = 0; k < count; ++k) {
    const double x = a[k];
    a[k] = c * x - s * b[k];
    b[k] = s * x + c * b[k];
  }
}

/// The columns of Q (length x count), and with them those of V, turned until they are orthogonal.
struct Columns {
  double* Q;
  double* V;
  int length, count;

  bool turn(int p, int q) const {
    double *const a = Q + p * length, *const b = Q + q * length;
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int k = 0; k < length; ++k) {
      aa += a[k] * a[k];
      bb += b[k] * b[k];
      ab += a[k] * b[k];
    }
    if (!(std::abs(ab) > 1e-15 * std::sqrt(aa * bb))) return false;
    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = std::copysign(1.0 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
    const double c = 1.0 / std::hypot(1.0, t);
    rotate(a, b, length, c, c * t);
    rotate(V + p * count, V + q * count, count, c, c * t);
    return true;
  }
  void make_orthogonal() const {
    constexpr int most_sweeps = 30;
    bool turned = true;
    for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
      turned = false;
      for (int p = 0; p + 1 < count; ++p) {
        for (int q = p + 1; q < count; ++q) turned = turn(p, q) || turned;
      }
    }
  }
};

}  // namespace

// One-sided Jacobi rotations (Hestenes 1958) make the columns of Q = M^T orthogonal: Q V = U S, so M = V S U^T.
void pseudo_inverse(const FlatMatrix& matrix, double tolerance, double* X, double* work) {
  const int rows = matrix.rows, columns = matrix.columns;
  double* const Q = work;  // columns x rows
  double* const V = Q + size(columns, rows);
  double* const squares = V + size(rows, rows);
  for (int i = 0; i < rows; ++i) {
    for (int c = 0; c < columns; ++c) Q[i * columns + c] = matrix.numbers[c * rows + i];
  }
  std::fill_n(V, size(rows, rows), 0.0);
  for (int i = 0; i < rows; ++i) V[i * rows + i] = 1.0;
  Columns{Q, V, columns, rows}.make_orthogonal();
  double largest = 0.0;
  for (int i = 0; i < rows; ++i) {
    squares[i] = 0.0;
    for (int k = 0; k < columns; ++k) squares[i] += Q[i * columns + k] * Q[i * columns + k];
    largest = std::max(largest, squares[i]);
  }
  std::fill_n(X, size(columns, rows), 0.0);
  for (int i = 0; i < rows; ++i) {  // X = U S^-1 V^T; a column of Q is U S
    if (!(squares[i] > tolerance * tolerance * largest)) continue;
    for (int r = 0; r < rows; ++r) {
      const double factor = V[i * rows + r] / squares[i];
      for (int k = 0; k < columns; ++k) X[r * columns + k] += Q[i * columns + k] * factor;
    }
  }
}

}  // namespace seam::lti
