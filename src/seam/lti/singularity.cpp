#include "seam/lti/singularity.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

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

NullDirections null_directions(const Matrix& A) {
  const Equilibrated scaled = equilibrated(A);
  const Eigen::JacobiSVD<Matrix> svd(scaled.A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Index last = A.cols() - 1;
  const Vector right = svd.matrixV().col(last).cwiseAbs();
  return {right / right.maxCoeff(), svd.matrixU().col(last).cwiseQuotient(scaled.rows)};
}

}  // namespace seam::lti
