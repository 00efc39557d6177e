// Co-simulation FMUs whose solver steps with the calls of the master, or in steps of its own: what analysis says of the
// plan's step and of others is what runs of the FMUs do.
#include <cmath>

#include "conformance/inner_solvers.hpp"
#include "seam/engine/predict/linear_models.hpp"
#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261118;

/// Logarithm of the growth a macro step, from the spread of every output in windows of a run; infinite if it diverges.
double measured_rate(const engine::System& system) {
  const engine::MemoryRun run = engine::run_in_memory(system, {}, {.kept = engine::Kept::ports});
  if (run.result.ending != stepping::Ending::completed) return std::numeric_limits<double>::infinity();
  constexpr std::size_t windows = 10, width = 1800, first = 2000;
  const auto& columns = run.table.columns;
  std::vector<double> sizes;
  for (std::size_t w = 0; w < windows; ++w) {
    double size = 0.0;
    for (std::size_t c = 1; c < columns.size(); ++c) {
      double sum = 0.0, squares = 0.0;
      for (std::size_t i = 0; i < width; ++i) {
        const double value = columns[c][first + w * width + i];
        sum += value;
        squares += value * value;
      }
      size += std::max(squares / width - sum * sum / (width * width), 0.0);
    }
    sizes.push_back(0.5 * std::log(std::max(size, 1e-300)));
  }
  if (sizes.front() < std::log(1e-12)) return -1.0;  // it has come to rest
  return (sizes.back() - sizes.front()) / (static_cast<double>(windows - 1) * width);
}

struct VerdictCount {
  int verdicts = 0, unknown = 0, unstable_somewhere = 0, stable_everywhere = 0, too_near = 0;
};

class InnerSolverVerdict : public InnerSolvers {
 protected:
  virtual Pair next(RandomPairs& random) const { return random.next(); }

  /// False where what is said of the radius is wrong. Rates below 1e-5 are not told from 0 by a run of this length.
  static bool agrees(const std::optional<double>& radius, double uncertainty, double rate, VerdictCount& counted) {
    ++counted.verdicts;
    if (!radius || !(std::abs(*radius - 1.0) > uncertainty)) {
      ++counted.unknown;
      return true;
    }
    if (std::abs(rate) < 1e-5) {
      ++counted.too_near;
      return true;
    }
    return (*radius < 1.0) == (rate < 0.0);
  }

  void check(int count) const {
    constexpr double factors[] = {0.25, 0.5, 2.0, 3.0, 4.0};
    RandomPairs random(seed);
    VerdictCount counted;
    for (int i = 0; i < count; ++i) {
      const Pair pair = next(random);
      const double step = pair.coupling.step;
      engine::OutlookRequest request;
      request.depth = engine::OutlookRequest::Depth::sweep;
      for (const double factor : factors) request.sweep.push_back(factor * step);
      const engine::System system = at_step(pair, step);
      const engine::Outlook outlook = look_ahead(system, request);
      const std::string which =
          fmt::format("pair {} ({}, {}, {}; solvers {} {}, {} {})", i, word(pair.coupling.kind), pair.coupling.coupling,
                      pair.coupling.schedule, pair.solvers[0].method, static_cast<int>(pair.solvers[0].steps),
                      pair.solvers[1].method, static_cast<int>(pair.solvers[1].steps));
      std::vector<double> rates = {measured_rate(system)};
      const auto radius =
          outlook.stability ? std::optional(outlook.stability->spectral_radius) : std::optional<double>();
      EXPECT_TRUE(agrees(radius, outlook.uncertainty, rates[0], counted))
          << which << " plan: " << *radius << " +- " << outlook.uncertainty << ", rate " << rates[0];
      for (const double factor : factors) rates.push_back(measured_rate(at_step(pair, factor * step)));
      for (std::size_t k = 0; k < std::size(factors); ++k) {
        const engine::SweepPoint point = k < outlook.sweep.size() ? outlook.sweep[k] : engine::SweepPoint{};
        EXPECT_TRUE(agrees(point.radius, point.uncertainty, rates[k + 1], counted))
            << which << " factor " << factors[k] << ": " << point.radius.value_or(0.0) << " +- " << point.uncertainty
            << ", rate " << rates[k + 1];
      }
      const bool unstable = std::ranges::any_of(rates, [](double rate) { return rate > 0.0; });
      ++(unstable ? counted.unstable_somewhere : counted.stable_everywhere);
    }
    fmt::print(
        "{} pairs, seed {}: {} verdicts, {} unknown, {} too near to 1 to be measured; {} pairs unstable at one of "
        "six steps, {} stable at all\n",
        count, seed, counted.verdicts, counted.unknown, counted.too_near, counted.unstable_somewhere,
        counted.stable_everywhere);
    EXPECT_LT(counted.unknown, 0.1 * counted.verdicts);
    EXPECT_LT(counted.too_near, 0.02 * counted.verdicts);
    EXPECT_GE(counted.unstable_somewhere, 0.3 * count);
    EXPECT_GE(counted.stable_everywhere, 0.3 * count);
  }
};
using InnerSolverVerdictSlow = InnerSolverVerdict;

class ShownSolverVerdict : public InnerSolverVerdict {
 protected:
  ShownSolverVerdict() { archive_ = "state-space-4-shown"; }
};
using ShownSolverVerdictSlow = ShownSolverVerdict;

/// FMUs shaped like those of 20-sim: steps from the rates of the last call, and a first call that begins at 0.
class KeptRatesVerdict : public InnerSolverVerdict {
 protected:
  Pair next(RandomPairs& random) const override {
    Pair pair = random.next();
    keep_rates(pair);
    pair.starts_at = 7.3 * pair.coupling.step;
    return pair;
  }
};
using KeptRatesVerdictSlow = KeptRatesVerdict;

// Calls longer than the solver's own step are all solved alike: only shorter ones show what the solver adds.
TEST_F(InnerSolvers, with_a_largest_step_are_told_from_their_equations) {
  RandomPairs random(seed + 1);
  int compared = 0;
  for (int n = 0; n < 12; ++n) {
    Pair pair = random.next();
    for (InnerSolver& solver : pair.solvers) solver = {5, InnerSolver::Steps::at_most};
    const auto models = engine::linear_models(opened(pair, {}), {});
    for (std::size_t i = 0; i < 2; ++i) {
      if (!models[i].equations || !models[i].solver_error) continue;
      const auto exact = lti::eigenvalues(pair.coupling.parts[i].A);
      for (const auto& pole : analysis::poles(*models[i].equations)) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const auto& one : exact) nearest = std::min(nearest, std::abs(one - pole) / std::max(std::abs(one), 1.0));
        EXPECT_LT(nearest, 2e-4) << n << " " << i << " " << pole << " of " << pair.coupling.parts[i].A;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 10);
}

TEST_F(InnerSolverVerdict, is_what_runs_of_the_fmus_do_at_six_steps) { check(10); }
TEST_F(ShownSolverVerdict, is_what_runs_of_the_fmus_do_at_six_steps) { check(10); }
TEST_F(ShownSolverVerdictSlow, is_what_runs_of_the_fmus_do_at_six_steps) { check(100); }
TEST_F(KeptRatesVerdict, is_what_runs_of_the_fmus_do_at_six_steps) { check(10); }
TEST_F(KeptRatesVerdictSlow, is_what_runs_of_the_fmus_do_at_six_steps) { check(100); }
TEST_F(InnerSolverVerdictSlow, is_what_runs_of_the_fmus_do_at_six_steps) { check(100); }

}  // namespace
}  // namespace seam::testing
