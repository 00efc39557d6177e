#include "seam/lti/discretise.hpp"

#include "seam/base/error.hpp"
#include "seam/lti/flat_step.hpp"
#include "seam/lti/lapack.hpp"

namespace seam::lti {

PolynomialStep discretise(const StateSpace& system, double h, int degree) {
  if (degree < 0) throw base::Error(base::Failure::internal, "discretise: the degree of the input is negative");
  require_square(system.A, "discretisation");
  require_finite(h * system.A, "discretisation");
  require_finite(system.B, "discretisation");
  const int n = lapack_size(system.states()), m = lapack_size(system.B.cols());
  PolynomialStep step{Matrix(n, n), {}};
  Matrix G(n, m * (degree + 1));
  std::vector<double> work(flat_step_work(n, m));
  flat_step({n, m, system.A.data(), system.B.data(), h, step.Ad.data(), G.data(), work.data(), degree});
  for (int j = 0; j <= degree; ++j) step.G.push_back(G.middleCols(j * m, m));
  return step;
}

}  // namespace seam::lti
