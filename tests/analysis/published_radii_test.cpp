// Spectral radii and stability limits of the benchmark of Chen 2021 (thesis), Fig. 2.5, and of the pair of oscillators
// of Gomes and Legat (slides).
#include <gtest/gtest.h>

#include "seam/analysis/stability.hpp"
#include "seam/coupling/advance.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "support/pair.hpp"

namespace seam {
namespace {

using testing::PairOfMasses;

double radius(const PairOfMasses& pair) { return engine::analyse(pair.system()).spectral_radius; }

lti::Matrix step_matrix(const engine::System& system) {
  const engine::Live live = engine::make_live(system, {engine::Horizon::none});
  std::string reason;
  return analysis::transition(live.program, coupling::start(live.program), reason)->matrix;
}

engine::System example(const std::string& name, const std::vector<std::string>& set = {}) {
  engine::Changes changes;
  changes.set = set;
  return engine::open(std::string(SEAM_SOURCE_DIR) + "/examples/" + name, changes);
}

TEST(GomesLegat, euler_is_unstable_to_all_published_digits) {
  EXPECT_NEAR(engine::analyse(example("gomes-legat/euler.yaml")).spectral_radius, 1.002317120986636, 1e-12);
}

TEST(GomesLegat, midpoint_is_stable_to_all_published_digits) {
  EXPECT_NEAR(engine::analyse(example("gomes-legat/midpoint.yaml")).spectral_radius, 0.9975682830244046, 1e-12);
}

TEST(GomesLegat, alternating_the_two_is_stable_to_all_published_digits) {
  const lti::Matrix euler = step_matrix(example("gomes-legat/euler.yaml"));
  const lti::Matrix midpoint = step_matrix(example("gomes-legat/midpoint.yaml"));
  EXPECT_NEAR(lti::spectral_radius(midpoint * euler), 0.999863522587465, 1e-12);
}

TEST(GomesLegat, a_heavier_first_mass_has_the_factor_that_the_slides_lost) {
  const double right = 0.995448303211511, printed = 0.999300713367844;
  const double ours = engine::analyse(example("gomes-legat/euler.yaml", {"S1.masses=[2]"})).spectral_radius;
  EXPECT_NEAR(ours, right, 1e-12);
  EXPECT_GT(std::abs(ours - printed), 1e-3);
}

struct Column {
  const char* coupling;
  const char* feedthrough;
  std::vector<double> radii;  // m = 1 … 11
};

class BenchmarkRadii : public ::testing::TestWithParam<Column> {};

// Euler with a solver step of 5 ms, macro step m times that.
TEST_P(BenchmarkRadii, are_those_of_the_independent_reproduction) {
  const Column& column = GetParam();
  for (std::size_t m = 1; m <= column.radii.size(); ++m) {
    PairOfMasses pair;
    pair.solver = "euler";
    pair.solver_step = "5 ms";
    pair.step = 5e-3 * static_cast<double>(m);
    pair.coupling = column.coupling;
    pair.feedthrough = column.feedthrough;
    EXPECT_NEAR(radius(pair), column.radii[m - 1], 1e-10)
        << column.coupling << " " << column.feedthrough << " m = " << m;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ReferenceB, BenchmarkRadii,
    ::testing::Values(Column{"zoh",
                             "held",
                             {0.9993753952, 0.9993815234, 1.0000218816, 1.0054929119, 1.0132769094, 1.0226834000,
                              1.0331693401, 1.0442294976, 1.0554215218, 1.0663770763, 1.0768038478}},
                      Column{"zoh",
                             "fresh",
                             {0.9987492178, 0.9968738729, 0.9943879043, 0.9962625819, 0.9999535949, 1.0053984914,
                              1.0125179266, 1.0212177921, 1.0313915995, 1.0429229849, 1.0556882096}},
                      Column{"foh",
                             "held",
                             {0.9987476484, 0.9975016029, 0.9962935622, 0.9951808784, 0.9942464101, 0.9935974361,
                              0.9971505915, 1.0157664163, 1.0444899937, 1.0810244000, 1.1217102961}},
                      Column{"foh",
                             "fresh",
                             {0.9987492178, 0.9975015675, 0.9962507766, 0.9949782133, 0.9936534491, 0.9922352145,
                              0.9906727197, 0.9889072749, 0.9881072832, 0.9978256312, 1.0123379963}}));

TEST(Benchmark, a_master_that_splits_the_step_has_the_last_micro_steps_input_at_its_end) {
  PairOfMasses pair;
  pair.solver = "euler";
  pair.solver_step = "5 ms";
  pair.input_signal = "stepped";
  pair.micro_step = "5 ms";
  pair.coupling = "foh";
  const std::vector<std::pair<int, double>> expected = {{1, 0.9993754}, {5, 0.99724}, {9, 1.0430}};
  for (const auto& [m, rho] : expected) {
    pair.step = 5e-3 * m;
    EXPECT_NEAR(radius(pair), rho, m == 1 ? 5e-8 : m == 5 ? 5e-6 : 5e-5) << m;
  }
}

TEST(Benchmark, the_slope_of_the_last_micro_step_is_stable_to_m_8) {
  PairOfMasses pair;
  pair.solver = "euler";
  pair.solver_step = "5 ms";
  pair.coupling = "{foh: {samples: micro}}";
  pair.step = 40e-3;
  EXPECT_LT(radius(pair), 1.0);
  pair.step = 45e-3;
  EXPECT_NEAR(radius(pair), 1.008480, 5e-7);
}

struct Limit {
  const char* coupling;
  const char* feedthrough;
  double step;
};

class StabilityLimit : public ::testing::TestWithParam<Limit> {};

// Exact subsystems; the radius passes 1 between 0.9 and 1.1 of the limit.
TEST_P(StabilityLimit, is_that_of_the_independent_reproduction) {
  PairOfMasses pair;
  pair.coupling = GetParam().coupling;
  pair.feedthrough = GetParam().feedthrough;
  double stable = 0.9 * GetParam().step, unstable = 1.1 * GetParam().step;
  while (unstable - stable > 1e-10) {
    pair.step = 0.5 * (stable + unstable);
    (radius(pair) < 1.0 ? stable : unstable) = pair.step;
  }
  EXPECT_NEAR(stable, GetParam().step, 2e-9);
}

INSTANTIATE_TEST_SUITE_P(ReferenceB, StabilityLimit,
                         ::testing::Values(Limit{"zoh", "held", 0.024958134}, Limit{"zoh", "fresh", 0.040386291},
                                           Limit{"foh", "held", 0.043197495}, Limit{"foh", "fresh", 0.062997920}));

TEST(Benchmark, velocity_coupling_has_an_eigenvalue_1_that_is_named_and_left_out) {
  PairOfMasses pair;
  pair.kind = "spring-velocity";
  pair.step = 30e-3;
  for (const auto& [feedthrough, rho] : {std::pair{"fresh", 0.999320359}, std::pair{"held", 1.002108661}}) {
    pair.feedthrough = feedthrough;
    const analysis::Stability s = engine::analyse(pair.system());
    EXPECT_NEAR(s.spectral_radius, rho, 1e-9) << feedthrough;
    ASSERT_EQ(s.structural.size(), 1u);
    EXPECT_NEAR(s.structural[0].value.real(), 1.0, 1e-15);
    EXPECT_NE(s.structural[0].meaning.find("left.x_partner"), std::string::npos) << s.structural[0].meaning;
    EXPECT_NE(s.structural[0].meaning.find("right.x1"), std::string::npos) << s.structural[0].meaning;
  }
}

}  // namespace
}  // namespace seam
