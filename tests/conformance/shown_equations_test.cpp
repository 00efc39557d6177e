// Co-simulation FMUs that also offer model exchange: its equations are the model where the calls of any usual solver
// bear them out.
#include "conformance/inner_solvers.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261121;

class ShownEquations : public ShownSolvers {
 protected:
  /// The largest difference of an entry by the largest entry of its matrix.
  static double apart(const lti::StateSpace& a, const lti::StateSpace& b) {
    double most = 0.0;
    const auto look = [&](const lti::Matrix& found, const lti::Matrix& exact) {
      if (found.rows() != exact.rows() || found.cols() != exact.cols()) {
        most = std::numeric_limits<double>::infinity();
      } else if (exact.size() > 0) {
        most = std::max(most, (found - exact).cwiseAbs().maxCoeff() / std::max(exact.cwiseAbs().maxCoeff(), 1e-300));
      }
    };
    look(a.A, b.A);
    look(a.B, b.B);
    look(a.C, b.C);
    look(a.D, b.D);
    return most;
  }

  /// How many models of this solver are the known equations; the others say why not.
  void check(InnerSolver solver, bool fits_grids, int count, int least) const {
    RandomPairs random(seed);
    int taken = 0, all = 0;
    std::string others;
    for (int n = 0; n < count; ++n) {
      Pair pair = random.next();
      pair.fits_grids = fits_grids;
      for (InnerSolver& one : pair.solvers) one = solver;
      const auto models = engine::linear_models(opened(pair, {}), {});
      for (std::size_t i = 0; i < 2; ++i, ++all) {
        const lti::StateSpace& exact = pair.coupling.parts[i];
        if (models[i].is_whole) {  // the calls off the grid are unlike each other: only macro steps have a model
          ++taken;
          continue;
        }
        if (models[i].source != analysis::ModelSource::exchange) {
          others += fmt::format("{}.{}: {}\n", n, i, models[i].how);
          for (const std::string& warning : models[i].warnings) others += "    " + warning + "\n";
          continue;
        }
        ++taken;
        EXPECT_LT(apart(*models[i].equations, exact), 1e-8) << n << "." << i << "\n" << exact.A;
      }
    }
    EXPECT_GE(taken, least) << "of " << all << ", solver " << solver.settings(1.0) << "\n" << others;
  }
};
using ShownEquationsSlow = ShownEquations;

TEST_F(ShownEquations, are_the_models_whatever_solver_co_simulation_has) {
  for (const int method : {1, 2, 3, 5}) {
    for (const auto steps :
         {InnerSolver::Steps::of_the_call, InnerSolver::Steps::at_most, InnerSolver::Steps::on_a_grid})
      check({method, steps}, true, 2, 4);
  }
}
TEST_F(ShownEquationsSlow, are_the_models_of_nearly_all) {
  for (const int method : {1, 2, 3, 5}) {
    for (const auto steps :
         {InnerSolver::Steps::of_the_call, InnerSolver::Steps::at_most, InnerSolver::Steps::on_a_grid}) {
      for (const bool fits_grids : {true, false}) check({method, steps}, fits_grids, 20, 38);
    }
  }
}

}  // namespace
}  // namespace seam::testing
