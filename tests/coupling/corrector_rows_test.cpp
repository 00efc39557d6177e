// The tables of Haid et al. 2019 as an independent reproduction of the paper found them.
#include <sstream>

#include "coupling/dual_oscillator.hpp"
#include "seam/analysis/stability.hpp"

namespace seam::coupling {
namespace {

struct Row {
  std::string plan, printed;
  Scored scored = Scored::what_sinks_got;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::istringstream numbers(row.printed);
    std::string seen;
    for (int column = 0; column < 7; ++column) {
      std::string printed;
      numbers >> printed;
      const double value = score(row.plan, column, row.scored);
      seen += fmt::format(" {:.5g}", value);
      expect_printed(printed, value, fmt::format("{} at {} ms", row.plan, table_steps[column]));
    }
    std::printf("%-70s%s\n", row.plan.c_str(), seen.c_str());
  }
}

const std::string zoh = "coupling: zoh, corrector: ", foh = "coupling: foh, corrector: ";

TEST(CorrectorRows, holds_alone) {
  expect_rows({{"coupling: zoh", "0.5371 1.6774 3.9921 8.0846 13.169 17.872 20.743"},
               {"coupling: foh", "0.0607 0.2532 0.6503 1.6681 7.2077 55.133 1036.8"}});
}

TEST(CorrectorRows, plc) {
  expect_rows({{zoh + "plc", "0.1345 0.3014 0.5096 0.7745 1.0869 1.4591 2.4828"},
               {foh + "plc", "0.0175 0.0695 0.1569 0.2856 0.4666 0.7305 1.7911"}});
}

TEST(CorrectorRows, nepce_with_feedthrough) {
  expect_rows({{zoh + "{nepce: {residual: printed}}", "0.2753 0.6919 1.3235 2.2962 3.7339 24.302 8.8603"},
               {zoh + "{nepce: {residual: plain}}", "0.0476 0.1812 0.4477 1.0085 2.6107 9.1541 101.91"},
               {zoh + "nepce", "0.1445 0.3419 0.6419 1.1876 2.3457 5.2308 28.559"}});
}

TEST(CorrectorRows, mbcorr) {
  expect_rows(
      {{zoh + "{mbcorr: {residual: printed}}", "0.0345 0.0828 0.1480 0.2336 0.3894 0.8068 0.5761"},
       {zoh + "{mbcorr: {residual: plain}}", "0.1113 0.2040 0.3031 0.4350 0.5991 0.8748 3.2971"},
       {zoh + "{mbcorr: {residual: plain, feedthrough: ignored}}", "0.0142 0.0638 0.1646 0.3308 0.5615 0.9148 2.3417"},
       {zoh + "mbcorr", "0.0094 0.0408 0.1085 0.2184 0.2963 0.3813 0.8405"},
       {zoh + "{mbcorr: {alpha: 0}}", "0.1404 0.3371 0.6173 1.0090 1.4688 1.9616 2.9060"}});
}

TEST(CorrectorRows, mbcorr_with_other_kernels_and_shares) {
  expect_rows({{zoh + "{mbcorr: {kernel: ramp}}", ".0090 .0358 .0821 .1496 .2275 .3145 .6097"},
               {foh + "{mbcorr: {kernel: ramp, residual: printed}}", ".0031 .0153 .0425 .0981 .284 4.42 .804"},
               {zoh + "{mbcorr: {residual: printed, alpha: 0.9}}", ".0378 .0893 .158 .245 .390 .449 .556"},
               {zoh + "{mbcorr: {alpha: 1.25}}", ".0093 .0395 .102 .237 .334 .376 .641"}});
}

TEST(CorrectorRows, tracking) {
  const std::string linear = zoh + "{tracking: {input: linear, offset: none}}";
  const std::string quadratic = zoh + "{tracking: {offset: none}}";
  const std::string fine_linear = zoh + "{tracking: {input: linear, offset: none, micro_outputs: 5}}";
  const std::string fine_quadratic = zoh + "{tracking: {offset: none, micro_outputs: 5}}";
  expect_rows({{linear, "0.00440 0.01768 0.04001 0.07197 0.1136 0.1651 0.3771"},
               {quadratic, "0.00051 0.00394 0.01282 0.02979 0.0579 0.1015 0.3342"},
               {fine_linear, "0.00018 0.00071 0.00159 0.00285 0.0044 0.0063 0.0117"},
               {fine_quadratic, "4.3e-6 3.4e-5 1.1e-4 2.7e-4 5.2e-4 9.1e-4 2.1e-3"}});
}

TEST(CorrectorRows, states_of_the_subsystems) {
  expect_rows(
      {{zoh + "mbcorr", ".0085 .0341 .0870 .1715 .2220 .2898 .6985", Scored::states},
       {foh + "tracking", ".0019 .0143 .0443 .0935 .1593 .2558 .4112", Scored::states},
       {zoh + "{tracking: {offset: cumulative}}", ".0124 .0502 .1137 .2042 .3208 .4734 .9241", Scored::states}});
}

TEST(CorrectorRows, spectral_radii) {
  const std::vector<std::pair<std::string, std::vector<double>>> rows = {
      {"plc", {.9964, .9953, .9966, 1.0004, 1.0064, 1.0145, 1.0352}},
      {"{nepce: {residual: printed}}", {1.0040, 1.0084, 1.0139, 1.0220, 1.0382, 1.1089, 1.0762}},
      {"{mbcorr: {residual: printed}}", {1.0, 1.0, 1.0, 1.0, 1.0, 1.0246, 1.0}},
      {"mbcorr", {.9952, .9903, .9863, .9849, .9760, .9625, .9533}}};
  for (const auto& [corrector, radii] : rows) {
    for (int column = 0; column < 7; ++column) {
      const engine::Live live = coupling::live(dual_oscillator(zoh + corrector, table_steps[column]));
      std::string reason;
      const auto stability = analysis::stability(live.program, start(live.program), reason);
      ASSERT_TRUE(stability) << reason;
      EXPECT_NEAR(stability->spectral_radius, radii[static_cast<std::size_t>(column)], 1e-4)
          << corrector << " at " << table_steps[column] << " ms";
    }
  }
}

}  // namespace
}  // namespace seam::coupling
