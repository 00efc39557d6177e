#include "seam/lti/modes.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "seam/lti/balance.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {

// A pair of poles a +- jb with the eigenvectors p +- jq: A [p q] = [p q] [a b; -b a], so that the real and imaginary
// parts that LAPACK gives are columns of a real basis.
std::optional<std::vector<StateSpace>> modal_parts(const StateSpace& system) {
  const Eigen::Index n = system.states();
  std::vector<StateSpace> parts;
  if (n == 0) return parts;
  const Balanced balanced = balance(system.A);
  Matrix work = balanced.matrix, basis(n, n);
  Vector real(n), imaginary(n);
  require_success(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', lapack_size(n), work.data(), lapack_size(n), real.data(),
                                imaginary.data(), nullptr, 1, basis.data(), lapack_size(n)),
                  "the QR iteration for the modes");
  const Eigen::PartialPivLU<Matrix> inverse(basis);
  if (!(inverse.rcond() > 1e-8)) return std::nullopt;
  const Matrix B = inverse.solve(balanced.scale.cwiseInverse().asDiagonal() * system.B);
  const Matrix C = system.C * balanced.scale.asDiagonal() * basis;
  for (Eigen::Index i = 0; i < n;) {
    const Eigen::Index size = imaginary(i) == 0.0 ? 1 : 2;
    Matrix A = Matrix::Constant(1, 1, real(i));
    if (size == 2) A = Matrix{{real(i), imaginary(i)}, {-imaginary(i), real(i)}};
    parts.push_back({A, B.middleRows(i, size), C.middleCols(i, size), Matrix::Zero(system.outputs(), system.inputs())});
    i += size;
  }
  return parts;
}

StateSpace sum_of(const std::vector<StateSpace>& parts, const Matrix& D) {
  Eigen::Index n = 0;
  for (const StateSpace& part : parts) n += part.states();
  StateSpace sum{Matrix::Zero(n, n), Matrix::Zero(n, D.cols()), Matrix::Zero(D.rows(), n), D};
  Eigen::Index at = 0;
  for (const StateSpace& part : parts) {
    const Eigen::Index size = part.states();
    sum.A.block(at, at, size, size) = part.A;
    sum.B.middleRows(at, size) = part.B;
    sum.C.middleCols(at, size) = part.C;
    at += size;
  }
  return sum;
}

namespace {

/// LAPACK's real and imaginary parts of eigenvectors as columns of complex numbers, of the eigenvalues that are chosen.
ComplexMatrix chosen_vectors(const Matrix& packed, const Vector& imaginary, const std::vector<Eigen::Index>& chosen) {
  ComplexMatrix result(packed.rows(), static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Eigen::Index i = chosen[k];
    const auto to = static_cast<Eigen::Index>(k);
    if (imaginary(i) == 0.0) {
      result.col(to) = packed.col(i).cast<Complex>();
    } else {
      const Eigen::Index first = imaginary(i) > 0.0 ? i : i - 1;
      result.col(to).real() = packed.col(first);
      result.col(to).imag() = std::copysign(1.0, imaginary(i)) * packed.col(first + 1);
    }
  }
  return result;
}

/// C A^k B without the part of the modes.
std::vector<Matrix> faded_series(const StateSpace& system, const ModalSystem& modes, double faded) {
  const int terms = static_cast<int>(std::ceil(std::log(1e-18) / std::log(faded)));
  std::vector<Matrix> series;
  Matrix images = system.B;
  ComplexMatrix weighted = modes.B;
  for (int k = 0; k < terms; ++k) {
    series.push_back(system.C * images - (modes.C * weighted).real());
    images = (system.A * images).eval();
    weighted = (modes.poles.asDiagonal() * weighted).eval();
  }
  return series;
}

}  // namespace

ComplexMatrix ModalSystem::at(Complex p) const {
  if (std::isinf(p.real()) || std::isinf(p.imag())) return D.cast<Complex>();
  Eigen::VectorXcd factors(poles.size());
  for (Eigen::Index i = 0; i < poles.size(); ++i) {
    const Complex distance = p - poles(i);
    const double size = std::norm(distance);
    factors(i) = size > 0.0 ? std::conj(distance) / size : Complex{1e15};
  }
  ComplexMatrix result = D.cast<Complex>();
  result.noalias() += (C * factors.asDiagonal()) * B;
  Complex power = 1.0;
  for (const Matrix& term : series) {
    power /= p;
    result += power * term;
  }
  return result;
}

ModalSystem ModalSystem::part(const std::vector<Eigen::Index>& outputs, const std::vector<Eigen::Index>& inputs) const {
  ModalSystem result{poles, B(Eigen::all, inputs), C(outputs, Eigen::all), D(outputs, inputs), {}};
  for (const Matrix& term : series) result.series.push_back(term(outputs, inputs));
  return result;
}

// With V and W the right and left vectors of the modes, the part of (p I - A)^-1 that they make is
// V (p I - Lambda)^-1 (W^H V)^-1 W^H, also where equal poles have vectors that are not orthogonal.
std::optional<ModalSystem> modal_system(const StateSpace& system, double faded) {
  constexpr double least = 1e-6;
  const auto n = lapack_size(system.states());
  const Balanced balanced = balance(system.A);
  const StateSpace scaled{balanced.matrix, balanced.scale.cwiseInverse().asDiagonal() * system.B,
                          system.C * balanced.scale.asDiagonal(), system.D};
  Matrix work = balanced.matrix, left(n, n), right(n, n);
  Vector real(n), imaginary(n);
  require_success(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, work.data(), n, real.data(), imaginary.data(),
                                left.data(), n, right.data(), n),
                  "the QR iteration for the modes");
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (faded == 0.0 || std::hypot(real(i), imaginary(i)) > faded) chosen.push_back(i);
  }
  ModalSystem result;
  result.D = system.D;
  result.poles.resize(static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k)
    result.poles(static_cast<Eigen::Index>(k)) = {real(chosen[k]), imaginary(chosen[k])};
  const ComplexMatrix V = chosen_vectors(right, imaginary, chosen), W = chosen_vectors(left, imaginary, chosen);
  const Eigen::PartialPivLU<ComplexMatrix> products(W.adjoint() * V);
  if (!chosen.empty() && !(products.rcond() > least)) return std::nullopt;
  result.B = products.solve(W.adjoint() * scaled.B.cast<Complex>());
  result.C = scaled.C.cast<Complex>() * V;
  if (faded > 0.0) result.series = faded_series(scaled, result, faded);
  return result;
}

}  // namespace seam::lti
