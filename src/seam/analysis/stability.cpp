#include "seam/analysis/stability.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "seam/analysis/monolithic.hpp"
#include "seam/lti/balance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::analysis {
namespace {

// Rounding of the probed matrix and of the projections; far below any eigenvalue that matters.
constexpr double zero_tolerance = 1e-13;
constexpr double one_tolerance = 1e-10;

/// "a.x - b.x keeps its value": the combination of states that the coupled equations conserve, w^T A = 0.
std::string conserved(const lti::Vector& weights, const std::vector<std::string>& names) {
  const double largest = weights.cwiseAbs().maxCoeff();
  std::string text;
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (std::abs(weights(i)) < 0.05 * largest) continue;
    text += (text.empty() ? "" : ", ") + names[static_cast<std::size_t>(i)];
  }
  return "the coupled equations keep a combination of " + text;
}

/// Whether w^T A is zero to the rounding of its own terms, entry by entry.
bool vanishes(lti::Vector w, const lti::Matrix& A) {
  const double largest = w.cwiseAbs().maxCoeff();
  for (double& entry : w) entry = std::abs(entry) < 1e-12 * largest ? 0.0 : entry;  // rounding of the singular vectors
  const lti::Vector product = A.transpose() * w;
  const lti::Vector size = A.cwiseAbs().transpose() * w.cwiseAbs();
  return (product.cwiseAbs().array() <= 1e-9 * size.array()).all();
}

/// Without entries that only rounding can have left, beside both their row and their column: putting subsystems
/// together cancels what should be zero.
lti::Matrix without_rounding(const lti::Matrix& A) {
  const lti::Vector rows = A.cwiseAbs().rowwise().maxCoeff(), columns = A.cwiseAbs().colwise().maxCoeff();
  lti::Matrix result = A;
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    for (Eigen::Index column = 0; column < A.cols(); ++column) {
      if (std::abs(A(row, column)) < 1e-15 * std::min(rows(row), columns(column))) result(row, column) = 0.0;
    }
  }
  return result;
}

/// Poles of the coupled equations at s = 0, and what each of them keeps.
void find_zero_poles(const MonolithicModel& model, EquationPoles& result) {
  const lti::Balanced balanced = lti::balance(model.system.A);
  const int count = lti::deflate(balanced.matrix, 0.0, static_cast<int>(balanced.matrix.rows()), 1e-12).removed;
  if (count == 0) return;
  // Left null vectors of the balanced matrix D^-1 A D are D w.
  const lti::Matrix left = lti::null_space(balanced.matrix.transpose(), 1e-12);
  const lti::Matrix A = without_rounding(balanced.matrix);
  std::vector<std::string> kept;
  for (Eigen::Index i = 0; i < left.cols(); ++i) {
    if (!vanishes(left.col(i), A)) return;  // small beside a fast mode is not zero
    const lti::Vector w = left.col(i).cwiseQuotient(balanced.scale);
    kept.push_back(conserved(w, model.state_names));
  }
  result.at_zero = count;
  result.kept = std::move(kept);
  const lti::Matrix right = lti::null_space(balanced.matrix, 1e-12);
  if (right.cols() != count) return;
  result.equilibria = balanced.scale.asDiagonal() * right;
  result.states = model.state_names;
}

/// By how much an eigenvalue may differ from 1, and a pole (1/s) from 0, and still count as standing still.
struct Slow {
  double eigenvalue = 0.0, pole = 0.0;
};

std::ptrdiff_t slow_poles(const EquationPoles& equations, Slow slow) {
  return std::count_if(equations.all->begin(), equations.all->end(),
                       [&](const Complex& pole) { return std::abs(pole) <= slow.pole; });
}

