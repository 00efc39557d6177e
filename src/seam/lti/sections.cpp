#include "seam/lti/sections.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/lti/rational.hpp"

namespace seam::lti {
namespace {

using Complex = std::complex<double>;

/// Factors of degree 2, and one of degree 1 if the number of roots is odd: by degree, then by size.
std::vector<Coefficients> factors(const std::vector<Complex>& roots) {
  std::vector<Coefficients> result;
  std::vector<Complex> real;
  for (const Complex& root : roots) {
    if (root.imag() > 0.0) result.push_back(from_roots({root, std::conj(root)}));
    if (root.imag() == 0.0) real.push_back(root);
  }
  std::sort(real.begin(), real.end(), [](const Complex& a, const Complex& b) { return std::abs(a) < std::abs(b); });
  for (std::size_t i = 0; i < real.size(); i += 2) {
    const std::size_t end = std::min(i + 2, real.size());
    result.push_back(
        from_roots({real.begin() + static_cast<std::ptrdiff_t>(i), real.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  std::sort(result.begin(), result.end(), [](const Coefficients& a, const Coefficients& b) {
    return a.size() != b.size() ? a.size() > b.size() : std::abs(a.front()) < std::abs(b.front());
  });
  return result;
}

/// With x1' = w x2, w the size of the poles, both states are as large as each other, and as what they add to the
/// output.
StateSpace section(Coefficients n, const Coefficients& d) {
  const auto order = static_cast<Eigen::Index>(d.size()) - 1;
  n.resize(d.size(), 0.0);
  const double direct = n.back();
  StateSpace result;
  result.D = Matrix::Constant(1, 1, direct);
  result.B = Matrix::Zero(order, 1);
  result.B(order - 1, 0) = 1.0;
  if (order == 1) {
    result.A = Matrix::Constant(1, 1, -d[0]);
    result.C = Matrix::Constant(1, 1, n[0] - direct * d[0]);
  } else {
    const double w = d[0] > 0.0 ? std::sqrt(d[0]) : 1.0;
    result.A.resize(2, 2);
    result.A << 0.0, w, -d[0] / w, -d[1];
    result.C.resize(1, 2);
    result.C << (n[0] - direct * d[0]) / w, n[1] - direct * d[1];
  }
  const double size = result.C.cwiseAbs().maxCoeff();
  if (size > 0.0) {
    result.B *= size;
    result.C /= size;
  }
  return result;
}

/// `next` is fed by `first`.
StateSpace in_series(const StateSpace& first, const StateSpace& next) {
  const Eigen::Index n = first.states(), m = next.states();
  StateSpace result;
  result.A = Matrix::Zero(n + m, n + m);
  result.A.topLeftCorner(n, n) = first.A;
  result.A.bottomLeftCorner(m, n) = next.B * first.C;
  result.A.bottomRightCorner(m, m) = next.A;
  result.B.resize(n + m, 1);
  result.B << first.B, next.B * first.D;
  result.C.resize(1, n + m);
  result.C << next.D * first.C, next.C;
  result.D = next.D * first.D;
  return result;
}

}  // namespace

StateSpace realise_in_sections(const Factored& function) {
  if (function.zeros.size() > function.poles.size())
    throw base::Error(base::Failure::internal, "a transfer function that is not proper");
  const std::vector<Coefficients> zeros = factors(function.zeros), poles = factors(function.poles);
  StateSpace result{Matrix(0, 0), Matrix(0, 1), Matrix(1, 0), Matrix::Constant(1, 1, 1.0)};
  double gain = function.gain;
  for (std::size_t i = 0; i < poles.size(); ++i) {
    Coefficients n = i < zeros.size() ? zeros[i] : Coefficients{1.0};
    const bool rests = n.front() != 0.0 && poles[i].front() != 0.0;
    const double scale = rests ? poles[i].front() / n.front() : 1.0;
    for (double& c : n) c *= scale;
    gain /= scale;
    result = in_series(result, section(n, poles[i]));
  }
  result.C *= gain;
  result.D *= gain;
  return result;
}

}  // namespace seam::lti
