#include "seam/lti/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "seam/lti/fours.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {
namespace {

constexpr double rounding = 1e-15;
/// Rows that are turned by less than this are orthogonal once all have been turned: convergence is quadratic.
constexpr double last_turn = 1e-8;
constexpr int most_sweeps = 60;
/// Above, LAPACK is faster.
constexpr int most_turned = 24;

[[gnu::always_inline]] inline void turn(double* a, double* b, int length, double cosine, double sine) {
  for (int i = 0; i < length; i += 4) {
    auto& x = *reinterpret_cast<Four*>(a + i);
    auto& y = *reinterpret_cast<Four*>(b + i);
    const Four before = x;
    x = cosine * before - sine * y;
    y = sine * before + cosine * y;
  }
}

/// Two rows made orthogonal, by the smaller of the two angles. Its sine, or 0 if they were so, but for rounding: a row
/// that is small beside the other may keep as much of it as the other's rounding.
[[gnu::always_inline]] inline double make_orthogonal(const TurnedRows& t, int p, int q, double negligible) {
  double *const a = t.rows + p * t.length, *const b = t.rows + q * t.length;
  Four sums[3] = {};
  for (int i = 0; i < t.length; i += 4) {
    const Four x = *reinterpret_cast<const Four*>(a + i), y = *reinterpret_cast<const Four*>(b + i);
    sums[0] += x * x;
    sums[1] += y * y;
    sums[2] += x * y;
  }
  const double aa = sum_of(sums[0]), bb = sum_of(sums[1]), ab = sum_of(sums[2]);
  if (!(std::abs(ab) > std::max(rounding * std::max(aa, bb), negligible))) return 0.0;
  const double difference = bb - aa, size = std::sqrt(difference * difference + 4.0 * ab * ab);
  const double cosine = std::sqrt(0.5 + 0.5 * std::abs(difference) / size);
  const double sine = std::copysign(ab, difference < 0.0 ? -ab : ab) / (size * cosine);
  turn(a, b, t.length, cosine, sine);
  if (t.vector_length > 0)
    turn(t.vectors + p * t.vector_length, t.vectors + q * t.vector_length, t.vector_length, cosine, sine);
  return std::abs(sine);
}

// Rounds in which everybody meets another one, as in a tournament: meetings of a round do not wait for one another.
[[gnu::always_inline]] inline double sweep(const TurnedRows& t, double negligible) {
  const int others = (t.count + 1) / 2 * 2 - 1;  // the last one stays where it is; with an odd count it is nobody
  double largest = 0.0;
  for (int round = 0; round < others; ++round) {
    if (others < t.count) largest = std::max(largest, make_orthogonal(t, round, others, negligible));
    for (int i = 1; i <= others / 2; ++i) {
      const int p = round + i < others ? round + i : round + i - others,
                q = round >= i ? round - i : round - i + others;
      largest = std::max(largest, make_orthogonal(t, std::min(p, q), std::max(p, q), negligible));
    }
  }
  return largest;
}

// One-sided Jacobi rotations (Hestenes 1958): with the rows of A orthogonal, A = U S V^T has U in the rotations.
[[gnu::always_inline]] inline bool iterate(const TurnedRows& t) {
  const double negligible = 1e-2 * rounding * rounding * dot(t.rows, t.rows, t.count * t.length);
  for (int i = 0; i < most_sweeps; ++i) {
    if (sweep(t, negligible) <= last_turn) return true;
  }
  return false;
}

bool by_pairs(const TurnedRows& turned) { return iterate(turned); }

#ifdef __x86_64__
[[gnu::target("avx")]] bool by_fours(const TurnedRows& turned) { return iterate(turned); }
const auto best_way = __builtin_cpu_supports("avx") ? by_fours : by_pairs;
#else
const auto best_way = by_pairs;
#endif

std::size_t area(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

}  // namespace

bool make_rows_orthogonal(const TurnedRows& turned) { return best_way(turned); }

SingularValues::SingularValues(int most_rows, int most_columns)
    : values_(static_cast<std::size_t>(most_rows)),
      left_(area(most_rows, most_rows)),
      rows_of_A_(area(rows_of_fours(most_columns), most_rows)),
      vectors_(area(rows_of_fours(most_rows), most_rows)),
      order_(static_cast<std::size_t>(most_rows)) {
  if (most_rows <= most_turned) return;
  double asked = 0.0;
  require_success(LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', most_rows, most_columns, nullptr, most_rows, nullptr,
                                      nullptr, most_rows, nullptr, 1, &asked, -1),
                  "the singular value decomposition");
  // LAPACK's least, for smaller matrices, too
  const double least = 5.0 * std::min(most_rows, most_columns) + std::max(most_rows, most_columns);
  work_.resize(static_cast<std::size_t>(std::max(asked, least)));
}

/// Of what is in rows_of_A_, column by column.
bool SingularValues::by_lapack(int rows, int columns, Vectors vectors) {
  return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, vectors == Vectors::left ? 'A' : 'N', 'N', rows, columns,
                             rows_of_A_.data(), rows, values_.data(), left_.data(), rows, nullptr, 1, work_.data(),
                             static_cast<lapack_int>(work_.size())) == 0;
}

bool SingularValues::compute(const double* A, int rows, int columns, Vectors vectors) {
  double largest = 0.0;
  for (std::size_t i = 0; i < area(rows, columns); ++i) {
    if (!std::isfinite(A[i])) return false;
    largest = std::max(largest, std::abs(A[i]));
  }
  if (rows > most_turned && columns > 0) {
    std::copy_n(A, area(rows, columns), rows_of_A_.begin());
    return by_lapack(rows, columns, vectors);
  }
  // fourth powers must be numbers
  const double scale = largest > 1e50 || (largest > 0.0 && largest < 1e-50) ? largest : 1.0;
  const TurnedRows turned{rows_of_A_.data(), vectors_.data(), rows, rows_of_fours(columns),
                          vectors == Vectors::left ? rows_of_fours(rows) : 0};
  std::fill_n(rows_of_A_.begin(), area(turned.length, rows), 0.0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      rows_of_A_[area(turned.length, i) + static_cast<std::size_t>(j)] = A[j * rows + i] / scale;
  }
  std::fill_n(vectors_.begin(), area(turned.vector_length, rows), 0.0);
  for (int i = 0; i < rows && turned.vector_length > 0; ++i)
    vectors_[area(turned.vector_length, i) + static_cast<std::size_t>(i)] = 1.0;
  if (!make_rows_orthogonal(turned)) return false;

  // falling; left_ is free until the vectors are written
  for (int i = 0; i < rows; ++i) {
    const double* const row = rows_of_A_.data() + area(turned.length, i);
    left_[static_cast<std::size_t>(i)] = std::sqrt(dot(row, row, turned.length));
  }
  const auto end = order_.begin() + rows;
  std::iota(order_.begin(), end, 0);
  std::sort(order_.begin(), end, [&](int a, int b) {
    const double first = left_[static_cast<std::size_t>(a)], second = left_[static_cast<std::size_t>(b)];
    return first != second ? first > second : a < b;
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
    values_[i] = scale * left_[static_cast<std::size_t>(order_[i])];
  for (int i = 0; i < rows && turned.vector_length > 0; ++i) {
    const double* const vector = vectors_.data() + area(turned.vector_length, order_[static_cast<std::size_t>(i)]);
    std::copy_n(vector, rows, left_.data() + area(rows, i));
  }
  return true;
}

}  // namespace seam::lti
