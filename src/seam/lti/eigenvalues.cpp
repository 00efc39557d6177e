#include "seam/lti/eigenvalues.hpp"

#include <algorithm>

#include "seam/lti/lapack.hpp"

namespace seam::lti {

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

double spectral_radius(const Matrix& M) {
  const auto values = eigenvalues(M);
  return values.empty() ? 0.0 : std::abs(values.front());
}

}  // namespace seam::lti
