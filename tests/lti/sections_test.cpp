#include "seam/lti/sections.hpp"

#include <gtest/gtest.h>

#include "seam/base/error.hpp"
#include "seam/lti/discretise.hpp"
#include "seam/lti/frequency_response.hpp"

namespace seam::lti {
namespace {

Complex value_of(const Factored& f, Complex p) {
  Complex value = f.gain;
  for (const Complex& zero : f.zeros) value *= p - zero;
  for (const Complex& pole : f.poles) value /= p - pole;
  return value;
}

std::vector<Complex> pairs(const std::vector<Complex>& upper) {
  std::vector<Complex> all;
  for (const Complex& root : upper) {
    all.push_back(root);
    if (root.imag() != 0.0) all.push_back(std::conj(root));
  }
  return all;
}

// Odd and even, real and complex, as many zeros as poles, fewer, none; a zero and a pole at 0; a double pole.
const std::vector<Factored> functions = {
    {pairs({{-3.0, 1.7}, {-2.2, 2.2}, -0.06, -19.4}), pairs({{-11.2, 3.7}, {-3.9, 7.5}, -0.07, -19.2}), 81.9},
    {pairs({{-3.0, 1.7}, -5.0}), {-1.0, -2.0, -40.0}, -2.0},
    {{-1.0, -2.0, -40.0}, pairs({{-3.0, 1.7}, -5.0}), 7.0},
    {{-4.0}, pairs({{-3.0, 1.7}, {-3.0, 1.7}}), 0.5},
    {{}, {-1.0, -1.0, -1.0}, 3.0},
    {{0.0}, {-1.0, 0.0}, 3.0},
    {{}, {}, 4.0}};

TEST(Sections, have_the_response_of_the_function) {
  for (const Factored& f : functions) {
    const StateSpace system = realise_in_sections(f);
    EXPECT_EQ(static_cast<std::size_t>(system.states()), f.poles.size());
    const FrequencyResponse response(system, TimeDomain::continuous);
    for (const double w : {0.3, 5.0, 200.0}) {
      const Complex expected = value_of(f, {0.0, w});
      EXPECT_LT(std::abs(response.at(w)(0, 0) - expected), 1e-12 * std::max(1.0, std::abs(f.gain))) << w;
    }
  }
  EXPECT_THROW(realise_in_sections({{-1.0}, {}, 1.0}), base::Error);
}

// Eight poles around one place and a direct part of 6000 that the rest takes back: a constant must stay what it is.
TEST(Sections, keep_a_constant_to_the_last_digits_under_a_large_direct_part) {
  const Factored f{pairs({{-3.0, 1.7}, {-2.2, 2.2}, {-1.6, 1.4}, {-4.0, 2.0}}),
                   pairs({{-9.0, 8.0}, {-9.1, 8.0}, {-9.0, 8.1}, {-9.2, 8.1}}), 0.0};
  Factored normed = f;
  normed.gain = 1.0;
  normed.gain = 1.0 / value_of(normed, 0.0).real();
  ASSERT_GT(normed.gain, 3e3);
  const StateSpace system = realise_in_sections(normed);
  const PolynomialStep step = discretise(system, 0.1, 0);
  Vector x = Vector::Zero(system.states());
  for (int i = 0; i < 400; ++i) x = step.Ad * x + step.G[0];
  EXPECT_NEAR((system.C * x)(0) + system.D(0, 0), 1.0, 1e-13 * normed.gain);
}

}  // namespace
}  // namespace seam::lti
