// Plans that tune writes for FMUs with solvers of their own, run under the excitation that was assumed: the error is
// the one that was promised.
#include <cmath>
#include <complex>
#include <numbers>

#include "conformance/driven_pairs.hpp"
#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::testing {
namespace {

constexpr std::uint64_t seed = 20261119;

/// The worst output of the FMUs that a connection reads, once the start has died away.
double measured_error(const engine::System& system, const Driven& driven, const Eigen::VectorXcd& exact,
                      double radius) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  const coupling::Program& program = live.program;
  coupling::Memory memory = coupling::start(program);
  const double period = 1.0 / driven.frequency;
  const auto settled = static_cast<base::Tick>(std::ceil(-15.0 / std::log(std::max(radius, 0.5))));
  coupling::advance(program, memory, settled);
  const auto window = static_cast<base::Tick>(std::round(200.0 * period / program.grid.step));
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(6), sizes = errors;
  for (base::Tick n = 0; n < window; ++n) {
    coupling::advance(program, memory, 1);
    const Complex turn = std::polar(1.0, 2.0 * std::numbers::pi * driven.frequency * program.grid.time(memory.tick));
    for (int i = 0; i < 6; ++i) {
      const double wanted = (exact(i) * turn).imag();
      const auto place = static_cast<std::size_t>(program.output_place(i / 3, i % 3));
      errors(i) += std::pow(memory.values[place] - wanted, 2);
      sizes(i) += wanted * wanted;
    }
  }
  double worst = 0.0;
  for (int i = 0; i < 6; ++i) {
    const auto& wires = live.assembly->wires;
    const bool read = std::ranges::any_of(
        wires, [&](const assembly::Wire& wire) { return wire.from == i / 3 && wire.output == i % 3; });
    if (read && sizes(i) > 0.0) worst = std::max(worst, std::sqrt(errors(i) / sizes(i)));
  }
  return worst;
}

class TunedFmus : public InnerSolvers {
 protected:
  /// Measured by promised error of the plan that is written; none if none is.
  std::optional<double> ratio_of(const Driven& one, const Eigen::VectorXcd& exact) const {
    engine::TuneGoal goal;
    goal.error = 0.05;
    goal.outlook.band = analysis::Band{one.frequency, one.frequency};
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
    const double ratio =
        measured_error(opened(one.pair, changes, one.additions()), one, exact, tuned.radius) / tuned.error;
    EXPECT_LT(ratio, 2.0) << fmt::format(
        "{}, {}; solvers {} {}, {} {}: {} at {} s, {:.3g} Hz", word(one.pair.coupling.kind), one.pair.coupling.schedule,
        one.pair.solvers[0].method, static_cast<int>(one.pair.solvers[0].steps), one.pair.solvers[1].method,
        static_cast<int>(one.pair.solvers[1].steps), tuned.coupling, tuned.step, one.frequency);
    return ratio;
  }

  void check(int count) const {
    RandomPairs random(seed);
    int plans = 0, beyond = 0, refused = 0;
    double worst = 0.0;
    while (plans + refused < count) {
      const auto one = driven(random.next(), 0.3);
      const auto exact = one ? exact_answer(*one) : std::nullopt;
      if (!exact) continue;
      const auto ratio = ratio_of(*one, *exact);
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
