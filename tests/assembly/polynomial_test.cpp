#include "seam/assembly/polynomial.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace seam::assembly {
namespace {

TEST(Polynomial, a_part_has_the_values_of_the_whole) {
  // Two inputs: 1 - 2 t + 3 t^2 + 4 t^3 and 5 + t.
  const std::vector<double> whole = {1, 5, -2, 1, 3, 0, 4, 0};
  const ode::InputPolynomials input{whole.data(), 3, 2};
  for (const auto& [from, to] : {std::pair{0.0, 1.0}, std::pair{0.25, 0.5}, std::pair{0.9, 1.0}, std::pair{0.4, 0.4}}) {
    std::vector<double> part(8);
    restrict_polynomial(input, from, to, part.data());
    const ode::InputPolynomials seen{part.data(), 3, 2};
    for (const double theta : {0.0, 0.3, 1.0}) {
      std::vector<double> expected(2), found(2);
      input.at(from + theta * (to - from), expected);
      seen.at(theta, found);
      EXPECT_NEAR(found[0], expected[0], 1e-14) << from << " " << to << " " << theta;
      EXPECT_NEAR(found[1], expected[1], 1e-14);
    }
  }
}

TEST(Polynomial, coefficients_of_a_part_are_those_of_the_shifted_parabola) {
  const std::vector<double> whole = {0, 0, 1};  // t^2 at 1/2 + s/4: 1/4 + s/4 + s^2/16
  std::vector<double> part(3);
  restrict_polynomial({whole.data(), 2, 1}, 0.5, 0.75, part.data());
  EXPECT_EQ(part, (std::vector<double>{0.25, 0.25, 0.0625}));
}

TEST(Polynomial, a_constant_is_the_same_on_every_part) {
  const std::vector<double> whole = {7};
  std::vector<double> part(1);
  restrict_polynomial({whole.data(), 0, 1}, 0.2, 0.3, part.data());
  EXPECT_EQ(part[0], 7.0);
}

}  // namespace
}  // namespace seam::assembly
