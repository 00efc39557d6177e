// Matrices that look random and are the same in every run and on every machine.
#pragma once

#include <random>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

class RandomMatrices {
 public:
  explicit RandomMatrices(unsigned seed) : engine_(seed) {}

  /// Entries in [-1, 1). The engine's bits are used directly: distributions differ between libraries.
  Matrix matrix(Eigen::Index rows, Eigen::Index columns) {
    Matrix result(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < columns; ++j) result(i, j) = static_cast<double>(engine_()) / 2147483648.0 - 1.0;
    }
    return result;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace seam::lti
