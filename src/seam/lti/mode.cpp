#include "seam/lti/mode.hpp"

#include <Eigen/LU>
#include <cmath>

namespace seam::lti {
namespace {

/// The null vector of M - lambda I, from a start that no structure of M is orthogonal to.
Eigen::VectorXcd null_vector(const Eigen::MatrixXcd& M, std::complex<double> lambda) {
  const Eigen::Index size = M.rows();
  const double shift = 1e-12 * std::max(1.0, M.cwiseAbs().maxCoeff());  // keeps the matrix regular
  Eigen::MatrixXcd shifted = M;
  shifted.diagonal().array() -= lambda + std::complex<double>{shift, 0.0};
  const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(shifted);
  Eigen::VectorXcd v(size);
  for (Eigen::Index i = 0; i < size; ++i) v(i) = 1.0 + 0.1 * std::cos(1.0 + 1.7 * static_cast<double>(i));
  for (int i = 0; i < 3; ++i) v = factors.solve(v).normalized();
  return v;
}

}  // namespace

Mode mode_of(const Matrix& M, std::complex<double> lambda) {
  const Eigen::MatrixXcd complex = M.cast<std::complex<double>>();
  Mode mode{null_vector(complex, lambda), null_vector(complex.adjoint(), std::conj(lambda))};
  const std::complex<double> product = mode.left.dot(mode.right);  // left^H right
  mode.left /= std::conj(product);
  return mode;
}

std::complex<double> sensitivity(const Mode& mode, const Matrix& change) {
  return mode.left.dot(change.cast<std::complex<double>>() * mode.right);
}

std::complex<double> sensitivity(const Mode& mode, const Vector& into, const Vector& from) {
  return mode.left.dot(into.cast<std::complex<double>>()) * from.cast<std::complex<double>>().dot(mode.right);
}

}  // namespace seam::lti
