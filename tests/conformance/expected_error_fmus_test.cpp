// The error that is expected of black boxes with solvers of their own, beside the error of the run: random pairs of
// FMUs under a tone, over the couplings, correctors, schedules and steps of the catalog.
#include <fmt/format.h>

#include "conformance/driven_pairs.hpp"
#include "conformance/every_method.hpp"
#include "seam/analysis/complete_compensators.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/outlook.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261120;

class ExpectedErrorOfFmus : public InnerSolvers {
 protected:
  struct Tally {
    int systems = 0, unknown = 0, outputs = 0, beyond_tenth = 0;
    double worst = 0.0;
    std::string worst_case;
  };

  void compare(const Way& way, const Driven& one, Tally& tally) const {
    engine::Changes changes;
    changes.stop = "1e9 s";
    engine::System system = with(opened(one.pair, changes, one.additions()), way);
    base::Problems problems;
    analysis::complete_compensators(system.description, system.plan, problems);
    base::require_none(problems);
    engine::OutlookRequest request;
    request.band = one.band;
    request.depth = engine::OutlookRequest::Depth::plan;
    engine::Outlook outlook;
    try {
      outlook = look_ahead(system, request);
    } catch (const base::ProblemsFound&) {
      return;  // this corrector or filter does not go with black boxes
    }
    if (!outlook.stability || outlook.stability->spectral_radius > 0.99) return;
    if (!outlook.accuracy) {
      ++tally.unknown;
      return;
    }
    const auto watch = one.watch(outlook.stability->spectral_radius, outlook.stability->period);
    if (!watch) return;
    ++tally.systems;
    const auto measured = settled_errors(system, one.tones(), one.exact, *watch);
    for (std::size_t i = 0; i < 6; ++i) {  // of the FMUs
      const std::string& name = outlook.accuracy->output_names[i];
      const double expected = std::ranges::find(outlook.accuracy->outputs, name, &analysis::NamedError::name)->error;
      if (std::isnan(expected) || !(measured[i] > 1e-9)) continue;  // no connection reads it
      ++tally.outputs;
      const double off = std::abs(expected / measured[i] - 1.0);
      if (!(off <= 0.1)) ++tally.beyond_tenth;
      if (off <= tally.worst) continue;
      tally.worst = off;
      tally.worst_case = fmt::format("{}: {} of {} expected {:.4g}, measured {:.4g}", way.name, name, one.words(),
                                     expected, measured[i]);
    }
  }

  void check(Drive drive, std::size_t part, int least) const {
    std::vector<Way> ways = ways_without_corrector();
    const std::vector<Way> corrected = ways_with(all_correctors());
    ways.insert(ways.end(), corrected.begin(), corrected.end());
    RandomPairs random(seed);
    Tally tally;
    for (std::size_t n = 0; n < ways.size(); n += part) {
      compare(ways[n], next_driven(random, 0.2, drive, on_grids_), tally);
    }
    fmt::print("{} systems, {} outputs, {} unknown, seed {}: {} beyond 10 %, worst {:.2g}: {}\n", tally.systems,
               tally.outputs, tally.unknown, seed, tally.beyond_tenth, tally.worst, tally.worst_case);
    EXPECT_GE(tally.systems, least);
    EXPECT_LE(tally.worst, 0.3) << tally.worst_case;
    EXPECT_LE(tally.beyond_tenth, 0.05 * tally.outputs) << tally.worst_case;
  }

  GridSolvers on_grids_ = GridSolvers::accurate;
};
using ExpectedErrorOfFmusSlow = ExpectedErrorOfFmus;

class ExpectedErrorOfShownFmus : public ExpectedErrorOfFmus {
 protected:
  ExpectedErrorOfShownFmus() {
    archive_ = "state-space-4-shown";
    on_grids_ = GridSolvers::any;
  }
};
using ExpectedErrorOfShownFmusSlow = ExpectedErrorOfShownFmus;

TEST_F(ExpectedErrorOfFmus, is_that_of_the_run_for_some_ways_of_the_catalog) { check(Drive::tone, 53, 2); }
TEST_F(ExpectedErrorOfFmus, over_a_band_is_that_of_the_run_under_a_multisine) { check(Drive::multisine, 131, 1); }
TEST_F(ExpectedErrorOfShownFmus, counts_what_solvers_with_fixed_steps_add) { check(Drive::tone, 61, 2); }
TEST_F(ExpectedErrorOfShownFmusSlow, counts_what_solvers_with_fixed_steps_add) { check(Drive::tone, 1, 50); }
TEST_F(ExpectedErrorOfFmusSlow, is_that_of_the_run_for_every_way_of_the_catalog) { check(Drive::tone, 1, 50); }
TEST_F(ExpectedErrorOfFmusSlow, over_a_band_is_that_of_the_run_under_a_multisine) { check(Drive::multisine, 2, 25); }

}  // namespace
}  // namespace seam::testing
