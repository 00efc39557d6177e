// Numbers of an independent reproduction of Haid et al. 2019 with run-time identification: NRMSE over 0.135 s.
#include <gtest/gtest.h>

#include <array>

#include "lti/dual_loop.hpp"

namespace seam::lti {
namespace {

constexpr std::array<double, 7> steps{0.5e-3, 1e-3, 1.5e-3, 2e-3, 2.5e-3, 3e-3, 4e-3};
constexpr std::array<int, 7> counts{270, 135, 90, 68, 54, 45, 34};
using Row = std::array<double, 7>;
using Damper = DualOscillator::Damper;

struct Setting {
  Damper damper;
  int samples;
  Correction correction = Correction::model_based;
  Pairing pairing = Pairing::right;
};

/// All columns with the settings of the reference.
Row nrmse_of(const Setting& setting) {
  Row row{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DualOscillator oscillator{setting.damper};
    DualLoop loop = oscillator.loop(steps[i], counts[i]);
    loop.keeper.shape.samples = setting.samples;
    // with macro samples the reference believes a fit of as many samples as unknowns
    loop.keeper.trust = Trust::at_once;
    loop.correction = setting.correction;
    loop.pairing = setting.pairing;
    row[i] = nrmse(loop.run(), oscillator.reference(steps[i], counts[i]));
  }
  return row;
}

void expect_row(const Row& found, const Row& reference, double tolerance) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(found[i], reference[i], tolerance * reference[i]) << "step " << steps[i];
  }
}

TEST(IdentifiedCorrection, without_any_is_the_hold) {
  expect_row(nrmse_of({Damper::linear, 1, Correction::none}), {0.5371, 1.6774, 3.9921, 8.0846, 13.169, 17.872, 20.743},
             1e-3);
}

TEST(IdentifiedCorrection, from_macro_samples_matches_the_reference) {
  expect_row(nrmse_of({Damper::linear, 1}), {0.0221, 0.0613, 0.1731, 0.3451, 0.7146, 0.9866, 4.2601}, 0.01);
}

TEST(IdentifiedCorrection, from_micro_samples_matches_the_reference) {
  expect_row(nrmse_of({Damper::linear, 3}), {0.0094, 0.0434, 0.1159, 0.2230, 0.3102, 0.4275, 1.7204}, 0.01);
  expect_row(nrmse_of({Damper::linear, 5}), {0.0087, 0.0375, 0.1061, 0.2191, 0.3067, 0.4219, 1.1679}, 0.01);
}

TEST(IdentifiedCorrection, of_a_damper_that_is_not_linear_matches_the_reference) {
  expect_row(nrmse_of({Damper::square_root, 3}), {0.0127, 0.0438, 0.0914, 0.1763, 0.2651, 0.4063, 2.2496}, 0.01);
  expect_row(nrmse_of({Damper::square_root, 5}), {0.0122, 0.0432, 0.1085, 0.1922, 0.2594, 0.3799, 1.8983}, 0.01);
}

TEST(IdentifiedCorrection, with_the_naive_pairing_is_worse_at_every_step) {
  const Row naive = nrmse_of({Damper::linear, 1, Correction::model_based, Pairing::naive});
  expect_row(naive, {0.0256, 0.0892, 0.2863, 0.5311, 0.8979, 1.1440, 13.484}, 0.01);
  const Row right = nrmse_of({Damper::linear, 1});
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_GT(naive[i], 1.1 * right[i]) << steps[i];
}

TEST(IdentifiedTracking, with_replay_is_at_or_below_the_reference) {
  const Row found = nrmse_of({Damper::linear, 5, Correction::tracking});
  const Row reference{0.0046, 0.0192, 0.0452, 0.0823, 0.1290, 0.1697, 0.2246};
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_LE(found[i], 1.01 * reference[i]) << steps[i];
}

// Without them, macro samples of the square-root damper give 8.14 at 0.5 ms, ten times the error of holding.
TEST(IdentifiedCorrection, with_all_safeguards_halves_the_error_of_holding_also_from_macro_samples) {
  for (const Damper damper : {Damper::linear, Damper::square_root}) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const DualOscillator oscillator{damper};
      const auto reference = oscillator.reference(steps[i], counts[i]);
      DualLoop holding = oscillator.loop(steps[i], counts[i]);
      holding.correction = Correction::none;
      DualLoop guarded = oscillator.loop(steps[i], counts[i]);
      guarded.kernel = Kernel::ramp;
      guarded.early_offset = EarlyOffset::while_changes_persist;
      EXPECT_LT(nrmse(guarded.run(), reference), 0.5 * nrmse(holding.run(), reference)) << steps[i];
    }
  }
}

}  // namespace
}  // namespace seam::lti
