#include "seam/formats/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
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

TEST(Number, round_numbers_are_written_as_a_person_would) {
  EXPECT_EQ(number_text(0.0001), "0.0001");
  EXPECT_EQ(number_text(-100000.0), "-100000");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(number_text(1.5e300), "1.5e+300");
}

/// Digits of a decimal number without zeros at its ends.
std::size_t significant_digits(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  return digits.find_last_not_of('0') + 1;
}

TEST(Number, no_form_that_reads_back_has_fewer_digits) {
  std::mt19937_64 random(20261116);
  for (int i = 0; i < 100'000; ++i) {
    const double number = i % 2 ? std::bit_cast<double>(random()) : static_cast<double>(random() % 1'000'000) / 1000.0;
    if (!std::isfinite(number)) continue;
    char other[longest_number];
    const char* const end = std::to_chars(other, other + longest_number, number, std::chars_format::scientific).ptr;
    ASSERT_EQ(significant_digits(number_text(number)),
              significant_digits({other, static_cast<std::size_t>(end - other)}))
        << number_text(number);
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
