#include "seam/assembly/polynomial.hpp"

#include <algorithm>

namespace seam::assembly {

// Taylor shift by repeated synthetic division (Horner), then c_j *= (to - from)^j.
void restrict_polynomial(const ode::InputPolynomials& whole, double from, double to, double* part) {
  const int width = whole.width;
  const int rows = whole.degree + 1;
  std::copy(whole.coefficients, whole.coefficients + rows * width, part);
  for (int round = 0; round < whole.degree; ++round) {
    for (int j = whole.degree - 1; j >= round; --j) {
      for (int i = 0; i < width; ++i) part[j * width + i] += from * part[(j + 1) * width + i];
    }
  }
  double power = 1.0;
  for (int j = 1; j < rows; ++j) {
    power *= to - from;
    for (int i = 0; i < width; ++i) part[j * width + i] *= power;
  }
}

}  // namespace seam::assembly
