#include "seam/lti/flat_step.hpp"

#include <algorithm>
#include <cmath>

#include "seam/lti/balance.hpp"
#include "seam/lti/fours.hpp"
#include "seam/lti/singular_values.hpp"

namespace seam::lti {
namespace {

/// Behind this power of a matrix of norm 1/2 the series has nothing left to say.
constexpr int powers = 14;

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

/// to = A from, with A n x n and `from` n x columns; four columns of A at a time.
[[gnu::always_inline]] inline void multiply_by(const double* A, const double* from, int n, int columns, double* to) {
  for (int c = 0; c < columns; ++c, from += n, to += n) {
    std::fill_n(to, n, 0.0);
    int k = 0;
    for (; k + 4 <= n; k += 4) {
      const double *const a = A + k * n, *const b = a + n, *const c1 = b + n, *const d = c1 + n;
      int i = 0;
      for (; i + 4 <= n; i += 4) {
        *reinterpret_cast<Four*>(to + i) +=
            (from[k] * *reinterpret_cast<const Four*>(a + i) + from[k + 1] * *reinterpret_cast<const Four*>(b + i)) +
            (from[k + 2] * *reinterpret_cast<const Four*>(c1 + i) +
             from[k + 3] * *reinterpret_cast<const Four*>(d + i));
      }
      for (; i < n; ++i) to[i] += (from[k] * a[i] + from[k + 1] * b[i]) + (from[k + 2] * c1[i] + from[k + 3] * d[i]);
    }
    for (; k < n; ++k) add_scaled(from[k], A + k * n, n, to);
  }
}

void by_pairs(const double* A, const double* from, int n, int columns, double* to) {
  multiply_by(A, from, n, columns, to);
}

#ifdef __x86_64__
[[gnu::target("avx")]] void by_fours(const double* A, const double* from, int n, int columns, double* to) {
  multiply_by(A, from, n, columns, to);
}
const auto best_way = __builtin_cpu_supports("avx") ? by_fours : by_pairs;
#else
const auto best_way = by_pairs;
#endif

void multiply(const double* A, const double* from, int n, int columns, double* to) {
  if (n >= 4) return best_way(A, from, n, columns, to);
  std::fill_n(to, size(n, columns), 0.0);
  for (int c = 0; c < columns; ++c) {
    for (int k = 0; k < n; ++k) {
      const double factor = from[c * n + k];
      for (int i = 0; i < n; ++i) to[c * n + i] += A[k * n + i] * factor;
    }
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
  for (int j = step.degree; j >= 0; --j) {
    double* const G = step.G + static_cast<std::size_t>(j) * size(n, m);
    multiply(step.Ad, G, n, m, work);
    double binomial = 1.0;
    for (int k = 0; k <= j; binomial *= static_cast<double>(j - k) / (k + 1), ++k) {
      const double* const lower = step.G + static_cast<std::size_t>(k) * size(n, m);
      for (std::size_t i = 0; i < size(n, m); ++i) work[i] += binomial * lower[i];
    }
    for (std::size_t i = 0; i < size(n, m); ++i) G[i] = std::ldexp(work[i], -j);
  }
  multiply(step.Ad, step.Ad, n, n, work);
  std::copy_n(work, size(n, n), step.Ad);
}

}  // namespace

std::size_t flat_step_work(int n, int m) {
  return 2 * size(n, n) + size(n, m) + static_cast<std::size_t>(n) + size(n, std::max(n, m));
}

// Scaling and squaring of the series (Moler and Van Loan 2003, method 3, doi:10.1137/S00361445024180), on a balanced
// matrix: without balancing a stiffness of 1e7 beside a mass of 1 asks for many more squarings and costs digits.
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
  for (int j = 0; j <= step.degree; ++j) {  // j! A^k B/(k + j + 1)!
    double* const G = step.G + static_cast<std::size_t>(j) * size(n, m);
    Series{A, B, n, m, j + 1}.add_up(G, work);
    for (std::size_t i = 0; i < size(n, m); ++i) G[i] /= j + 1;
  }
  for (int k = 0; k < doublings; ++k) double_step(step, work);
  for (int c = 0; c < n; ++c) {
    for (int i = 0; i < n; ++i) step.Ad[c * n + i] *= d[i] / d[c];
  }
  for (int c = 0; c < (step.degree + 1) * m; ++c) {
    for (int i = 0; i < n; ++i) step.G[c * n + i] *= d[i];
  }
}

std::size_t pseudo_inverse_work(int rows, int columns) {
  return size(rows, rows_of_fours(columns)) + size(rows, rows_of_fours(rows)) + static_cast<std::size_t>(rows);
}

// M = U S V^T: with the rows of U^T M = S V^T orthogonal, the pseudo-inverse is V S^-1 U^T = (S V^T)^T S^-2 U^T.
void pseudo_inverse(const FlatMatrix& matrix, double tolerance, double* X, double* work) {
  const int rows = matrix.rows, columns = matrix.columns;
  const int length = rows_of_fours(columns), vector_length = rows_of_fours(rows);
  double* const turned = work;
  double* const vectors = turned + size(length, rows);
  double* const squares = vectors + size(vector_length, rows);
  std::fill_n(work, size(length, rows) + size(vector_length, rows), 0.0);
  for (int i = 0; i < rows; ++i) {
    for (int c = 0; c < columns; ++c) turned[i * length + c] = matrix.numbers[c * rows + i];
    vectors[i * vector_length + i] = 1.0;
  }
  make_rows_orthogonal({turned, vectors, rows, length, vector_length});
  double largest = 0.0;
  for (int i = 0; i < rows; ++i) {
    squares[i] = dot(turned + i * length, turned + i * length, length);
    largest = std::max(largest, squares[i]);
  }
  std::fill_n(X, size(columns, rows), 0.0);
  for (int i = 0; i < rows; ++i) {
    if (!(squares[i] > tolerance * tolerance * largest)) continue;
    for (int r = 0; r < rows; ++r)
      add_scaled(vectors[i * vector_length + r] / squares[i], turned + i * length, columns, X + r * columns);
  }
}

}  // namespace seam::lti
