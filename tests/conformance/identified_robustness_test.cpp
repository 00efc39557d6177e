// Random systems of two masses, displacement and velocity against force, two periods of the slowest mode, start-up
// included, run by the engine: what correctors with identified models make of them beside holding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "seam/engine/predict/outlook.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/run/memory_run.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/record/compare.hpp"

namespace seam {
namespace {

/// Each mass has a spring and a damper to the ground, and both lie between them (ranges of Chen et al. 2021).
class RandomDual {
 public:
  explicit RandomDual(std::mt19937_64& random) {
    const auto within = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    const auto up_to = [&](double most) { return within(1e-9, most); };
    m1_ = up_to(10), m2_ = up_to(10), k1_ = up_to(1000), k2_ = up_to(1000), kc_ = up_to(1000);
    d1_ = up_to(1.3) * std::sqrt(m1_ * k1_), d2_ = 2.0 * up_to(1.3) * std::sqrt(m2_ * k2_), dc_ = up_to(d1_);
    const lti::Matrix A{{0.0, 1.0, 0.0, 0.0},
                        {-(k1_ + kc_) / m1_, -(d1_ + dc_) / m1_, kc_ / m1_, dc_ / m1_},
                        {0.0, 0.0, 0.0, 1.0},
                        {kc_ / m2_, dc_ / m2_, -(k2_ + kc_) / m2_, -(d2_ + dc_) / m2_}};
    for (const auto& pole : lti::eigenvalues(A)) {
      fastest_ = std::max(fastest_, std::abs(pole));
      slowest_ = std::min(slowest_, std::abs(pole));
    }
    x1_ = within(-1, 1), x2_ = within(-1, 1), v1_ = slowest_ * within(-1, 1), v2_ = slowest_ * within(-1, 1);
  }

  engine::System system(double omega_H, const std::string& corrector) const {
    const double H = omega_H / fastest_;
    const double steps = std::ceil(4.0 * M_PI / (slowest_ * H));
    return engine::open_text(
        fmt::format("seam: 1\nsubsystems:\n"
                    "  a: {{model: mass-chain, set: {{masses: [{}], to_ground: {{k: {}, d: {}}}, x0: [{}], v0: [{}], "
                    "coupling: {{kind: spring, k: {}, d: {}}}}}}}\n"
                    "  b: {{model: mass-chain, set: {{masses: [{}], to_ground: {{k: {}, d: {}}}, x0: [{}], v0: [{}], "
                    "coupling: {{kind: force}}}}}}\n"
                    "connections: [a.F -> b.F_in, b.x1 -> a.x_in, b.v1 -> a.v_in]\n"
                    "experiment: {{stop: {}}}\nplan: {{step: {}, coupling: zoh, corrector: {}}}\n"
                    "record: {{variables: [\"*.inputs\"]}}\n",
                    m1_, k1_, d1_, x1_, v1_, kc_, dc_, m2_, k2_, d2_, x2_, v2_, steps * H, H, corrector),
        "dual.yaml", {});
  }

 private:
  double m1_, m2_, k1_, k2_, kc_, d1_, d2_, dc_, x1_ = 0.0, x2_ = 0.0, v1_ = 0.0, v2_ = 0.0;
  double fastest_ = 0.0, slowest_ = INFINITY;
};

double error(const engine::System& system, const formats::Table& reference) {
  const engine::MemoryRun run = engine::run_in_memory(system, {});
  if (run.result.ending != stepping::Ending::completed) return INFINITY;
  base::Problems problems;
  const record::Comparison comparison = record::compare(run.table, reference, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return comparison.overall_deviation.value_or(NAN);
}

struct Tally {
  int stable = 0, better = 0;
  double worst = 0.0;
};

/// Of all methods over so many systems, at one omega H.
std::vector<Tally> tally(double omega_H, int count, const std::vector<std::string>& correctors) {
  std::mt19937_64 random(2019);
  std::vector<Tally> tallies(correctors.size());
  for (int i = 0; i < count; ++i) {
    const RandomDual dual(random);
    const engine::System holding = dual.system(omega_H, "none");
    if (!engine::analyse(holding).stable()) continue;
    const formats::Table reference = engine::reference_in_memory(holding, {}, {}).table;
    const double of_holding = error(holding, reference);
    for (std::size_t m = 0; m < correctors.size(); ++m) {
      const double ratio = error(dual.system(omega_H, correctors[m]), reference) / of_holding;
      ++tallies[m].stable;
      tallies[m].better += ratio < 1.0 ? 1 : 0;
      tallies[m].worst = std::isfinite(ratio) ? std::max(tallies[m].worst, ratio) : INFINITY;
    }
  }
  return tallies;
}

void expect_robust(int count) {
  const std::vector<std::string> correctors{"{mbcorr: {model: identified, order: 2, kernel: ramp}}",
                                            "{mbcorr: {model: identified, order: 2, kernel: ramp, micro_outputs: 3}}",
                                            "{mbcorr: {model: identified, order: 2, kernel: ramp, micro_outputs: 5}}",
                                            "{tracking: {model: identified, order: 2}}",
                                            "{tracking: {model: identified, order: 2, micro_outputs: 5}}"};
  std::vector<Tally> all(correctors.size());
  std::printf("%d random pairs, seed 2019\n", count);
  for (const double omega_H : {0.05, 0.15, 0.4, 0.8}) {
    const std::vector<Tally> here = tally(omega_H, count, correctors);
    for (std::size_t m = 0; m < correctors.size(); ++m) {
      std::printf("omega H %.2f  %-75s %4d stable, better in %5.1f %%, at worst %.2f of holding\n", omega_H,
                  correctors[m].c_str(), here[m].stable, 100.0 * here[m].better / here[m].stable, here[m].worst);
      EXPECT_LE(here[m].worst, 1.5) << correctors[m] << " at " << omega_H;
      all[m].stable += here[m].stable;
      all[m].better += here[m].better;
    }
  }
  for (std::size_t m = 0; m < correctors.size(); ++m) EXPECT_GE(all[m].better, 0.9 * all[m].stable) << correctors[m];
}

TEST(IdentifiedRobustness, of_random_pairs_is_never_much_worse_than_holding_and_mostly_better) { expect_robust(5); }

TEST(IdentifiedRobustnessSlow, of_random_pairs_is_never_much_worse_than_holding_and_mostly_better) {
  expect_robust(300);
}

}  // namespace
}  // namespace seam
