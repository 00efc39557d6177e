// Random pairs of co-simulation FMUs under a tone, and what the coupled equations answer to it.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>

#include "conformance/inner_solvers.hpp"
#include "seam/analysis/monolithic.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::testing {

using Complex = std::complex<double>;

/// The pair with a force on the second part, at u2, besides the one that it is fed.
struct Driven {
  Pair pair;
  double frequency = 0.0;  ///< Hz

  Additions additions() const {
    return {fmt::format("  s: {{model: sine, set: {{frequency: {:.17g}}}}}\n  g: {{model: gain, set: {{k: 1}}}}\n",
                        frequency),
            "  - s.y -> g.u\n"};
  }
};

inline std::optional<Driven> driven(Pair pair, double share) {
  if (pair.coupling.kind == CouplingKind::displacement) return std::nullopt;  // has no input left
  double fastest = 0.0;
  for (lti::StateSpace& part : pair.coupling.parts) {
    for (const auto& pole : lti::eigenvalues(part.A)) fastest = std::max(fastest, std::abs(pole));
  }
  pair.fits_grids = true;                     // off its grid a solver does not do the same in every call
  for (InnerSolver& solver : pair.solvers) {  // what it adds with a fixed step cannot be told from its equations
    if (solver.steps == InnerSolver::Steps::on_a_grid) solver.method = 3;
  }
  pair.coupling.parts[1].B.col(1) = pair.coupling.parts[1].B.col(0);
  pair.coupling.connections.push_back("{from: g.y, to: p1.u2}");
  return Driven{std::move(pair), share * fastest / (2.0 * std::numbers::pi)};
}

/// All outputs of the coupled equations under the tone; none if they do not settle.
inline std::optional<Eigen::VectorXcd> exact_answer(const Driven& driven) {
  std::string text = driven.pair.coupling.native(RandomCoupling::Solver::exact);
  driven.additions().insert_into(text);
  const engine::Live live = engine::make_live(engine::open_text(text, "pair.yaml", {}), {engine::Horizon::none});
  coupling::start(live.program);
  std::string reason;
  const auto whole = analysis::monolithic_model(*live.assembly, 0.0, reason);
  if (!whole) return std::nullopt;
  for (const auto& pole : lti::eigenvalues(whole->system.A)) {
    if (pole.real() > -0.02 * std::abs(pole)) return std::nullopt;
  }
  Eigen::MatrixXcd shifted = -whole->system.A.cast<Complex>();
  shifted.diagonal().array() += Complex(0.0, 2.0 * std::numbers::pi * driven.frequency);
  return whole->system.C * shifted.partialPivLu().solve(whole->system.B.cast<Complex>()) + whole->system.D;
}

}  // namespace seam::testing
