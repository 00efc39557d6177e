// Loops of direct feed-through at the start, the same natively and as FMUs of both versions, with and without
// directional derivatives, for co-simulation and model exchange.
#include <fmt/format.h>

#include <cmath>

#include "engine/fmu_workshop.hpp"
#include "seam/base/error.hpp"

namespace seam::engine {
namespace {

struct Way {
  int version;         ///< 0: natively
  const char* suffix;  ///< of the FMU's name
  const char* interface;
};
const Way ways[] = {{0, "", ""},        {2, "", "cs"}, {3, "", "cs"}, {2, "-poor", "cs"},
                    {3, "-poor", "cs"}, {2, "", "me"}, {3, "", "me"}};

class InitialLoop : public FmuWorkshop, public ::testing::WithParamInterface<Way> {
 protected:
  /// y = c[0] + c[1] u + c[2] u^2 + c[3] u^3.
  std::string polynomial(std::array<double, 4> c) const {
    const Way& way = GetParam();
    if (way.version == 0) return fmt::format("{{model: polynomial, set: {{coefficients: [{}]}}}}", fmt::join(c, ", "));
    return fmt::format("{{fmu: {}, interface: {}, set: {{c0: {}, c1: {}, c2: {}, c3: {}}}}}",
                       fmu(way.version, std::string("polynomial") + way.suffix), way.interface, c[0], c[1], c[2], c[3]);
  }
  /// A ring; the outputs at the start.
  std::vector<double> start_of(const std::vector<std::array<double, 4>>& parts) {
    const formats::Table table = table_of(text_of(parts));
    std::vector<double> values;
    for (std::size_t i = 0; i < parts.size(); ++i) values.push_back(column(table, fmt::format("g{}.y", i)).front());
    return values;
  }
  std::string text_of(const std::vector<std::array<double, 4>>& parts) const {
    std::string subsystems, connections;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      subsystems += fmt::format("  g{}: {}\n", i, polynomial(parts[i]));
      connections += fmt::format("  - g{}.y -> g{}.u\n", i, (i + 1) % parts.size());
    }
    return "seam: 1\nsubsystems:\n" + subsystems + "connections:\n" + connections +
           "experiment: {stop: 0.01}\nplan: {step: 0.01}\nrecord: {variables: [\"*.*\"]}\n";
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, InitialLoop, ::testing::ValuesIn(ways), [](const auto& named) {
  const Way& way = named.param;
  return way.version == 0 ? std::string("native")
                          : fmt::format("fmi{}{}{}", way.version, way.interface, *way.suffix ? "_poor" : "");
});

// y0 = -3 y1, y1 = 14 + 2 y0
TEST_P(InitialLoop, of_2_linear_has_its_closed_form) {
  const std::vector<double> y = start_of({{0.0, -3.0, 0.0, 0.0}, {14.0, 2.0, 0.0, 0.0}});
  EXPECT_NEAR(y[0], -6.0, 1e-12);
  EXPECT_NEAR(y[1], 2.0, 1e-12);
}

// y0 = 2 - y1^2/2 and y1 = y0: sqrt(5) - 1
TEST_P(InitialLoop, of_2_nonlinear_has_its_closed_form) {
  const std::vector<double> y = start_of({{2.0, 0.0, -0.5, 0.0}, {0.0, 1.0, 0.0, 0.0}});
  EXPECT_NEAR(y[0], std::sqrt(5.0) - 1.0, 1e-12);
  EXPECT_NEAR(y[1], std::sqrt(5.0) - 1.0, 1e-12);
}

TEST_P(InitialLoop, of_20_linear_has_its_closed_form) {
  std::vector<std::array<double, 4>> parts;
  double slope = 1.0, constant = 0.0;  // of the ring as one function of its first input
  for (int i = 0; i < 20; ++i) {
    parts.push_back({0.1 * i, (i % 3 ? 1.0 : -1.0) * (1.3 - 0.04 * i), 0.0, 0.0});
    slope *= parts.back()[1];
    constant = parts.back()[1] * constant + parts.back()[0];
  }
  const std::vector<double> y = start_of(parts);
  double u = constant / (1.0 - slope);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    u = parts[i][0] + parts[i][1] * u;
    EXPECT_NEAR(y[i], u, 1e-11 * std::max(1.0, std::abs(u))) << i;
  }
}

// Rising functions and one falling one: the ring falls, so bisection finds its one fixed point.
TEST_P(InitialLoop, of_20_nonlinear_is_what_bisection_finds) {
  std::vector<std::array<double, 4>> parts;
  for (int i = 0; i < 20; ++i) {
    const double sign = i == 7 ? -1.0 : 1.0;
    parts.push_back({0.05 * i, sign * (0.7 + 0.02 * i), 0.0, sign * 0.03});
  }
  const auto around = [&](long double u) {
    for (const auto& c : parts) u = c[0] + c[1] * u + c[3] * u * u * u;
    return u;
  };
  long double low = -20.0L, high = 20.0L;
  for (int i = 0; i < 200; ++i) {
    const long double middle = 0.5L * (low + high);
    (around(middle) > middle ? low : high) = middle;
  }
  EXPECT_NEAR(start_of(parts).back(), static_cast<double>(low), 1e-11);
}

// 1e9 and 1e-9 in one loop, and a square in it: w = 1e18 x and x = 2e-9 - 1e-27 w^2, so x = 1e-9.
TEST_P(InitialLoop, of_1e9_and_1e_minus_9_is_solved_to_all_digits_in_both) {
  const std::vector<double> y = start_of({{0.0, 1e18, 0.0, 0.0}, {2e-9, 0.0, -1e-27, 0.0}});
  EXPECT_NEAR(y[0] / 1e9, 1.0, 1e-12);
  EXPECT_NEAR(y[1] / 1e-9, 1.0, 1e-12);
}

/// A run with FMUs for co-simulation begins with start values and says so; equations that are known must be solved.
TEST_P(InitialLoop, that_is_singular_is_explained) {
  const std::string text = text_of({{0.0, 2.0, 0.0, 0.0}, {1.0, 0.5, 0.0, 0.0}});  // y0 = y0 + 2
  std::string said;
  try {
    for (const std::string& notice : run_text(text).notices) said += notice;
    EXPECT_STREQ(GetParam().interface, "cs");
  } catch (const base::Error& error) {
    said = error.what();
    EXPECT_STRNE(GetParam().interface, "cs");
  }
  EXPECT_NE(said.find("singular and contradict each other"), std::string::npos) << said;
  EXPECT_NE(said.find("g0.y, g1.y can change together"), std::string::npos) << said;
}

TEST_P(InitialLoop, without_solution_is_explained_with_values) {
  const std::string text = text_of({{1.0, 0.0, 1.0, 0.0}, {0.0, 1.0, 0.0, 0.0}});  // y = 1 + y^2
  std::string said;
  try {
    for (const std::string& notice : run_text(text).notices) said += notice;
  } catch (const base::Error& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("found no solution"), std::string::npos) << said;
  EXPECT_NE(said.find("g0.y = "), std::string::npos) << said;
  EXPECT_NE(said.find("off by "), std::string::npos) << said;
}

}  // namespace
}  // namespace seam::engine
