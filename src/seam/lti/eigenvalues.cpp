#include "seam/lti/eigenvalues.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "seam/lti/balance.hpp"
#include "seam/lti/lapack.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::lti {
namespace {

/// The Krylov space of a power of a sparse matrix, grown from a vector that no structure is orthogonal to (Arnoldi
/// 1951, doi:10.1090/qam/42792). The power draws eigenvalues apart that lie close together beside the largest.
class Krylov {
 public:
  /// `left_out` has orthonormal columns.
  Krylov(const Matrix& M, Matrix left_out, Eigen::Index most)
      : M_(M.sparseView()), left_out_(std::move(left_out)), basis_(M.rows(), most + 1) {
    H_.setZero(most + 1, most);
    std::mt19937_64 any(1);
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      basis_(i, 0) = static_cast<double>(any()) / static_cast<double>(std::mt19937_64::max()) - 0.5;
    basis_.col(0).normalize();
    scale_ = growth_of(basis_.col(0));
    M_ /= scale_;
  }

  bool is_sparse() const { return M_.nonZeros() * 8 < M_.rows() * M_.cols(); }
  Eigen::Index size() const { return size_; }

  /// One vector more; false if there is none: the space is invariant.
  bool grow() {
    Vector w = image(basis_.col(size_));
    const auto known = basis_.leftCols(size_ + 1);
    for (int again = 0; again < 2; ++again) {  // orthogonal to working precision
      const Vector part = known.transpose() * w;
      w.noalias() -= known * part;
      H_.col(size_).head(size_ + 1) += part;
    }
    const double left = w.norm();
    ++size_;
    if (!(left > 1e-14 * H_.col(size_ - 1).norm())) return false;
    H_(size_, size_ - 1) = left;
    basis_.col(size_) = w / left;
    return true;
  }

  double radius() const {
    const auto values = eigenvalues(H_.topLeftCorner(size_, size_));
    return scale_ * std::pow(std::abs(values.front()), 1.0 / power);
  }

 private:
  static constexpr int power = 128;

  Vector image(Vector v) const {
    Vector next(v.size());
    for (int i = 0; i < power; ++i, v.swap(next)) multiply(v, next);
    return v;
  }

  void multiply(const Vector& v, Vector& result) const {
    result.noalias() = M_ * v;
    if (left_out_.cols() > 0) result -= (left_out_ * (left_out_.transpose() * result)).eval();
  }

  /// By how much a product grows, so that powers stay within what numbers can hold.
  double growth_of(Vector v) const {
    double logarithm = 0.0;
    Vector next(v.size());
    for (int i = 0; i < power; ++i) {
      multiply(v, next);
      v.swap(next);
      const double growth = v.norm();
      if (!(growth > 0.0)) return 1.0;
      logarithm += std::log(growth);
      v /= growth;
    }
    return std::exp(logarithm / power);
  }

