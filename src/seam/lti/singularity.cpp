#include "seam/lti/singularity.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace seam::lti {
namespace {

/// Powers of two, so that nothing is rounded: an exactly singular matrix stays one.
double power_near(double size) { return std::exp2(std::round(std::log2(size))); }

struct Equilibrated {
  Matrix A;
  Vector rows;  ///< what the rows were divided by
};

/// Rows and columns divided by about the square root of their largest elements, until these are about 1.
Equilibrated equilibrated(const Matrix& A) {
  constexpr int rounds = 20;
  Equilibrated result{A, Vector::Ones(A.rows())};
  for (int round = 0; round < rounds; ++round) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double size = result.A.row(i).cwiseAbs().maxCoeff();
      if (!(size > 0.0)) continue;
      result.A.row(i) /= power_near(std::sqrt(size));
      result.rows(i) *= power_near(std::sqrt(size));
    }
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (const double size = result.A.col(j).cwiseAbs().maxCoeff(); size > 0.0)
        result.A.col(j) /= power_near(std::sqrt(size));
    }
  }
  return result;
}

}  // namespace

double reciprocal_condition(const Matrix& A) {
  if (A.size() == 0) return 1.0;
  if (!A.allFinite()) return 0.0;
  return Eigen::PartialPivLU<Matrix>(equilibrated(A).A).rcond();
}

/// Inverse iteration between both sides: in a matrix that is singular but for rounding, one solution already grows along
/// the null directions by 1/epsilon. Several null directions appear mixed, each with its columns.
NullDirections null_directions(const Matrix& A) {
  const Equilibrated scaled = equilibrated(A);
  const Eigen::PartialPivLU<Matrix> factors(scaled.A);
  Matrix lu = factors.matrixLU();
  const double tiny = std::numeric_limits<double>::epsilon() * std::max(1.0, lu.diagonal().cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < lu.rows(); ++i) {
    if (std::abs(lu(i, i)) < tiny) lu(i, i) = tiny;
  }
  Vector right, left(lu.rows());
  for (Eigen::Index i = 0; i < left.size(); ++i) left(i) = 1.0 + std::sin(static_cast<double>(i));  // along nothing
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    right = factors.permutationP() * left;
    lu.triangularView<Eigen::UnitLower>().solveInPlace(right);
    lu.triangularView<Eigen::Upper>().solveInPlace(right);
    right.normalize();
    left = right;
    lu.transpose().triangularView<Eigen::Lower>().solveInPlace(left);
    lu.transpose().triangularView<Eigen::UnitUpper>().solveInPlace(left);
    left = factors.permutationP().transpose() * left;
    left.normalize();
  }
  return {right.cwiseAbs() / right.cwiseAbs().maxCoeff(), left.cwiseQuotient(scaled.rows)};
}

}  // namespace seam::lti
