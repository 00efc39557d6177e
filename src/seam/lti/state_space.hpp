// Linear time-invariant systems in state space: x' = A x + B u, y = C x + D u.
#pragma once

#include <Eigen/Core>

namespace seam::lti {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct StateSpace {
  Matrix A, B, C, D;

  Eigen::Index states() const { return A.rows(); }
  Eigen::Index inputs() const { return D.cols(); }
  Eigen::Index outputs() const { return D.rows(); }
};

}  // namespace seam::lti
