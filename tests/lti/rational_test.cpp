#include "seam/lti/rational.hpp"

#include <gtest/gtest.h>

#include "seam/base/error.hpp"
#include "seam/lti/frequency_response.hpp"

namespace seam::lti {
namespace {

TEST(Rational, has_the_polynomial_of_its_roots) {
  EXPECT_EQ(from_roots({}), Coefficients{1.0});
  EXPECT_EQ(from_roots({-2.0, Complex(-1.0, 3.0), Complex(-1.0, -3.0)}), (Coefficients{20.0, 14.0, 4.0, 1.0}));
  EXPECT_THROW(from_roots({Complex(-1.0, 3.0)}), base::Error);
}

TEST(Rational, finds_the_roots_of_a_polynomial) {
  const std::vector<Complex> found = roots({40.0, 28.0, 8.0, 2.0});
  ASSERT_EQ(found.size(), 3u);
  for (const Complex& root : found) EXPECT_LT(std::abs(value_at({20.0, 14.0, 4.0, 1.0}, root)), 1e-12);
  EXPECT_TRUE(roots({7.0}).empty());
}

TEST(Rational, becomes_a_system_with_the_same_response) {
  for (const Rational& f : {Rational{{3.0, 2.0}, {20.0, 14.0, 4.0, 2.0}}, Rational{{3.0, 2.0, 5.0}, {20.0, 14.0, 4.0}},
                            Rational{{3.0}, {2.0}}, Rational{{3.0, 0.0, 0.0}, {2.0, 1.0}}}) {
    const FrequencyResponse response(realise(f), TimeDomain::continuous);
    for (const double w : {0.0, 0.7, 13.0}) {
      const Complex expected = value_at(f.numerator, {0.0, w}) / value_at(f.denominator, {0.0, w});
      EXPECT_LT(std::abs(response.at(w)(0, 0) - expected), 1e-13) << w;
    }
  }
  EXPECT_THROW(realise({{1.0, 1.0}, {1.0}}), base::Error);
}

}  // namespace
}  // namespace seam::lti
