// What a linear system answers to a frequency: G(p) = C (p I - A)^-1 B + D.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "seam/lti/poles.hpp"
#include "seam/lti/sparse_solve.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::lti {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;

/// A is balanced and brought to Hessenberg form once, so that a frequency costs n^2 operations an input; or, where that
/// is allowed and A is large, its zeros are made use of.
class FrequencyResponse {
 public:
  enum class Solving { dense, by_size };
  FrequencyResponse(const StateSpace& system, TimeDomain domain, Solving solving = Solving::dense);

  /// At p = jw, or p = e^jw. Infinite or huge at a pole; D at w = infinity.
  ComplexMatrix at(double frequency) const;
  /// Anywhere in the complex plane.
  ComplexMatrix at_point(Complex p) const;
  /// A column a group of inputs, as many in each as there are shares: all of them at once, each by its share.
  ComplexMatrix at_point(Complex p, const Eigen::VectorXcd& shares) const;

  const StateSpace& balanced() const { return balanced_; }
  TimeDomain domain() const { return domain_; }

 private:
  /// Rows lie side by side: elimination and substitution work through rows.
  using Rows = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static void solve(Rows& shifted, Rows& X);
  ComplexMatrix solve_sparsely(Complex p, const Eigen::VectorXcd& shares) const;

  StateSpace balanced_;    // the same system, states scaled
  StateSpace hessenberg_;  // the same system, A upper Hessenberg
  Rows minus_A_, B_;       // of it
  TimeDomain domain_;
  std::vector<Term> terms_, of_B_, of_C_;  // where zeros are made use of: of -A, B and C
};

/// The largest singular value.
double largest_singular_value(const ComplexMatrix& G);
/// The smallest eigenvalue of G + G^H.
double smallest_real_part(const ComplexMatrix& G);

}  // namespace seam::lti
