// Plans that tune writes for FMUs with solvers of their own, run under the excitation that was assumed: the error is
// the one that was promised.
#include "conformance/driven_pairs.hpp"
#include "seam/base/error.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261119;

/// The worst output of the FMUs that a connection reads, once the start has died away.
double measured_error(const engine::System& system, const Driven& driven, double radius) {
  const auto errors = settled_errors(system, driven.tones(), driven.exact, *driven.watch(radius, system.plan.step));
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  double worst = 0.0;
  for (const assembly::Wire& wire : live.assembly->wires) {
    if (wire.from < 2) worst = std::max(worst, errors[static_cast<std::size_t>(3 * wire.from + wire.output)]);
  }
  return worst;
}

class TunedFmus : public InnerSolvers {
 protected:
  /// Measured by promised error of the plan that is written; none if none is.
  std::optional<double> ratio_of(const Driven& one) const {
    engine::TuneGoal goal;
    goal.error = 0.05;
    goal.outlook.band = one.band;
    engine::Tuned tuned;
    try {
      tuned = tune(opened(one.pair, {}, one.additions()), goal);
    } catch (const base::ProblemsFound& found) {
      fmt::print("refused: {}\n", found.what());
      return std::nullopt;
    }
    EXPECT_LE(tuned.error, *goal.error);
    engine::Changes changes;
    changes.plan_file = folder_.file("plan.yaml");
    changes.stop = "1e9 s";
    formats::write_text(changes.plan_file, tuned.text);
    const double ratio = measured_error(opened(one.pair, changes, one.additions()), one, tuned.radius) / tuned.error;
    EXPECT_LT(ratio, 2.0) << fmt::format("{}: {} at {} s, {:.3g} Hz", one.words(), tuned.coupling, tuned.step,
                                         one.band.to);
    return ratio;
  }

  void check(int count) const {
    RandomPairs random(seed);
    int plans = 0, beyond = 0, refused = 0;
    double worst = 0.0;
    while (plans + refused < count) {
      const auto ratio = ratio_of(next_driven(random, 0.3, Drive::tone));
      ++(ratio ? plans : refused);
      worst = std::max(worst, ratio.value_or(0.0));
      beyond += ratio.value_or(0.0) > 1.3 ? 1 : 0;
    }
    fmt::print("{} plans, {} refused, seed {}: measured by promised error at most {:.3f}, {} beyond 1.3\n", plans,
               refused, seed, worst, beyond);
    EXPECT_LE(beyond, 0.05 * plans);
    EXPECT_LE(refused, 0.1 * count);
  }
};
using TunedFmusSlow = TunedFmus;

TEST_F(TunedFmus, keep_the_error_that_was_promised) { check(10); }
TEST_F(TunedFmusSlow, keep_the_error_that_was_promised) { check(40); }

}  // namespace
}  // namespace seam::testing
