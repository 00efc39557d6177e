#include "seam/analysis/hold_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "seam/coupling/catalog.hpp"

namespace seam::analysis {
namespace {

using Complex = std::complex<double>;

system::Coupling named(const std::string& name) {
  base::Problems problems;
  system::CouplingRequest request;
  request.coupling = system::MethodRequest{};
  request.coupling->name = name;
  const system::Coupling coupling = coupling::complete(request, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return coupling;
}

// An independent reproduction of Chen et al. 2021, Fig. 4, six digits.
TEST(CouplingError, is_that_of_the_reference_at_eight_frequencies) {
  const double frequencies[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5};
  const std::pair<const char*, std::vector<double>> rows[] = {
      {"zoh", {0.00314159, 0.00942468, 0.0314125, 0.0941548, 0.310729, 0.601238, 0.853075, 1.18545}},
      {"foh", {1.64493e-05, 1.48040e-04, 0.00164446, 0.0147659, 0.159788, 0.585321, 1.13381, 1.89630}},
      {"soh", {9.30184e-08, 2.51140e-06, 9.29750e-05, 0.00250087, 0.0887226, 0.614717, 1.62141, 3.18545}}};
  for (const auto& [name, expected] : rows) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(coupling_error(named(name), frequencies[i]), expected[i], 1e-5 * expected[i]) << name << " " << i;
  }
}

// Chen et al. 2021, eq. 4.
TEST(HoldResponse, is_the_transfer_function_of_the_paper) {
  const coupling::SampleTiming timing;
  for (const double phase : {1e-3, 0.3, 2.0, 7.0, 40.0}) {
    const Complex s{0.0, phase};
    const Complex hold = (1.0 - std::exp(-s)) / s;
    const Complex expected[] = {hold, (1.0 + s) * hold * hold,
                                (2.0 + 3.0 * s + 2.0 * s * s) / 2.0 * hold * hold * hold};
    const char* names[] = {"zoh", "foh", "soh"};
    for (int order = 0; order < 3; ++order) {
      const auto receiver = coupling::make_receiver(named(names[order]), timing);
      const Complex found = hold_response(*receiver, timing, phase).over_step;
      EXPECT_LT(std::abs(found - expected[order]), 1e-13 * (1.0 + std::abs(expected[order]))) << names[order] << phase;
    }
  }
}

TEST(HoldResponse, at_the_end_of_a_step_is_what_extrapolation_says_there) {
  const coupling::SampleTiming timing;
  const double phase = 0.7;
  const auto back = [&](int n) { return std::polar(1.0, -phase * n); };
  const auto end = [&](const char* name) {
    return hold_response(*coupling::make_receiver(named(name), timing), timing, phase).at_end;
  };
  EXPECT_LT(std::abs(end("zoh") - back(1)), 1e-15);
  EXPECT_LT(std::abs(end("foh") - (2.0 * back(1) - back(2))), 1e-15);
  EXPECT_LT(std::abs(end("soh") - (3.0 * back(1) - 3.0 * back(2) + back(3))), 1e-14);
}

// Slopes 1, 2, 3 over frequency.
TEST(CouplingError, falls_with_the_order_of_the_hold) {
  const char* names[] = {"zoh", "foh", "soh"};
  for (int order = 0; order < 3; ++order) {
    const double slope =
        std::log10(coupling_error(named(names[order]), 1e-2) / coupling_error(named(names[order]), 1e-3));
    EXPECT_NEAR(slope, order + 1.0, 2e-3) << names[order];
  }
}

}  // namespace
}  // namespace seam::analysis
