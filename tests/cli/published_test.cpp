// What `seam analyze --json` and `seam run` print for the shipped examples, beside the digits of the independent
// reproduction of the papers: chapter 2 of Chen 2021 (thesis) (radii, limits, loop gains, causality, errors; energies
// stand in energy_test.cpp) and the poles of Tamellin et al. 2022. Columns that no explicit coupling has are left out:
// eq. 2.14 of the thesis as printed, and the transcendental models of Tamellin et al.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "cli/command.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::cli {
namespace {

using formats::Value;
using Complex = std::complex<double>;

const std::string examples = SEAM_SOURCE_DIR "/examples/";

Value analyzed(const std::string& file, Words flags) {
  const Folder folder;
  Words words{"analyze", examples + file, "--json"};
  words.insert(words.end(), flags.begin(), flags.end());
  const Ran ran = folder.seam(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return json(ran.out);
}

struct Column {
  std::string coupling, feedthrough;
  std::vector<double> radii;  // macro steps of 1 to 11 times 5 ms
  int largest_stable = 0;
};

class PublishedRadii : public ::testing::TestWithParam<Column> {};
INSTANTIATE_TEST_SUITE_P(
    Figure_2_6, PublishedRadii,
    ::testing::Values(Column{"zoh",
                             "held",
                             {0.9993753952, 0.9993815234, 1.0000218816, 1.0054929119, 1.0132769094, 1.0226834000,
                              1.0331693401, 1.0442294976, 1.0554215218, 1.0663770763, 1.0768038478},
                             2},
                      Column{"zoh",
                             "fresh",
                             {0.9987492178, 0.9968738729, 0.9943879043, 0.9962625819, 0.9999535949, 1.0053984914,
                              1.0125179266, 1.0212177921, 1.0313915995, 1.0429229849, 1.0556882096},
                             5},
                      Column{"foh",
                             "held",
                             {0.9987476484, 0.9975016029, 0.9962935622, 0.9951808784, 0.9942464101, 0.9935974361,
                              0.9971505915, 1.0157664163, 1.0444899937, 1.0810244000, 1.1217102961},
                             7},
                      Column{"foh",
                             "fresh",
                             {0.9987492178, 0.9975015675, 0.9962507766, 0.9949782133, 0.9936534491, 0.9922352145,
                              0.9906727197, 0.9889072749, 0.9881072832, 0.9978256312, 1.0123379963},
                             10}));

TEST_P(PublishedRadii, and_the_largest_stable_step_are_in_the_json_of_the_example) {
  const Value value = analyzed("benchmark-euler.yaml", {"--coupling", GetParam().coupling, "--feedthrough",
                                                        GetParam().feedthrough, "--sweep", "step=5ms:55ms:11"});
  const auto& sweep = value.find("sweep")->items();
  ASSERT_EQ(sweep.size(), GetParam().radii.size());
  for (std::size_t m = 0; m < sweep.size(); ++m)
    EXPECT_NEAR(number(sweep[m], "spectral_radius"), GetParam().radii[m], 1e-10) << m + 1;
  EXPECT_NEAR(number(value, "spectral_radius"), GetParam().radii[0], 1e-10);
  const Value& own = value.find("methods")->items().front();
  EXPECT_TRUE(own.find("of_the_plan")->boolean());
  EXPECT_NEAR(number(*own.find("stable_steps"), "first_loss"), GetParam().largest_stable * 5e-3, 1e-12);
}

/// The first loss of stability of a method.
double limit(const Value& value, const std::string& coupling, const std::string& feedthrough) {
  for (const Value& method : value.find("methods")->items()) {
    if (method.find("coupling")->string() == coupling && method.find("feedthrough")->string() == feedthrough)
      return number(*method.find("stable_steps"), "first_loss");
  }
  ADD_FAILURE() << coupling << " " << feedthrough;
  return 0.0;
}

TEST(PublishedLimits, of_exact_subsystems_are_in_the_json_of_the_example) {
  const Value value = analyzed("benchmark.yaml", {});
  EXPECT_NEAR(limit(value, "zoh", "held"), 0.024958134, 1e-9);
  EXPECT_NEAR(limit(value, "zoh", "fresh"), 0.040386291, 1e-9);
  EXPECT_NEAR(limit(value, "foh", "held"), 0.043197495, 1e-9);
  EXPECT_NEAR(limit(value, "foh", "fresh"), 0.062997920, 1e-9);
}

TEST(PublishedCausality, loop_gains_and_limits_over_the_masses_are_in_the_json_of_the_example) {
  struct Row {
    const char *owner, *receiver;
    double norm, frequency, fresh, held;
  };
  for (const Row& row : {Row{"0.1", "0.1", 3.579327074, 14.072634, 0.040386, 0.024958},
                         Row{"0.1", "0.2", 4.767227477, 7.050921, 0.081156, 0.020895},
                         Row{"0.1", "0.5", 9.955306352, 4.469287, 0.285564, 0.016513},
                         Row{"0.1", "1", 14.989977133, 3.161396, 0.321872, 0.015665},
                         Row{"0.2", "0.1", 50.622879784, 10.024606, 0.034790, 0.016063},
                         Row{"0.5", "0.1", 13.430140035, 9.953999, 0.036850, 0.013921},
                         Row{"1", "0.1", 14.024205499, 4.479971, 0.038387, 0.013536}}) {
    const std::string set = "left.masses=[" + std::string(row.owner) + "]";
    const Value value =
        analyzed("benchmark.yaml", {"--set", set, "--set", "right.masses=[" + std::string(row.receiver) + "]"});
    EXPECT_NEAR(limit(value, "zoh", "fresh"), row.fresh, 6e-7) << set << row.receiver;
    EXPECT_NEAR(limit(value, "zoh", "held"), row.held, 6e-7) << set << row.receiver;
    for (const Value& loop : value.find("loops")->items()) {
      if (loop.find("cut_at")->string() != "left") continue;  // Q1 Q2 of the thesis: the force is what is cut
      EXPECT_NEAR(number(loop, "norm"), row.norm, 1e-8) << set << row.receiver;
      EXPECT_NEAR(number(loop, "norm_frequency"), row.frequency, 1e-5) << set << row.receiver;
    }
  }
}

TEST(PublishedErrors, of_a_run_of_the_example_are_those_of_figure_2_6_left) {
  struct Row {
    const char *step, *coupling, *feedthrough;
    double at_end, largest;
  };
  for (const Row& row : {Row{"1ms", "zoh", "held", 2.789427792e-3, 1.393392917e-2},
                         Row{"1ms", "foh", "held", 9.986580671e-5, 1.832601873e-4},
                         Row{"1ms", "zoh", "fresh", 3.206743066e-3, 8.438472664e-3},
                         Row{"1ms", "foh", "fresh", 2.834405414e-5, 8.974822667e-5},
                         Row{"2ms", "zoh", "held", 5.558101334e-3, 2.833464827e-2},
                         Row{"2ms", "foh", "held", 3.992134032e-4, 7.333701142e-4},
                         Row{"2ms", "zoh", "fresh", 6.469555750e-3, 1.691234272e-2},
                         Row{"2ms", "foh", "fresh", 1.148357200e-4, 3.589058207e-4},
                         Row{"5ms", "zoh", "held", 1.386376452e-2, 7.454285173e-2},
                         Row{"5ms", "foh", "held", 2.483984711e-3, 4.591453486e-3},
                         Row{"5ms", "zoh", "fresh", 1.656899362e-2, 4.257579186e-2},
                         Row{"5ms", "foh", "fresh", 7.421627309e-4, 2.240575545e-3},
                         Row{"10ms", "zoh", "held", 2.909250731e-2, 1.628609714e-1},
                         Row{"10ms", "foh", "held", 9.820718206e-3, 1.850476349e-2},
                         Row{"10ms", "zoh", "fresh", 3.425084153e-2, 8.627713520e-2},
                         Row{"10ms", "foh", "fresh", 3.107665774e-3, 8.943472045e-3}}) {
    const Folder folder;
    const std::string file = examples + "benchmark.yaml";
    const Words common{"--step", row.step, "--variables", "left.x1"};
    Words reference{"reference", file, "-o", "exact.csv"};
    Words run{"run", file, "-o", "run.csv", "--coupling", row.coupling, "--feedthrough", row.feedthrough};
    reference.insert(reference.end(), common.begin(), common.end());
    run.insert(run.end(), common.begin(), common.end());
    ASSERT_EQ(folder.seam(reference).exit_code, 0);
    ASSERT_EQ(folder.seam(run).exit_code, 0);
    const auto exact = *folder.table("exact.csv").find("left.x1"), coupled = *folder.table("run.csv").find("left.x1");
    ASSERT_EQ(exact.size(), coupled.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i) largest = std::max(largest, std::abs(exact[i] - coupled[i]));
    EXPECT_NEAR(std::abs(exact.back() - coupled.back()), row.at_end, 1e-11) << row.step << row.coupling;
    EXPECT_NEAR(largest, row.largest, 1e-10) << row.step << row.coupling;
  }
}

TEST(PublishedVelocityCoupling, radii_leave_the_structural_eigenvalue_out) {
  for (const auto& [feedthrough, radius] : {std::pair{"fresh", 0.999320359}, std::pair{"held", 1.002108661}}) {
    const Value value = analyzed("energy/force-velocity.yaml", {"--step", "30ms", "--feedthrough", feedthrough});
    EXPECT_NEAR(number(value, "spectral_radius"), radius, 1e-9) << feedthrough;
    EXPECT_EQ(value.find("structural_eigenvalues")->items().size(), 1u);
  }
}

/// The example without the steps inside its subsystems, so that any macro step fits.
std::string with_exact_subsystems(std::string text) {
  for (const std::string begin : {"    solver_step:", "  subsystems: {\"*\": {micro_step:"}) {
    const std::size_t at = text.find(begin);
    EXPECT_NE(at, std::string::npos) << begin;
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  return text;
}

TEST(PublishedVelocityCoupling, motion_is_sustained_at_the_steps_of_the_reference) {
  const Folder folder("exact.yaml", with_exact_subsystems(formats::read_text(examples + "energy/force-velocity.yaml")));
  const Ran ran = folder.seam({"analyze", "exact.yaml", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NEAR(limit(json(ran.out), "zoh", "fresh"), 0.030494512, 1e-9);
  EXPECT_NEAR(limit(json(ran.out), "zoh", "held"), 0.028647611, 1e-9);
}

TEST(PublishedSolvers, of_one_oscillator_have_the_errors_of_table_2_1) {
  struct Row {
    const char *solver, *step;
    double place, speed, rounding;
  };
  // exp(-t/20) (cos wt + 1.05/w sin wt) and its derivative at 100 s, w^2 = 1 - 1/400
  constexpr double place = 0.0010182686706989475, speed = 0.009660192249815713;
  for (const Row& row :
       {Row{"euler", "0.01", 1.401202e-3, 6.101947e-3, 0.0}, Row{"euler", "0.005", 5.884276e-4, 2.679596e-3, 0.0},
        Row{"euler", "0.001", 1.026277e-4, 4.848383e-4, 0.0}, Row{"rk4", "0.01", 7.667041e-11, 3.144970e-11, 3e-14},
        Row{"rk4", "0.005", 4.783635e-12, 1.984709e-12, 3e-14}}) {
    const Folder folder("system.yaml", std::string(R"(seam: 1
subsystems:
  mass: {model: mass-chain, set: {masses: [1], to_ground: {k: 1, d: 0.1}, coupling: {kind: force}, x0: [1], v0: [1]}, solver: )") +
                                           row.solver + ", solver_step: " + row.step + R"(}
  rest: {model: constant, set: {value: 0}}
connections: [rest.y -> mass.F_in]
experiment: {stop: 100}
plan: {step: 1}
record: {variables: [mass.x1, mass.v1]}
)");
    const Ran ran = folder.seam({"run", "system.yaml", "-o", "r.csv"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const formats::Table table = folder.table("r.csv");
    EXPECT_NEAR(std::abs(table.find("mass.x1")->back() - place), row.place, 1e-6 * row.place + row.rounding)
        << row.solver << row.step;
    EXPECT_NEAR(std::abs(table.find("mass.v1")->back() - speed), row.speed, 1e-6 * row.speed + row.rounding)
        << row.solver << row.step;
  }
}

Complex nearest(const Value& poles, const Complex& to) {
  Complex best = 1e9;
  for (const Value& pole : poles.items()) {
    if (!pole.is(Value::Kind::array)) continue;  // null: gone within a step
    const Complex found(pole.items()[0].number(), pole.items()[1].number());
    if (std::abs(found - to) < std::abs(best - to)) best = found;
  }
  return best;
}

struct Modes {
  const char *file, *step;
  std::vector<Complex> monolithic, symplectic, exact;
};

class PublishedPoles : public ::testing::TestWithParam<Modes> {};
INSTANTIATE_TEST_SUITE_P(Source002, PublishedPoles,
                         ::testing::Values(Modes{"undamped",
                                                 "1ms",
                                                 {{0, 10}, {0, 33.31666250}},
                                                 {{0.00049505, 10.00003966}, {0.04950245, 33.31734045}},
                                                 {{-0.00420792, 10.00001562}, {0.07916356, 33.31457080}}},
                                           Modes{"damped",
                                                 "1ms",
                                                 {{-0.09009985, 9.99964166}, {-0.10990015, 33.31632277}},
                                                 {{-0.08961263, 10.00015085}, {-0.06035486, 33.32061222}},
                                                 {{-0.09430700, 9.99954414}, {-0.03066572, 33.31724030}}},
                                           Modes{"damped",
                                                 "4ms",
                                                 {{-0.09009985, 9.99964166}, {-0.10990015, 33.31632277}},
                                                 {{-0.08814821, 10.00215544}, {0.08896750, 33.34160037}},
                                                 {{-0.10693767, 9.99943895}, {0.20549086, 33.29497691}}},
                                           Modes{"four-mass",
                                                 "3ms",
                                                 {{-0.00216852, 6.58561925},
                                                  {-0.00860650, 13.11983188},
                                                  {-0.01657383, 18.20649086},
                                                  {-0.02306782, 21.47919386}},
                                                 {{0.05586322, 6.58523786},
                                                  {0.00481544, 13.12058690},
                                                  {0.03013594, 18.20792970},
                                                  {0.00872373, 21.48196453}},
                                                 {{0.01723819, 6.58525617},
                                                  {0.03716260, 13.11931373},
                                                  {0.04084031, 18.20488825},
                                                  {0.07889990, 21.47201166}}}));

TEST_P(PublishedPoles, are_in_the_json_of_the_example) {
  const std::string file = std::string("two-mass/") + GetParam().file + ".yaml";
  const Value symplectic = analyzed(file, {"--step", GetParam().step}),
              exact = analyzed(file, {"--step", GetParam().step, "--design", "exact"});
  for (std::size_t i = 0; i < GetParam().monolithic.size(); ++i) {
    const Complex pole = GetParam().monolithic[i];
    EXPECT_LT(std::abs(nearest(*exact.find("monolithic_poles"), pole) - pole), 1e-7) << pole;
    EXPECT_LT(std::abs(nearest(*symplectic.find("poles"), GetParam().symplectic[i]) - GetParam().symplectic[i]), 1e-7);
    EXPECT_LT(std::abs(nearest(*exact.find("poles"), GetParam().exact[i]) - GetParam().exact[i]), 1e-7);
  }
}

}  // namespace
}  // namespace seam::cli
