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

/// Of the first six outputs, those of the two FMUs, once the start has died away.
std::vector<double> measured_errors(const engine::System& system, double frequency, const Eigen::VectorXcd& exact,
                                    double radius) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  const coupling::Program& program = live.program;
  coupling::Memory memory = coupling::start(program);
  const auto settled = static_cast<base::Tick>(std::ceil(-20.0 / std::log(std::max(radius, 0.3))));
  coupling::advance(program, memory, settled * program.hyper_period());
  const auto window = static_cast<base::Tick>(std::ceil(200.0 / (frequency * program.grid.step)));
  std::vector<double> errors(6, 0.0), sizes(6, 0.0);
  for (base::Tick n = 0; n < window; ++n) {
    coupling::advance(program, memory, 1);
    const Complex turn = std::polar(1.0, 2.0 * std::numbers::pi * frequency * program.grid.time(memory.tick));
    for (std::size_t i = 0; i < 6; ++i) {
      if (memory.tick % system.plan.subsystems[i / 3].multiple != 0) continue;
      const double wanted = (exact(static_cast<Eigen::Index>(i)) * turn).imag();
      const auto place = program.output_place(static_cast<int>(i / 3), static_cast<int>(i % 3));
      errors[i] += std::pow(memory.values[static_cast<std::size_t>(place)] - wanted, 2);
      sizes[i] += wanted * wanted;
    }
  }
  for (std::size_t i = 0; i < 6; ++i) errors[i] = sizes[i] > 0.0 ? std::sqrt(errors[i] / sizes[i]) : 0.0;
  return errors;
}

class ExpectedErrorOfFmus : public InnerSolvers {
 protected:
  struct Tally {
    int systems = 0, unknown = 0, outputs = 0, beyond_tenth = 0;
    double worst = 0.0;
    std::string worst_case;
  };

  void compare(const Way& way, const Driven& one, const Eigen::VectorXcd& exact, Tally& tally) const {
    engine::Changes changes;
    changes.stop = "1e9 s";
    engine::System system = with(opened(one.pair, changes, one.additions()), way);
    base::Problems problems;
    analysis::complete_compensators(system.description, system.plan, problems);
    base::require_none(problems);
    engine::OutlookRequest request;
    request.band = analysis::Band{one.frequency, one.frequency};
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
    ++tally.systems;
    const auto measured = measured_errors(system, one.frequency, exact, outlook.stability->spectral_radius);
    for (std::size_t i = 0; i < 6; ++i) {
      const double expected = outlook.accuracy->curve.front().of_outputs[i];
      if (std::isnan(expected) || !(measured[i] > 1e-9)) continue;  // no connection reads it
      ++tally.outputs;
      const double off = std::abs(expected / measured[i] - 1.0);
      if (!(off <= 0.1)) ++tally.beyond_tenth;
      if (off <= tally.worst) continue;
      tally.worst = off;
      tally.worst_case =
          fmt::format("{}: {} of {} (solvers {} {}, {} {}) expected {:.4g}, measured {:.4g}", way.name,
                      outlook.accuracy->output_names[i], word(one.pair.coupling.kind), one.pair.solvers[0].method,
                      static_cast<int>(one.pair.solvers[0].steps), one.pair.solvers[1].method,
                      static_cast<int>(one.pair.solvers[1].steps), expected, measured[i]);
    }
  }

  void check(std::size_t part, int least) const {
    std::vector<Way> ways = ways_without_corrector();
    const std::vector<Way> corrected = ways_with(all_correctors());
    ways.insert(ways.end(), corrected.begin(), corrected.end());
    RandomPairs random(seed);
    Tally tally;
    for (std::size_t n = 0; n < ways.size(); n += part) {
      std::optional<Driven> one;
      std::optional<Eigen::VectorXcd> exact;
      while (!exact) {
        one = driven(random.next(), 0.2);
        exact = one ? exact_answer(*one) : std::nullopt;
      }
      compare(ways[n], *one, *exact, tally);
    }
    fmt::print("{} systems, {} outputs, {} unknown, seed {}: {} beyond 10 %, worst {:.2g}: {}\n", tally.systems,
               tally.outputs, tally.unknown, seed, tally.beyond_tenth, tally.worst, tally.worst_case);
    EXPECT_GE(tally.systems, least);
    EXPECT_LE(tally.worst, 0.3) << tally.worst_case;
    EXPECT_LE(tally.beyond_tenth, 0.05 * tally.outputs) << tally.worst_case;
  }
};
using ExpectedErrorOfFmusSlow = ExpectedErrorOfFmus;

TEST_F(ExpectedErrorOfFmus, is_that_of_the_run_for_some_ways_of_the_catalog) { check(40, 2); }
TEST_F(ExpectedErrorOfFmusSlow, is_that_of_the_run_for_every_way_of_the_catalog) { check(1, 50); }

}  // namespace
}  // namespace seam::testing
