#include "seam/fmi/description/initial_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace seam::fmi {
namespace {

constexpr std::array causalities{Causality::structural_parameter,
                                 Causality::parameter,
                                 Causality::calculated_parameter,
                                 Causality::input,
                                 Causality::output,
                                 Causality::local,
                                 Causality::independent};
constexpr std::array variabilities{Variability::constant, Variability::fixed, Variability::tunable,
                                   Variability::discrete, Variability::continuous};

// The cells of FMI 3.0.2's table "definition of initial", row by row as printed: - not allowed, E exact only,
// B calculated or approx, C all three; I (inputs) exact in FMI 3 and nothing in FMI 2; T allowed, but without initial.
constexpr std::array<std::string_view, 5> cells{"----EE-", "EEB--B-", "EEB--B-", "---ICC-", "---ICCT"};

char cell(std::size_t row, std::size_t column) { return cells[row][column]; }

TEST(InitialTable, combinations_are_those_of_the_standards) {
  for (std::size_t row = 0; row < variabilities.size(); ++row) {
    for (std::size_t column = 0; column < causalities.size(); ++column) {
      EXPECT_EQ(is_allowed(causalities[column], variabilities[row]), cell(row, column) != '-') << row << column;
    }
  }
}

TEST(InitialTable, defaults_are_those_of_the_standards) {
  for (std::size_t row = 0; row < variabilities.size(); ++row) {
    for (std::size_t column = 0; column < causalities.size(); ++column) {
      const char kind = cell(row, column);
      const auto two = default_initial(Version::fmi2, causalities[column], variabilities[row]);
      const auto three = default_initial(Version::fmi3, causalities[column], variabilities[row]);
      const std::optional<Initial> expected = kind == 'E' || kind == 'I'   ? std::optional(Initial::exact)
                                              : kind == 'B' || kind == 'C' ? std::optional(Initial::calculated)
                                                                           : std::nullopt;
      EXPECT_EQ(three, expected) << row << column;
      EXPECT_EQ(two, kind == 'I' ? std::nullopt : three) << row << column;
    }
  }
}

TEST(InitialTable, values_that_may_be_written_are_those_of_the_standards) {
  for (std::size_t row = 0; row < variabilities.size(); ++row) {
    for (std::size_t column = 0; column < causalities.size(); ++column) {
      const auto may = [&](Initial initial) {
        return may_be_written(Version::fmi3, causalities[column], variabilities[row], initial);
      };
      const char kind = cell(row, column);
      EXPECT_EQ(may(Initial::exact), kind == 'E' || kind == 'C' || kind == 'I') << row << column;
      EXPECT_EQ(may(Initial::approx), kind == 'B' || kind == 'C') << row << column;
      EXPECT_EQ(may(Initial::calculated), kind == 'B' || kind == 'C') << row << column;
    }
  }
  EXPECT_FALSE(may_be_written(Version::fmi2, Causality::input, Variability::continuous, Initial::exact));
}

}  // namespace
}  // namespace seam::fmi
