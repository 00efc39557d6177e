// Plans that tune and auto write for FMUs with solvers of their own, run under the excitation that was assumed: the
// error is the one that was promised, wherever the search began.
#include "conformance/driven_pairs.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261119;
constexpr double target = 0.05;
constexpr int most_tones = 600;
constexpr base::Tick most_steps = 1'000'000;

/// The worst output of the FMUs that a connection reads, once the start has died away; none: that would take too long.
std::optional<double> measured_error(const engine::System& system, const Driven& driven, double radius) {
  const Watch watch = *driven.watch(radius, system.plan.step);
  if (watch.settling + watch.window > most_steps) return std::nullopt;
  const auto errors = settled_errors(system, driven.tones(), driven.exact, watch);
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  double worst = 0.0;
  for (const assembly::Wire& wire : live.assembly->wires) {
    if (wire.from < 2) worst = std::max(worst, errors[static_cast<std::size_t>(3 * wire.from + wire.output)]);
  }
  return worst;
}

/// What became of a plan.
struct Kept {
  std::string plan;
  double step = 0.0, promised = 0.0;
  std::optional<double> measured = {};  ///< none: that would take too long

  double ratio() const { return *measured / promised; }
};

class TunedFmus : public InnerSolvers {
 protected:
  virtual Driven next(RandomPairs& random, GridSolvers on_grids) const {
    return next_driven(random, 0.3, Drive::tone, on_grids);
  }

  engine::System at(const Driven& one, engine::Changes changes) const {
    if (!changes.stop) changes.stop = "1e9 s";
    return opened(one.pair, changes, one.additions());
  }

  /// By the plan that tune writes for a tone; none if it writes none.
  std::optional<Kept> tuned(const Driven& one) const {
    engine::TuneGoal goal;
    goal.error = target;
    goal.outlook.band = one.band;
    engine::Tuned found;
    try {
      found = tune(opened(one.pair, {}, one.additions()), goal);
    } catch (const base::ProblemsFound& problems) {
      fmt::print("refused: {}\n", problems.what());
      return std::nullopt;
    }
    engine::Changes changes;
    changes.plan_file = folder_.file("plan.yaml");
    formats::write_text(changes.plan_file, found.text);
    return Kept{found.coupling, found.step, found.error, measured_error(at(one, changes), one, found.radius)};
  }

  /// By the plan that auto chooses; its errors are expected over the band in which the coupled equations move.
  std::optional<Kept> chosen(const Driven& one) const {
    engine::Changes changes;
    changes.stop = fmt::format("{:.17g}", 1000.0 * one.pair.coupling.step);  // a five-hundredth is where it begins
    changes.step = fmt::format("auto,target={}", target);
    changes.coupling = "auto";
    try {
      const engine::System system = at(one, changes);
      return run_over_its_band(one, system, coupling::describe(system.plan.connections.front()));
    } catch (const base::ProblemsFound& problems) {
      fmt::print("refused: {}: {}\n", one.words(), problems.what());
      return std::nullopt;
    }
  }

  Kept run_over_its_band(Driven one, const engine::System& planned, const std::string& words) const {
    const engine::Outlook outlook = look_ahead(planned, {});
    Kept kept{words, planned.plan.step, outlook.accuracy ? outlook.accuracy->worst() : 0.0};
    EXPECT_TRUE(outlook.accuracy) << one.words() << outlook.accuracy_reason;
    if (!outlook.accuracy) return kept;
    one.band = outlook.band;
    const double decay = std::min(one.slowest, -std::log(outlook.stability->spectral_radius) / planned.plan.step);
    const double tones = 2.2 * std::numbers::pi * (one.band.to - one.band.from) / decay;
    one.tone_count = std::max(one.tone_count, static_cast<int>(std::ceil(std::min(tones, most_tones + 1.0))));
    if (one.tone_count > most_tones) return kept;  // a narrow resonance in a wide band
    find_answers(one);
    engine::System driven = at(one, {});
    driven.plan = planned.plan;
    kept.measured = measured_error(driven, one, outlook.stability->spectral_radius);
    return kept;
  }

