#include "fmus/framework/implicit_euler.hpp"

#include <Eigen/LU>

namespace seam::fmus {

void advance_implicitly(const ode::Ode& ode, const Course& course, ode::In u, ode::Out x) {
  constexpr int most_iterations = 20;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(x.size());
  const double h = course.length / course.steps;
  Eigen::Map<Eigen::VectorXd> state(x.data(), n);
  Eigen::VectorXd next = state, rate(n);
  ode::Jacobians jacobians;
  for (int i = 1; i <= course.steps; ++i) {
    const double end = course.begin + i * h;
    const auto as_span = [n](Eigen::VectorXd& v) { return ode::Out(v.data(), static_cast<std::size_t>(n)); };
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      ode.derivatives(end, as_span(next), u, as_span(rate));
      ode.jacobians(end, as_span(next), u, jacobians);
      const Eigen::MatrixXd newton =
          Eigen::MatrixXd::Identity(n, n) - h * Eigen::Map<const Rows>(jacobians.A.data(), n, n);
      const Eigen::VectorXd change = newton.partialPivLu().solve(next - state - h * rate);
      next -= change;
      if (change.norm() <= 1e-14 * (next.norm() + 1e-300)) break;
    }
    state = next;
  }
}

}  // namespace seam::fmus
