// Poles of the two- and four-mass systems of Tamellin et al. 2022, by an independent reproduction: symplectic Euler and
// exact subsystems, feed-through held.
#include <gtest/gtest.h>

#include <complex>

#include "support/pair.hpp"

namespace seam {
namespace {

using Complex = std::complex<double>;

/// Among the poles of the step, the one whose eigenvalue is nearest to exp(lambda H).
Complex became(const analysis::Stability& s, Complex pole, double step) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < s.eigenvalues.size(); ++i) {
    const Complex target = std::exp(pole * step);
    if (std::abs(s.eigenvalues[i] - target) < std::abs(s.eigenvalues[best] - target)) best = i;
  }
  return s.poles[best].value();
}

struct Row {
  const char* what;
  Complex monolithic, symplectic, exact;
};

void expect_rows(const std::function<analysis::Stability(const std::string& solver)>& analyse, double step,
                 const std::vector<Row>& rows) {
  const analysis::Stability symplectic = analyse("symplectic-euler"), exact = analyse("exact");
  for (const Row& row : rows) {
    EXPECT_NEAR(std::abs(became(symplectic, row.monolithic, step) - row.symplectic), 0.0, 1e-7)
        << row.what << " symplectic";
    EXPECT_NEAR(std::abs(became(exact, row.monolithic, step) - row.exact), 0.0, 1e-7) << row.what << " exact";
    double nearest = 1e9;
    for (const Complex& pole : *exact.monolithic_poles) nearest = std::min(nearest, std::abs(pole - row.monolithic));
    EXPECT_LT(nearest, 1e-7) << row.what << " monolithic";
  }
}

analysis::Stability two_mass(double damping, double step, const std::string& solver) {
  testing::PairOfMasses pair;
  pair.m1 = pair.m2 = 1.0;
  pair.k1 = 10.0;
  pair.kc = 100.0;
  pair.k2 = 1000.0;
  pair.d1 = pair.dc = pair.d2 = damping;
  pair.solver = solver;
  pair.step = step;
  return engine::analyse(pair.system());
}

TEST(TwoMass, undamped_at_1_ms) {
  expect_rows([](const std::string& solver) { return two_mass(0.0, 1e-3, solver); }, 1e-3,
              {{"mode 1", {0, 10}, {0.00049505, 10.00003966}, {-0.00420792, 10.00001562}},
               {"mode 2", {0, 33.31666250}, {0.04950245, 33.31734045}, {0.07916356, 33.31457080}}});
}

TEST(TwoMass, damped_at_1_ms) {
  expect_rows([](const std::string& solver) { return two_mass(0.1, 1e-3, solver); }, 1e-3,
              {{"mode 1", {-0.09009985, 9.99964166}, {-0.08961263, 10.00015085}, {-0.09430700, 9.99954414}},
               {"mode 2", {-0.10990015, 33.31632277}, {-0.06035486, 33.32061222}, {-0.03066572, 33.31724030}}});
}

TEST(TwoMass, damped_at_4_ms) {
  expect_rows([](const std::string& solver) { return two_mass(0.1, 4e-3, solver); }, 4e-3,
              {{"mode 1", {-0.09009985, 9.99964166}, {-0.08814821, 10.00215544}, {-0.10693767, 9.99943895}},
               {"mode 2", {-0.10990015, 33.31632277}, {0.08896750, 33.34160037}, {0.20549086, 33.29497691}}});
}

analysis::Stability four_mass(const std::string& solver) {
  const std::string text = fmt::format(
      "seam: 1\nsubsystems:\n"
      "  one: {{model: mass-chain, solver: {0}, set: {{masses: [1, 2], springs: [200], dampers: [0.02], to_ground: "
      "{{k: [100, 0], d: [0.01, 0]}},"
      " coupling: {{kind: spring, k: 300, d: 0.03}}, v0: [1, -2]}}}}\n"
      "  two: {{model: mass-chain, solver: {0}, set: {{masses: [3, 4], springs: [400], dampers: [0.04], to_ground: "
      "{{k: [0, 500], d: [0, 0.05]}},"
      " coupling: {{kind: force, mass: 1}}, v0: [3, -4]}}}}\n"
      "connections: [one.F -> two.F_in, two.x1 -> one.x_in, two.v1 -> one.v_in]\n"
      "plan: {{step: 3 ms}}\n",
      solver);
  return engine::analyse(engine::open_text(text, "four.yaml", {}));
}

TEST(FourMass, at_3_ms) {
  expect_rows(four_mass, 3e-3,
              {{"mode 1", {-0.00216852, 6.58561925}, {0.05586322, 6.58523786}, {0.01723819, 6.58525617}},
               {"mode 2", {-0.00860650, 13.11983188}, {0.00481544, 13.12058690}, {0.03716260, 13.11931373}},
               {"mode 3", {-0.01657383, 18.20649086}, {0.03013594, 18.20792970}, {0.04084031, 18.20488825}},
               {"mode 4", {-0.02306782, 21.47919386}, {0.00872373, 21.48196453}, {0.07889990, 21.47201166}}});
}

TEST(TwoMass, the_example_files_are_this_system) {
  for (const auto& [file, damping] : {std::pair{"undamped", 0.0}, std::pair{"damped", 0.1}}) {
    const auto from_file =
        engine::analyse(engine::open(std::string(SEAM_SOURCE_DIR) + "/examples/two-mass/" + file + ".yaml", {}));
    EXPECT_NEAR(from_file.spectral_radius, two_mass(damping, 1e-3, "symplectic-euler").spectral_radius, 1e-14) << file;
  }
}

}  // namespace
}  // namespace seam