  /// Refused are few: not every target can be reached with a solver of first order and a grid that is given.
  void check(const std::string& by, int count, double may_be_refused,
             std::optional<Kept> (TunedFmus::*plan)(const Driven&) const,
             GridSolvers on_grids = GridSolvers::accurate) const {
    RandomPairs random(seed);
    int plans = 0, beyond = 0, refused = 0;
    double worst = 0.0;
    while (plans + refused < count) {
      const Driven one = next(random, on_grids);
      const auto kept = (this->*plan)(one);
      if (kept && !kept->measured) continue;
      ++(kept ? plans : refused);
      if (!kept) continue;
      EXPECT_LE(kept->promised, target) << one.words();
      EXPECT_LT(kept->ratio(), 2.0) << fmt::format("{}: {} at {} s, {:.3g} to {:.3g} Hz", one.words(), kept->plan,
                                                   kept->step, one.band.from, one.band.to);
      worst = std::max(worst, kept->ratio());
      beyond += kept->ratio() > 1.3 ? 1 : 0;
    }
    fmt::print("{}: {} plans, {} refused, seed {}: measured by promised error at most {:.3f}, {} beyond 1.3\n", by,
               plans, refused, seed, worst, beyond);
    EXPECT_LE(beyond, 0.05 * plans);
    EXPECT_LE(refused, may_be_refused * count);
  }
  void check_tune(int count) const { check("tune", count, 0.1, &TunedFmus::tuned); }
  /// Many are refused: a probe tells nothing of calls that end between two points of a grid.
  void check_off_grids(int count) const {
    check("tune, off grids", count, 0.7, &TunedFmus::tuned, GridSolvers::off_their_grids);
  }
  void check_auto(int count) const { check("auto", count, 0.3, &TunedFmus::chosen); }

  /// Steps that the search finds from other plans and stop times.
  void check_starts(int count) const {
    RandomPairs random(seed);
    double furthest = 0.0;
    for (int n = 0; n < count; ++n) {
      Driven one = next_driven(random, 0.3, Drive::tone);
      one.pair.fits_grids = false;  // other steps are no multiples of their micro steps
      for (InnerSolver& solver : one.pair.solvers) solver.steps = InnerSolver::Steps::of_the_call;
      const auto usual = chosen(one);
      if (!usual) continue;
      if (usual->measured) {
        EXPECT_LT(usual->ratio(), 2.0) << one.words();
      }
      const auto compare = [&](double step, const std::string& from) {
        EXPECT_NEAR(step, usual->step, 0.05 * usual->step) << one.words() << ": " << from;
        furthest = std::max(furthest, std::abs(step / usual->step - 1.0));
      };
      for (const double factor : {0.1, 0.2, 0.4, 0.7, 1.5, 3.0, 6.0, 12.0}) {
        engine::Changes changes;
        changes.step = fmt::format("{:.17g}", factor * one.pair.coupling.step);
        engine::TuneGoal goal;
        goal.error = target;
        compare(tune(at(one, changes), goal).step, fmt::format("tune from {} times the step", factor));
      }
      for (const double factor : {10.0, 30.0, 100.0, 297.0, 1e3, 2970.0, 1e4, 1e5}) {
        engine::Changes changes;
        changes.stop = fmt::format("{:.17g}", factor * one.pair.coupling.step);
        changes.step = fmt::format("auto,target={}", target);
        changes.coupling = "auto";
        compare(at(one, changes).plan.step, fmt::format("auto with a stop time of {} steps", factor));
      }
    }
    fmt::print("{} pairs from 16 starts each: steps at most {:.1f} % apart\n", count, 100.0 * furthest);
  }
};
using TunedFmusSlow = TunedFmus;

/// FMUs shaped like those of 20-sim.
class TunedKeptRates : public TunedFmus {
 protected:
  Driven next(RandomPairs& random, GridSolvers on_grids) const override {
    Driven driven = TunedFmus::next(random, on_grids);
    keep_rates(driven.pair);
    return driven;
  }
};
using TunedKeptRatesSlow = TunedKeptRates;

TEST_F(TunedFmus, keep_the_error_that_was_promised) { check_tune(10); }
TEST_F(TunedFmusSlow, keep_the_error_that_was_promised) { check_tune(100); }
TEST_F(TunedFmus, of_solvers_on_grids_that_no_step_fits_keep_the_error_that_was_promised) { check_off_grids(5); }
TEST_F(TunedFmusSlow, of_solvers_on_grids_that_no_step_fits_keep_the_error_that_was_promised) { check_off_grids(40); }
TEST_F(TunedFmus, by_auto_keep_the_error_that_was_promised) { check_auto(5); }
TEST_F(TunedFmusSlow, by_auto_keep_the_error_that_was_promised) { check_auto(100); }
TEST_F(TunedKeptRates, keep_the_error_that_was_promised) { check_tune(3); }
TEST_F(TunedKeptRatesSlow, keep_the_error_that_was_promised) { check_tune(40); }
TEST_F(TunedFmus, have_the_same_step_wherever_the_search_begins) { check_starts(1); }
TEST_F(TunedFmusSlow, have_the_same_step_wherever_the_search_begins) { check_starts(10); }

}  // namespace
}  // namespace seam::testing
