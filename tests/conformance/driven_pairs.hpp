// Random pairs of co-simulation FMUs under a tone or many, and what the coupled equations answer to it.
#pragma once

#include <cmath>
#include <numbers>

#include "conformance/inner_solvers.hpp"
#include "conformance/settled_error.hpp"
#include "seam/analysis/accuracy.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "support/random_system.hpp"

namespace seam::testing {

/// The pair with a force on the second part, at u2, besides the one that it is fed.
struct Driven {
  Pair pair;
  analysis::Band band;              ///< one tone, or a multisine
  Eigen::MatrixXcd exact = {};      ///< all outputs of the coupled equations, a column a tone
  double slowest = 0.0;             ///< decay of the coupled equations, 1/s
  int tone_count = tones_of_drive;  ///< of the multisine

  bool is_tone() const { return band.from == band.to; }
  std::vector<Tone> tones() const {
    return is_tone() ? std::vector<Tone>{{band.to}} : tones_of_multisine(band.from, band.to, tone_count);
  }
  Additions additions() const {
    const std::string signal = is_tone() ? fmt::format("sine, set: {{frequency: {:.17g}}}", band.to)
                                         : fmt::format("multisine, set: {{from: {:.17g}, to: {:.17g}, tones: {}}}",
                                                       band.from, band.to, tone_count);
    return {fmt::format("  s: {{model: {}}}\n  g: {{model: gain, set: {{k: 1}}}}\n", signal), "  - s.y -> g.u\n"};
  }
  /// Nothing if it settles so slowly that tones of the multisine lie too far apart.
  std::optional<Watch> watch(double radius, double period) const {
    const Watch tone{Watch::to_settle(radius, 20.0), static_cast<base::Tick>(std::ceil(200.0 / (band.to * period)))};
    const double apart = (band.to - band.from) / tone_count;
    if (is_tone()) return tone;
    if (std::min(slowest, -std::log(radius) / period) < 2.0 * std::numbers::pi * apart) return std::nullopt;
    return Watch{tone.settling, static_cast<base::Tick>(std::round(2.0 / apart / period))};
  }
  std::string words() const {
    std::string text = fmt::format("{}, {}; solvers", word(pair.coupling.kind), pair.coupling.schedule);
    for (const InnerSolver& solver : pair.solvers)
      text += fmt::format(" {} {}", solver.method, static_cast<int>(solver.steps));
    return text;
  }
};

/// All outputs of the coupled equations; false if they hardly decay.
inline bool find_answers(Driven& driven) {
  std::string text = driven.pair.coupling.native(RandomCoupling::Solver::exact);
  driven.additions().insert_into(text);
  const engine::Live live = engine::make_live(engine::open_text(text, "pair.yaml", {}), {engine::Horizon::none});
  coupling::start(live.program);
  std::string reason;
  const auto whole = analysis::monolithic_model(*live.assembly, 0.0, reason);
  if (!whole) return false;
  driven.slowest = std::numeric_limits<double>::infinity();
  for (const auto& pole : lti::eigenvalues(whole->system.A)) {
    if (pole.real() > -0.02 * std::abs(pole)) return false;
    driven.slowest = std::min(driven.slowest, -pole.real());
  }
  driven.exact = answers(whole->system, Eigen::VectorXcd::Ones(1), driven.tones());
  return true;
}

/// What a solver adds with fixed steps cannot be told from its calls; only model exchange shows what it solves.
enum class GridSolvers {
  accurate,
  any,
  off_their_grids  ///< any, and calls end anywhere: a solver does not do the same in every call
};

/// The next pair that can be driven, up to a share of the fastest motion of its parts.
inline Driven next_driven(RandomPairs& random, double share, Drive drive,
                          GridSolvers on_grids = GridSolvers::accurate) {
  for (;;) {
    Pair pair = random.next();
    if (pair.coupling.kind == CouplingKind::displacement) continue;  // has no input left
    double fastest = 0.0;
    for (lti::StateSpace& part : pair.coupling.parts) {
      for (const auto& pole : lti::eigenvalues(part.A)) fastest = std::max(fastest, std::abs(pole));
    }
    pair.fits_grids = on_grids != GridSolvers::off_their_grids;
    for (InnerSolver& solver : pair.solvers) {
      if (solver.steps == InnerSolver::Steps::on_a_grid && on_grids == GridSolvers::accurate) solver.method = 3;
    }
    pair.coupling.parts[1].B.col(1) = pair.coupling.parts[1].B.col(0);
    pair.coupling.connections.push_back("{from: g.y, to: p1.u2}");
    const double to = share * fastest / (2.0 * std::numbers::pi);
    Driven driven{std::move(pair), {drive == Drive::tone ? to : 0.1 * to, to}};
    if (find_answers(driven)) return driven;
  }
}

}  // namespace seam::testing