/// Takes away, at most as often as the coupled equations stand still, eigenvalues that cannot be told from 1.
int take_standing(std::vector<Complex>& eigenvalues, const EquationPoles& equations, Slow slow, int known) {
  const auto count =
      equations.all ? slow_poles(equations, slow) - known : static_cast<std::ptrdiff_t>(eigenvalues.size());
  int taken = 0;
  for (; taken < count; ++taken) {
    const auto nearest =
        std::min_element(eigenvalues.begin(), eigenvalues.end(),
                         [](const Complex& a, const Complex& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    if (nearest == eigenvalues.end() || std::abs(*nearest - 1.0) > slow.eigenvalue) break;
    eigenvalues.erase(nearest);
  }
  return taken;
}

/// Eigenvalues of a step, sorted out.
struct Spectrum {
  std::vector<Complex> others;  ///< by falling magnitude
  int ones = 0;                 ///< that the coupled equations have, too
  int standing = 0;             ///< that cannot be told from 1
  int zeros = 0;
};

Spectrum spectrum_of(const lti::Matrix& step, const EquationPoles& equations, Slow slow) {
  Spectrum result;
  const lti::Balanced balanced = lti::balance(step);
  // Samples that are shifted out leave eigenvalues that are exactly 0, often in chains that a solver would smear.
  const auto nonzero = lti::deflate(balanced.matrix, 0.0, static_cast<int>(step.rows()), zero_tolerance);
  // Without the coupled equations to compare with, every eigenvalue that is exactly 1 counts as an equilibrium that may
  // lie anywhere.
  const int ones = equations.all ? equations.at_zero : static_cast<int>(step.rows());
  const auto rest = lti::deflate(nonzero.remainder, 1.0, ones, one_tolerance);
  result.zeros = nonzero.removed;
  result.ones = rest.removed;
  result.others = lti::eigenvalues(rest.remainder);
  result.standing = take_standing(result.others, equations, slow, result.ones);
  return result;
}

double radius_of(const std::vector<Complex>& all) { return all.empty() ? 0.0 : std::abs(all.front()); }

/// The equilibria of the step, by inverse iteration from those of the coupled equations: signals follow from states,
/// and filters may shift them. None if the step does not have as many.
std::optional<lti::Matrix> equilibria_of(const Transition& step, const EquationPoles& equations) {
  const Eigen::Index size = step.matrix.rows(), states = step.states;
  if (equations.equilibria.cols() == 0 || equations.equilibria.rows() != states) return std::nullopt;
  lti::Matrix all = lti::Matrix::Zero(size, equations.equilibria.cols());
  for (Eigen::Index i = 0; i < states; ++i) {
    const auto named =
        std::find(step.names.begin(), step.names.begin() + states, equations.states[static_cast<std::size_t>(i)]);
    if (named == step.names.begin() + states) return std::nullopt;
    all.row(named - step.names.begin()) = equations.equilibria.row(i);
  }
  lti::Matrix shifted = step.matrix;
  shifted.diagonal().array() -= 1.0 + 1e-9;  // keeps the matrix regular
  const Eigen::PartialPivLU<lti::Matrix> factors(shifted);
  for (int i = 0; i < 3; ++i) {
    all = factors.solve(all).eval();
    if (!all.allFinite()) return std::nullopt;
    all = lti::orthonormal(all);
  }
  if (!((step.matrix * all - all).colwise().norm().maxCoeff() <= one_tolerance)) return std::nullopt;
  return all;
}

/// Whether no eigenvalue is 1, so that there is nothing to leave out. Balanced as a whole: columns scaled by themselves
/// would make something of the rounding that is left where an entry stands.
bool never_stands(const lti::Matrix& step) {
  lti::Matrix shifted = lti::balance(step).matrix;
  shifted.diagonal().array() -= 1.0;
  const Eigen::PartialPivLU<lti::Matrix> factors(shifted);
  const lti::Vector pivots = factors.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > 1e-7 * pivots.maxCoeff() && factors.rcond() > 1e-7;  // no estimate knows of a pivot 0
}

/// All eigenvalues but the structural ones; none if these are not as many as the coupled equations have.
std::optional<StepModes> all_modes(const lti::Matrix& step, const EquationPoles& equations, Slow slow) {
  std::vector<Complex> all = lti::eigenvalues(step);
  if (equations.at_zero > 0 || slow.pole > 0.0) {
    const auto ones = std::erase_if(all, [](const Complex& z) { return std::abs(z - 1.0) <= one_tolerance; });
    if (static_cast<int>(ones) != equations.at_zero) return std::nullopt;
    take_standing(all, equations, slow, equations.at_zero);
  }
  const double radius = radius_of(all);
  return StepModes(radius, std::move(all));
}

/// The modes without structural eigenvalues where nothing has to be taken apart for them: the step has as many
/// eigenvalues 1 as the coupled equations, and none of the others can be the smear of a chain of zeros.
std::optional<StepModes> plain_modes(const Transition& transition, const EquationPoles& equations, Slow slow) {
  constexpr Eigen::Index large = 100;
  if (!equations.all) return std::nullopt;
  const lti::Matrix& step = transition.matrix;
  if (slow_poles(equations, slow) == 0) slow = {};
  std::optional<StepModes> found;
  if (step.rows() >= large && slow.pole == 0.0) {
    if (equations.at_zero == 0 || never_stands(step)) {
      found.emplace(lti::spectral_radius(step));
    } else if (const auto standing = equilibria_of(transition, equations)) {
      if (const auto radius = lti::spectral_radius_beside(step, *standing)) found.emplace(*radius);
    }
  }
  if (!found) found = all_modes(step, equations, slow);
  // A chain of zeros is smeared to at most about 1e-16^(1/length): nothing beside an eigenvalue near 1.
  constexpr double beyond_any_smear = 0.7;
  return found && found->radius > beyond_any_smear ? std::move(found) : std::nullopt;
}

}  // namespace

EquationPoles equation_poles(assembly::Assembly& assembly, double t) {
  EquationPoles result;
  const auto whole = monolithic_model(assembly, t, result.reason);
  if (!whole) return result;
  result.all = lti::eigenvalues(whole->system.A);
  find_zero_poles(*whole, result);
  return result;
}

std::optional<Complex> Stability::undamped_pole() const {
  constexpr double rounding = 1e-6;  // of its size: models that were identified are not surer
  // errors of the models split a double pole at zero, a body that drifts freely, into p and -p of the root of their
  // size
  constexpr double split = 1e-3, alike = 1e-2;
  std::optional<Complex> found;
  double fastest = 0.0;
  for (const Complex& pole : monolithic_poles.value_or(std::vector<Complex>{}))
    fastest = std::max(fastest, std::abs(pole));
  const auto is_split_zero = [&](const Complex& pole) {
    return pole.imag() == 0.0 && std::abs(pole) <= split * fastest &&
           std::ranges::any_of(*monolithic_poles, [&](const Complex& other) {
             return other.imag() == 0.0 && std::abs(other + pole) <= alike * std::abs(pole);
           });
  };
  for (const Complex& pole : monolithic_poles.value_or(std::vector<Complex>{})) {
    if (pole.imag() < 0.0 || std::abs(pole) <= rounding * fastest || is_split_zero(pole)) continue;
    if (pole.real() >= -rounding * std::abs(pole) && (!found || pole.real() > found->real())) found = pole;
  }
  return found;
}

double period_of(const coupling::Program& program) {
  return program.grid.step * static_cast<double>(program.hyper_period());
}

std::optional<StepModes> step_modes(const coupling::Program& program, const coupling::Memory& around,
                                    const EquationPoles& equations, double unsure) {
  std::string unheard;
  const auto step = transition(program, around, unheard);
  if (!step || !step->matrix.allFinite()) return std::nullopt;
  const Slow slow{unsure, unsure / period_of(program)};
  if (auto modes = plain_modes(*step, equations, slow)) return modes;
  std::vector<Complex> others = spectrum_of(step->matrix, equations, slow).others;
  const double radius = radius_of(others);
  return StepModes(radius, std::move(others));
}

std::optional<Stability> stability(const coupling::Program& program, const coupling::Memory& around,
                                   std::string& reason, double unsure) {
  const auto step = transition(program, around, reason);
  if (!step) return std::nullopt;
  return stability(*step, period_of(program), equation_poles(*program.assembly, program.grid.time(around.tick)), reason,
                   unsure);
}

std::optional<Stability> stability(const Transition& step, double period, const EquationPoles& equations,
                                   std::string& reason, double unsure) {
  if (!step.matrix.allFinite()) {
    reason = "a macro step multiplies a disturbance beyond all numbers";
    return std::nullopt;
  }
  Stability result;
  result.exactness = step.exactness;
  result.period = period;
  result.monolithic_poles = equations.all;
  result.monolithic_reason = equations.reason;
  Spectrum spectrum = spectrum_of(step.matrix, equations, {unsure, unsure / result.period});
  for (int i = 0; i < spectrum.ones; ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.structural.push_back({1.0, at < equations.kept.size() ? equations.kept[at]
                                      : equations.all            ? "free motion of the coupled equations"
                                                                 : "an equilibrium of the step that may lie anywhere"});
  }
  for (int i = 0; i < spectrum.standing; ++i)
    result.structural.push_back({1.0, "a motion so slow that the models cannot tell it from standing still"});
  result.eigenvalues = std::move(spectrum.others);
  result.spectral_radius = radius_of(result.eigenvalues);
  for (const Complex& z : result.eigenvalues) {
    if (z == Complex{}) {
      result.poles.emplace_back(std::nullopt);
    } else {
      result.poles.emplace_back(std::log(z) / result.period);
    }
  }
  result.eigenvalues.insert(result.eigenvalues.end(), static_cast<std::size_t>(spectrum.zeros), Complex{});
  result.poles.insert(result.poles.end(), static_cast<std::size_t>(spectrum.zeros), std::nullopt);
  return result;
}

}  // namespace seam::analysis
