// Where the poles of a linear system lie, as far as numbers can tell.
#pragma once

#include <complex>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

enum class TimeDomain {
  continuous,  ///< x' = A x + B u; frequencies in rad/s
  discrete     ///< x+ = A x + B u; frequencies as the angle of a sample, 0 to pi
};

/// Inside the region of stability, on its boundary (imaginary axis, unit circle) to the rounding of the eigenvalues, or
/// outside.
enum class PolePlace { inside, on_boundary, outside };

struct WorstPole {
  PolePlace place = PolePlace::inside;
  double frequency = 0.0;
};

/// The pole that lies furthest out, whether inputs and outputs see it or not.
WorstPole worst_pole(const Matrix& A, TimeDomain domain);

/// The frequency at which a pole makes itself felt.
double frequency_of(std::complex<double> pole, TimeDomain domain);

}  // namespace seam::lti