  Eigen::SparseMatrix<double, Eigen::RowMajor> M_;
  Matrix left_out_, basis_, H_;
  Eigen::Index size_ = 0;
  double scale_ = 1.0;
};

/// A matrix with the same eigenvalues but for some zeros, on the entries `kept` of its vectors.
struct Reduced {
  Matrix matrix;
  std::vector<Eigen::Index> kept;
};

/// The row before this one that it is a multiple of, and the factor; its own number if there is none.
std::pair<Eigen::Index, double> original_of(const Matrix& rows_as_columns, Eigen::Index row,
                                            const std::vector<Eigen::Index>& alike) {
  const auto own = rows_as_columns.col(row);
  Eigen::Index at = 0;
  const double largest = own.cwiseAbs().maxCoeff(&at);
  for (const Eigen::Index other : alike) {
    const auto before = rows_as_columns.col(other);
    if (before(at) == 0.0) continue;
    const double factor = own(at) / before(at);
    if ((own - factor * before).cwiseAbs().maxCoeff() <= 4e-16 * largest) return {other, factor};
  }
  return {row, 1.0};
}

/// A sample that repeats a state is a multiple of it after every step: the difference of the two is an eigenvector of
/// 0, and so is every other entry that comes out as 0.
Reduced without_repetitions(const Matrix& M) {
  const Eigen::Index n = M.rows();
  const Matrix rows = M.transpose();
  Reduced result;
  std::map<Eigen::Index, std::vector<Eigen::Index>> by_largest;  // rows by the column of their largest entry
  std::vector<Eigen::Index> number(static_cast<std::size_t>(n), -1);
  Vector factors = Vector::Zero(n);
  for (Eigen::Index row = 0; row < n; ++row) {
    Eigen::Index at = 0;
    if (rows.col(row).cwiseAbs().maxCoeff(&at) == 0.0) continue;
    auto& alike = by_largest[at];
    const auto [original, factor] = original_of(rows, row, alike);
    factors(row) = factor;
    if (original == row) {
      number[static_cast<std::size_t>(row)] = static_cast<Eigen::Index>(result.kept.size());
      alike.push_back(row);
      result.kept.push_back(row);
    } else {
      number[static_cast<std::size_t>(row)] = number[static_cast<std::size_t>(original)];
    }
  }
  const auto size = static_cast<Eigen::Index>(result.kept.size());
  const Matrix chosen = M(result.kept, Eigen::all);
  result.matrix = Matrix::Zero(size, size);
  for (Eigen::Index column = 0; column < n; ++column) {
    if (number[static_cast<std::size_t>(column)] >= 0)
      result.matrix.col(number[static_cast<std::size_t>(column)]) += factors(column) * chosen.col(column);
  }
  return result;
}

/// None where the largest eigenvalue does not stand out early enough to be cheaper than all of them.
std::optional<double> radius_by_krylov(const Matrix& M, const Matrix& invariant) {
  const Eigen::Index most = std::min<Eigen::Index>(M.rows() / 2, 800);
  const Balanced balanced = balance(M);
  Krylov space(balanced.matrix, orthonormal(balanced.scale.cwiseInverse().asDiagonal() * invariant), most);
  if (!space.is_sparse()) return std::nullopt;
  constexpr double settled = 1e-13;
  double before = 0.0;
  int agreements = 0;
  for (Eigen::Index look = 20; look <= most; look += look / 3) {
    while (space.size() < look) {
      if (!space.grow()) return space.radius();
    }
    const double radius = space.radius();
    agreements = std::abs(radius - before) <= settled * radius ? agreements + 1 : 0;
    if (agreements == 2) return radius;
    before = radius;
  }
  return std::nullopt;
}

constexpr Eigen::Index large = 100;              // where it pays to look for repetitions
constexpr Eigen::Index too_large_for_all = 250;  // and where to look for one eigenvalue alone

}  // namespace

std::optional<double> spectral_radius_beside(const Matrix& M, const Matrix& invariant) {
  require_square(M, "the spectral radius");
  require_finite(M, "the spectral radius");
  if (M.rows() < too_large_for_all) return std::nullopt;
  const Reduced reduced = without_repetitions(M);
  return radius_by_krylov(reduced.matrix, invariant(reduced.kept, Eigen::all));
}

double spectral_radius(const Matrix& M) {
  require_square(M, "the spectral radius");
  require_finite(M, "the spectral radius");
  const Matrix reduced = M.rows() < large ? M : without_repetitions(M).matrix;
  if (reduced.rows() >= too_large_for_all) {
    if (const auto radius = radius_by_krylov(reduced, Matrix(reduced.rows(), 0))) return *radius;
  }
  const auto values = eigenvalues(reduced);
  return values.empty() ? 0.0 : std::abs(values.front());
}

std::vector<std::complex<double>> eigenvalues(const Matrix& M) {
  require_square(M, "the eigenvalues");
  require_finite(M, "the eigenvalues");
  const Eigen::Index n = M.rows();
  std::vector<std::complex<double>> values;
  if (n == 0) return values;
  Matrix work = M;
  Vector real(n);
  Vector imaginary(n);
  require_success(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', lapack_size(n), work.data(), lapack_size(n), real.data(),
                                imaginary.data(), nullptr, 1, nullptr, 1),
                  "the QR iteration for the eigenvalues");
  for (Eigen::Index i = 0; i < n; ++i) values.emplace_back(real(i), imaginary(i));
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    const double size_a = std::abs(a);
    const double size_b = std::abs(b);
    return size_a != size_b ? size_a > size_b : std::arg(a) < std::arg(b);
  });
  return values;
}

}  // namespace seam::lti
