#include "seam/models/linear_ode.hpp"

#include "seam/base/error.hpp"

namespace seam::models {
namespace {

std::vector<double> row_major(const lti::Matrix& M) {
  std::vector<double> flat;
  flat.reserve(static_cast<std::size_t>(M.size()));
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    for (Eigen::Index j = 0; j < M.cols(); ++j) flat.push_back(M(i, j));
  }
  return flat;
}

/// result = P x + Q u, both row-major.
void multiply(const double* P, ode::In x, const double* Q, ode::In u, ode::Out result) {
  for (double& entry : result) {
    double sum = 0.0;
    for (const double value : x) sum += *P++ * value;
    for (const double value : u) sum += *Q++ * value;
    entry = sum;
  }
}

}  // namespace

LinearOde::LinearOde(const lti::StateSpace& system, std::vector<int> velocity_of)
    : sizes_{static_cast<int>(system.states()), static_cast<int>(system.inputs()), static_cast<int>(system.outputs())},
      matrices_{row_major(system.A), row_major(system.B), row_major(system.C), row_major(system.D)},
      velocity_of_(std::move(velocity_of)) {
  const Eigen::Index n = system.states();
  const bool fits = system.A.cols() == n && system.B.rows() == n && system.B.cols() == system.inputs() &&
                    system.C.rows() == system.outputs() && system.C.cols() == n;
  if (!fits) throw base::Error(base::Failure::internal, "the matrices of a linear model do not fit each other");
}

void LinearOde::derivatives(double, ode::In x, ode::In u, ode::Out dx) const {
  multiply(matrices_.A.data(), x, matrices_.B.data(), u, dx);
}

void LinearOde::outputs(double, ode::In x, ode::In u, ode::Out y) const {
  multiply(matrices_.C.data(), x, matrices_.D.data(), u, y);
}

bool LinearOde::feeds_through(int output, int input) const {
  return matrices_.D[static_cast<std::size_t>(output) * sizes_.inputs + input] != 0.0;
}

void LinearOde::jacobians(double, ode::In, ode::In, ode::Jacobians& result) const { result = matrices_; }

}  // namespace seam::models
