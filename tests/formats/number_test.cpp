#include "seam/formats/number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace seam::formats {
namespace {

TEST(Number, written_form_reads_back_to_the_same_bits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const NumberRead read = read_number(number_text(number));
    ASSERT_EQ(read.reading, Reading::number) << number_text(number);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.number), std::bit_cast<std::uint64_t>(number));
  }
}

TEST(Number, longest_writing_fits_the_promised_room) {
  EXPECT_LE(number_text(-std::numeric_limits<double>::denorm_min()).size(), longest_number);
  EXPECT_LE(number_text(-1.7976931348623157e308).size(), longest_number);
  EXPECT_LE(number_text(-2.2250738585072014e-308).size(), longest_number);
}

TEST(Number, shortest_form_is_written) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(-std::nan("")), "nan");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
}

/// The library's own writing is the oracle.
void expect_as_the_library_writes(double number) {
  char ours[2 * longest_number], theirs[longest_number];
  std::fill(ours, ours + longest_number, '?');
  std::fill(ours + longest_number, std::end(ours), '#');
  const std::string_view written(ours, static_cast<std::size_t>(write_number(ours, number) - ours));
  const char* const end = std::to_chars(theirs, theirs + longest_number, number).ptr;
  ASSERT_EQ(written, std::string_view(theirs, static_cast<std::size_t>(end - theirs)));
  ASSERT_EQ(std::count(ours + longest_number, std::end(ours), '#'), longest_number) << number << ": beyond its room";
}

TEST(Number, every_power_of_two_and_its_neighbours_are_written_as_the_library_does) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const double number : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e308), 3.0 * power, -power})
      ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(number));
  }
}

TEST(Number, numbers_of_all_sizes_are_written_as_the_library_does) {
  std::mt19937_64 random(20261116);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto any = std::bit_cast<double>(random());
    if (!std::isnan(any)) {
      ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(any));
    }
    const double usual =
        (static_cast<double>(random()) / 1e19 - 0.7) * std::pow(10.0, static_cast<int>(random() % 24) - 6);
    ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(usual));
  }
}

TEST(Number, numbers_of_few_digits_are_written_as_the_library_does) {
  for (int digits = 1; digits < 2000; ++digits) {
    for (int exponent = -330; exponent < 309; exponent += digits < 100 ? 1 : 17) {
      const double number = std::strtod((std::to_string(digits) + "e" + std::to_string(exponent)).c_str(), nullptr);
      ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(number));
    }
    ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(digits / 1000.0));
    ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(1e-3 * digits));
    ASSERT_NO_FATAL_FAILURE(expect_as_the_library_writes(digits * 1000003.0));
  }
}

TEST(Number, decimal_forms_are_numbers) {
  for (const char* text : {"1", "+1", "-1", "1.", ".5", "1.5e3", "1E-3", "007", "1e+3"}) {
    EXPECT_EQ(read_number(text).reading, Reading::number) << text;
  }
  EXPECT_EQ(read_number("+1.5e1").number, 15.0);
}

TEST(Number, everything_else_is_not) {
  for (const char* text :
       {"", "0x10", "1,5", "1_000", " 1", "1 ", ".", "e3", "1e", "--1", "+-1", "nan", "inf", "1.2.3"}) {
    EXPECT_EQ(read_number(text).reading, Reading::not_a_number) << text;
  }
}

TEST(Number, out_of_range_is_said_and_not_turned_into_infinity) {
  EXPECT_EQ(read_number("1e999").reading, Reading::out_of_range);
}

TEST(Number, leading_number_ends_where_its_unit_begins) {
  EXPECT_EQ(number_length("1.5e3ms"), 5u);
  EXPECT_EQ(number_length("5e"), 1u);
  EXPECT_EQ(number_length("-3 kg"), 2u);
  EXPECT_EQ(number_length("kg"), 0u);
}

TEST(Number, locale_does_not_matter) {
  const char* comma_locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  for (const char* name : comma_locales) {
    if (std::setlocale(LC_ALL, name)) break;
  }
  const std::string text = number_text(1.5);
  const double number = read_number("2.5").number;
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(text, "1.5");
  EXPECT_EQ(number, 2.5);
}

}  // namespace
}  // namespace seam::formats
