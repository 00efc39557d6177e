// Random systems of two masses (each with a spring and a damper to the ground, and both between them), displacement and
// velocity against force, two periods of the slowest mode, start-up included: what identified correctors make of them
// beside holding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "lti/dual_loop.hpp"
#include "lti/random_matrices.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/eigenvalues.hpp"

namespace seam::lti {
namespace {

struct RandomDual {
  StateSpace first, second;  ///< y = [force, x2, v2], u = [x2, v2, force]
  Matrix whole;
  Vector x0;
  double fastest = 0.0, slowest = 0.0;

  explicit RandomDual(RandomMatrices& random) {
    const auto up_to = [&](double most) { return most * 0.5 * (random.matrix(1, 1)(0, 0) + 1.0) + 1e-9; };
    const double m1 = up_to(10), m2 = up_to(10), k1 = up_to(1000), k2 = up_to(1000), kc = up_to(1000);
    const double d1 = up_to(1.3) * std::sqrt(m1 * k1), d2 = 2.0 * up_to(1.3) * std::sqrt(m2 * k2), dc = up_to(d1);
    first = {Matrix{{0.0, 1.0}, {-(k1 + kc) / m1, -(d1 + dc) / m1}}, Matrix{{0.0, 0.0}, {kc / m1, dc / m1}},
             Matrix{{kc, dc}}, Matrix{{-kc, -dc}}};
    second = {Matrix{{0.0, 1.0}, {-k2 / m2, -d2 / m2}}, Matrix{{0.0}, {1.0 / m2}}, Matrix::Identity(2, 2),
              Matrix::Zero(2, 1)};
    whole = Matrix{{0.0, 1.0, 0.0, 0.0},
                   {-(k1 + kc) / m1, -(d1 + dc) / m1, kc / m1, dc / m1},
                   {0.0, 0.0, 0.0, 1.0},
                   {kc / m2, dc / m2, -(k2 + kc) / m2, -(d2 + dc) / m2}};
    slowest = INFINITY;
    for (const auto& pole : eigenvalues(whole)) {
      fastest = std::max(fastest, std::abs(pole));
      slowest = std::min(slowest, std::abs(pole));
    }
    x0 = random.matrix(4, 1);
    x0(1) *= slowest;
    x0(3) *= slowest;
  }

  Vector outputs(const Vector& x) const { return Vector{{(first.C * (x.head(2) - x.tail(2)))(0), x(2), x(3)}}; }

  DualLoop loop(double H) const {
    DualLoop loop;
    loop.subsystems = {exact(first, x0.head(2)), exact(second, x0.tail(2))};
    loop.L = Matrix{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
    loop.y0 = outputs(x0);
    loop.step = H;
    loop.steps = static_cast<int>(std::ceil(4.0 * M_PI / (slowest * H)));
    loop.keeper.order = 2;
    return loop;
  }

  std::vector<Vector> reference(const DualLoop& of) const {
    const Matrix Ad = discretise({whole, Matrix(4, 0), Matrix::Identity(4, 4), Matrix(4, 0)}, of.step, 0).Ad;
    std::vector<Vector> result;
    Vector x = x0;
    for (int n = 0; n < of.steps; ++n) result.push_back(outputs(x = Ad * x));
    return result;
  }

  bool holding_is_stable(double H) const {
    const PolynomialStep one = discretise(first, H, 0), two = discretise(second, H, 0);
    Matrix A = Matrix::Zero(4, 4), B = Matrix::Zero(4, 3), C = Matrix::Zero(3, 4), D = Matrix::Zero(3, 3);
    A << one.Ad, Matrix::Zero(2, 2), Matrix::Zero(2, 2), two.Ad;
    B << one.G[0], Matrix::Zero(2, 1), Matrix::Zero(2, 2), two.G[0];
    C << first.C, Matrix::Zero(1, 2), Matrix::Zero(2, 2), second.C;
    D.topLeftCorner(1, 2) = first.D;
    const Matrix L = loop(H).L;
    Matrix step(7, 7);
    step << A, B * L, C * A, (C * B + D) * L;
    return spectral_radius(step) <= 1.0;
  }
};

struct Method {
  const char* name;
  int samples;
  Correction correction;
};

struct Tally {
  int stable = 0, better = 0;
  double worst = 0.0;
};

/// Of all methods over so many systems, at one omega H; added to what was there.
void study(double omega_H, int count, const std::vector<Method>& methods, std::vector<Tally>& tallies) {
  RandomMatrices random(2019);
  for (int i = 0; i < count; ++i) {
    const RandomDual system(random);
    const double H = omega_H / system.fastest;
    if (!system.holding_is_stable(H)) continue;
    DualLoop holding = system.loop(H);
    holding.correction = Correction::none;
    const auto reference = system.reference(holding);
    const double of_holding = nrmse(holding.run(), reference);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      DualLoop loop = system.loop(H);
      loop.keeper.shape.samples = methods[m].samples;
      loop.correction = methods[m].correction;
      loop.kernel = Kernel::ramp;
      loop.early_offset = EarlyOffset::while_changes_persist;
      const double ratio = nrmse(loop.run(), reference) / of_holding;
      ++tallies[m].stable;
      tallies[m].better += ratio < 1.0;
      tallies[m].worst = std::isfinite(ratio) ? std::max(tallies[m].worst, ratio) : INFINITY;
    }
  }
}

void expect_robust(int count) {
  const std::vector<Method> methods{{"model-based, macro samples", 1, Correction::model_based},
                                    {"model-based, 3 samples", 3, Correction::model_based},
                                    {"model-based, 5 samples", 5, Correction::model_based},
                                    {"tracking, macro samples", 1, Correction::tracking},
                                    {"tracking, 5 samples", 5, Correction::tracking}};
  std::vector<Tally> all(methods.size());
  for (const double omega_H : {0.05, 0.15, 0.4, 0.8}) {
    std::vector<Tally> here(methods.size());
    study(omega_H, count, methods, here);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      std::printf("omega H %.2f  %-28s %4d stable, better in %5.1f %%, at worst %.2f of holding\n", omega_H,
                  methods[m].name, here[m].stable, 100.0 * here[m].better / here[m].stable, here[m].worst);
      EXPECT_LE(here[m].worst, 1.5) << methods[m].name << " at " << omega_H;
      all[m].stable += here[m].stable;
      all[m].better += here[m].better;
    }
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    EXPECT_GE(all[m].better, 0.9 * all[m].stable) << methods[m].name;
  }
}

TEST(RandomDuals, are_no_worse_than_1_5_times_holding_and_mostly_better) { expect_robust(5); }

TEST(RandomDualsSlow, are_no_worse_than_1_5_times_holding_and_mostly_better) { expect_robust(300); }

}  // namespace
}  // namespace seam::lti
