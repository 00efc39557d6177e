#include "seam/analysis/error_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "analysis/chen_compensators.hpp"
#include "seam/analysis/synthesis.hpp"

namespace seam::analysis {
namespace {

Compensator with_gain(Compensator compensator, double gain) {
  compensator.gain = gain;
  return compensator;
}

struct Known {
  const char* name;
  ErrorSystem system;
  Compensator compensator;
  double error, at_rest, at_jumps, worst_pole;
};

// Numbers of an independent reproduction of Chen et al. 2021 (frequency grid of 90001 points, refined).
std::vector<Known> known() {
  return {
      {"13 as printed", error_system(1), with_gain(published_13(), 1.0), 0.987999, 0.012001, 1.0, 0.99372},
      {"13, gain 1 at rest", error_system(1), with_gain(published_13(), 83.32518), 0.0171898, 1.0, 83.3252, 0.99372},
      {"13, best gain", error_system(1), published_13(), 0.0170381, 0.982962, 81.9055, 0.99372},
      {"14 as printed", error_system(1, 0.3), with_gain(published_14(), 1.0), 0.990130, 0.009870, 1.0, 0.99372},
      {"14, best gain", error_system(1, 0.3), published_14(), 0.0203374, 0.979663, 99.2558, 0.99372},
      {"inequality 148", error_system(1), inequality_148(), 0.0147217, 0.986843, 159.382, 0.99459},
      {"inequality 170", error_system(1), inequality_170(), 0.0168721, 0.987040, 83.0092, 0.97624},
      {"inequality, order 2", error_system(2), inequality_order_2(), 0.00380908, 0.996729, 87.2053, 0.88786},
      {"inequality, order 3", error_system(3), inequality_order_3(), 0.00266390, 0.997556, 77.7504, 0.88447},
      {"closed form 1, 10", error_system(1), closed_form(error_system(1), 10.0), 0.0251327, 0.974867, 82.312, 0.0},
      {"closed form 1, 15", error_system(1), closed_form(error_system(1), 15.0), 0.0167552, 0.983245, 420.287, 0.5},
      {"closed form 2, 10", error_system(2), closed_form(error_system(2), 10.0), 0.00355306, 0.996447, 399.66, 0.0},
      {"closed form 2, 15", error_system(2), closed_form(error_system(2), 15.0), 0.00157914, 0.998421, 2061.3, 0.5},
      {"closed form 3, 10", error_system(3), closed_form(error_system(3), 10.0), 0.00107158, 0.998928, 1139.2, 0.0},
      {"closed form 3, 15", error_system(3), closed_form(error_system(3), 15.0), 0.000317541, 0.999682, 5982.0, 0.5},
  };
}

TEST(ErrorSystem, knows_the_published_compensators) {
  for (const Known& k : known()) {
    const CompensatorReport report = describe(k.system, k.compensator, 10.0);
    EXPECT_NEAR(report.error.norm, k.error, 1e-5 * k.error) << k.name;
    EXPECT_NEAR(report.at_rest, k.at_rest, 6e-5 * k.at_rest) << k.name;
    EXPECT_NEAR(report.at_jumps, k.at_jumps, 2e-5 * k.at_jumps) << k.name;
    EXPECT_NEAR(report.worst_pole, k.worst_pole, 1e-5) << k.name;
  }
}

TEST(ErrorSystem, finds_the_error_of_the_best_gain_flat) {
  EXPECT_GT(describe(error_system(1), published_13(), 10.0).flatness, 0.9);
  EXPECT_LT(describe(error_system(1), with_gain(published_13(), 1.0), 10.0).flatness, 0.5);
}

constexpr std::array frequencies{0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5};
using Row = std::array<double, frequencies.size()>;

// |1 - K1 K2 H*| of the same reproduction, its figure 4.
TEST(ErrorSystem, has_the_error_over_frequency_of_the_published_compensators) {
  const auto expect = [](const char* name, const ErrorSystem& system, const Compensator& compensator, const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      EXPECT_NEAR(error_at(system, compensator, frequencies[i]), row[i], 1e-5 * row[i])
          << name << " at " << frequencies[i];
  };
  expect("13", error_system(1), published_13(),
         {0.0171059, 0.0176499, 0.0233957, 0.0527902, 0.168856, 0.337142, 0.506614, 0.849415});
  expect("14", error_system(1, 0.3), published_14(),
         {0.0204336, 0.0211888, 0.0284723, 0.0634364, 0.201668, 0.402606, 0.605308, 1.01567});
  expect("inequality 148", error_system(1), inequality_148(),
         {0.0132371, 0.0138609, 0.0196069, 0.0455540, 0.146030, 0.291563, 0.438019, 0.733780});
  expect("inequality, order 2", error_system(2), inequality_order_2(),
         {0.00327072, 0.00326832, 0.00326522, 0.00479762, 0.0419437, 0.169096, 0.380375, 1.02790});
  expect("inequality, order 3", error_system(3), inequality_order_3(),
         {0.00244418, 0.00244389, 0.00244048, 0.00242082, 0.0123726, 0.0985602, 0.326493, 1.36552});
  expect("closed form 1", error_system(1), closed_form(error_system(1), 15.0),
         {0.0168377, 0.0174838, 0.0236200, 0.0526683, 0.166788, 0.329077, 0.485339, 0.768590});
  expect("closed form 2", error_system(2), closed_form(error_system(2), 15.0),
         {0.00157914, 0.00157921, 0.00158844, 0.00221252, 0.0172293, 0.0677549, 0.149150, 0.387029});
  expect("closed form 3", error_system(3), closed_form(error_system(3), 15.0),
         {0.000317504, 0.000317503, 0.000317495, 0.000320011, 0.00145160, 0.0111004, 0.0364460, 0.155320});
}

// eq. 4 at a frequency where the approximation is good to p^3/24 of a hold.
TEST(ErrorSystem, approximates_the_holds_of_all_orders) {
  const lti::Complex p(0.0, 0.1), held = (1.0 - std::exp(-p)) / p;
  const auto value = [&](HoldOrder order) {
    const lti::Rational hold = hold_approximation(order);
    return lti::value_at(hold.numerator, p) / lti::value_at(hold.denominator, p);
  };
  EXPECT_LT(std::abs(value(HoldOrder::zero) - held), 1e-4);
  EXPECT_LT(std::abs(value(HoldOrder::first) - (1.0 + p) * held * held), 1e-4);
  EXPECT_LT(std::abs(value(HoldOrder::second) - (2.0 + 3.0 * p + 2.0 * p * p) / 2.0 * held * held * held), 2e-4);
}

}  // namespace
}  // namespace seam::analysis
