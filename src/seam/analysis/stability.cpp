#include "seam/analysis/stability.hpp"

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

struct ZeroPoles {
  int count = 0;
  std::vector<std::string> meanings;
};

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
ZeroPoles zero_poles(const MonolithicModel& model) {
  ZeroPoles result;
  const lti::Balanced balanced = lti::balance(model.system.A);
  result.count = lti::deflate(balanced.matrix, 0.0, static_cast<int>(balanced.matrix.rows()), 1e-12).removed;
  // Left null vectors of the balanced matrix D^-1 A D are D w.
  const lti::Matrix left = lti::null_space(balanced.matrix.transpose(), 1e-12);
  const lti::Matrix A = without_rounding(balanced.matrix);
  for (Eigen::Index i = 0; i < left.cols(); ++i) {
    if (!vanishes(left.col(i), A)) return {};  // small beside a fast mode is not zero
    const lti::Vector w = left.col(i).cwiseQuotient(balanced.scale);
    result.meanings.push_back(conserved(w, model.state_names));
  }
  return result;
}

/// Takes away, at most as often as the coupled equations stand still, eigenvalues that cannot be told from 1.
int take_standing(std::vector<Complex>& eigenvalues, const Stability& known, double unsure) {
  auto count = static_cast<std::ptrdiff_t>(eigenvalues.size());
  if (known.monolithic_poles) {
    const auto& poles = *known.monolithic_poles;
    count = std::count_if(poles.begin(), poles.end(),
                          [&](const Complex& pole) { return std::abs(pole) * known.period <= unsure; }) -
            static_cast<std::ptrdiff_t>(known.structural.size());
  }
  int taken = 0;
  for (; taken < count; ++taken) {
    const auto nearest =
        std::min_element(eigenvalues.begin(), eigenvalues.end(),
                         [](const Complex& a, const Complex& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    if (nearest == eigenvalues.end() || std::abs(*nearest - 1.0) > unsure) break;
    eigenvalues.erase(nearest);
  }
  return taken;
}

}  // namespace

std::optional<Stability> stability(const coupling::Program& program, const coupling::Memory& around,
                                   std::string& reason, double unsure) {
  const auto step = transition(program, around, reason);
  if (!step) return std::nullopt;
  if (!step->matrix.allFinite()) {
    reason = "a macro step multiplies a disturbance beyond all numbers";
    return std::nullopt;
  }
  Stability result;
  result.exactness = step->exactness;

  // Without the coupled equations to compare with, every eigenvalue that is exactly 1 counts as an equilibrium that may
  // lie anywhere.
  ZeroPoles at_zero{static_cast<int>(step->matrix.rows()), {}};
  const auto whole = monolithic_model(*program.assembly, program.grid.time(around.tick), result.monolithic_reason);
  if (whole) {
    result.monolithic_poles = lti::eigenvalues(whole->system.A);
    at_zero = zero_poles(*whole);
  }
  const lti::Balanced balanced = lti::balance(step->matrix);
  // Samples that are shifted out leave eigenvalues that are exactly 0, often in chains that a solver would smear.
  const auto nonzero = lti::deflate(balanced.matrix, 0.0, static_cast<int>(balanced.matrix.rows()), zero_tolerance);
  const auto rest = lti::deflate(nonzero.remainder, 1.0, at_zero.count, one_tolerance);
  for (int i = 0; i < rest.removed; ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.structural.push_back({1.0, at < at_zero.meanings.size() ? at_zero.meanings[at]
                                      : whole                      ? "free motion of the coupled equations"
                                              : "an equilibrium of the step that may lie anywhere"});
  }
  result.period = program.grid.step * static_cast<double>(program.hyper_period());
  result.eigenvalues = lti::eigenvalues(rest.remainder);
  for (int taken = take_standing(result.eigenvalues, result, unsure); taken > 0; --taken)
    result.structural.push_back({1.0, "a motion so slow that the models cannot tell it from standing still"});
  result.spectral_radius = result.eigenvalues.empty() ? 0.0 : std::abs(result.eigenvalues.front());
  for (const Complex& z : result.eigenvalues) {
    if (z == Complex{}) {
      result.poles.emplace_back(std::nullopt);
    } else {
      result.poles.emplace_back(std::log(z) / result.period);
    }
  }
  result.eigenvalues.insert(result.eigenvalues.end(), static_cast<std::size_t>(nonzero.removed), Complex{});
  result.poles.insert(result.poles.end(), static_cast<std::size_t>(nonzero.removed), std::nullopt);
  return result;
}

}  // namespace seam::analysis
