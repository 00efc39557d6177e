#include "seam/system/port_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "seam/system/description.hpp"

namespace seam::system {
namespace {

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

Port port(PortType type, std::string mime_type = {}) {
  Port result;
  result.type = type;
  result.mime_type = std::move(mime_type);
  return result;
}

bool joins(PortType source, PortType sink, SourceKind origin = SourceKind::live) {
  return why_not(port(source), port(sink), origin).empty();
}

TEST(WholeFor, keeps_what_fits_and_refuses_the_first_value_that_does_not) {
  EXPECT_EQ(whole_for(PortType::int8, {127, {}}, PortType::int32), 127);
  EXPECT_FALSE(whole_for(PortType::int8, {128, {}}, PortType::int32));
  EXPECT_EQ(whole_for(PortType::int8, {-128, {}}, PortType::int32), -128);
  EXPECT_FALSE(whole_for(PortType::int8, {-129, {}}, PortType::int32));
  EXPECT_FALSE(whole_for(PortType::uint16, {-1, {}}, PortType::int32));
  EXPECT_EQ(whole_for(PortType::boolean, {1, {}}, PortType::int32), 1);
  EXPECT_FALSE(whole_for(PortType::boolean, {2, {}}, PortType::int32));
}

TEST(WholeFor, minus_one_by_its_bits_is_the_largest_unsigned_number_only_where_it_was_sent_as_one) {
  EXPECT_EQ(whole_for(PortType::uint64, {-1, {}}, PortType::uint64), -1);
  EXPECT_FALSE(whole_for(PortType::int64, {-1, {}}, PortType::uint64));
  EXPECT_FALSE(whole_for(PortType::uint64, {-1, {}}, PortType::int64));
  EXPECT_EQ(whole_for(PortType::int64, {-1, {}}, PortType::int64), -1);
  EXPECT_EQ(real_of({-1, {}}, PortType::uint64), 18446744073709551615.0);
  EXPECT_EQ(text_of({-1, {}}, PortType::uint64), "18446744073709551615");
}

TEST(WholeFor, a_real_number_must_be_whole_and_in_range) {
  EXPECT_EQ(whole_for(PortType::int32, -3.0), -3);
  EXPECT_FALSE(whole_for(PortType::int32, 0.5));
  EXPECT_FALSE(whole_for(PortType::int32, 2147483648.0));
  EXPECT_EQ(whole_for(PortType::int64, -9223372036854775808.0), lowest);
  EXPECT_FALSE(whole_for(PortType::int64, 9223372036854775808.0));
  EXPECT_EQ(whole_for(PortType::uint64, 9223372036854775808.0), lowest) << "2^63 by its bits";
  EXPECT_FALSE(whole_for(PortType::uint64, 18446744073709551616.0));
  EXPECT_FALSE(whole_for(PortType::int64, std::nan("")));
  EXPECT_FALSE(whole_for(PortType::int64, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(whole_for(PortType::uint64, -std::numeric_limits<double>::infinity()));
}

TEST(IsExactReal, a_whole_number_has_as_many_digits_as_a_real_can_keep) {
  const auto exact = [](std::int64_t number, Precision precision = Precision::full, PortType type = PortType::int64) {
    return is_exact_real({number, {}}, type, precision);
  };
  const std::int64_t two_to_53 = std::int64_t{1} << 53, two_to_24 = std::int64_t{1} << 24;
  for (const std::int64_t sign : {1, -1}) {
    EXPECT_TRUE(exact(sign * two_to_53));
    EXPECT_FALSE(exact(sign * (two_to_53 + 1)));
    EXPECT_TRUE(exact(sign * (two_to_53 + 2)));
    EXPECT_TRUE(exact(sign * two_to_24, Precision::single));
    EXPECT_FALSE(exact(sign * (two_to_24 + 1), Precision::single));
  }
  EXPECT_TRUE(exact(0));
  EXPECT_TRUE(exact(std::numeric_limits<std::int64_t>::min()));
  EXPECT_FALSE(exact(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(exact(-1));
  EXPECT_FALSE(exact(-1, Precision::full, PortType::uint64)) << "the largest unsigned number";
}

TEST(WhyNot, widens_and_never_rounds) {
  EXPECT_TRUE(joins(PortType::boolean, PortType::int32));
  EXPECT_TRUE(joins(PortType::int32, PortType::real));
  EXPECT_TRUE(joins(PortType::enumeration, PortType::int64));
  EXPECT_FALSE(joins(PortType::real, PortType::int32));
  EXPECT_TRUE(joins(PortType::real, PortType::int32, SourceKind::known_signal));
}

TEST(WhyNot, texts_go_to_texts_of_their_kind_only) {
  EXPECT_TRUE(joins(PortType::string, PortType::string));
  EXPECT_FALSE(joins(PortType::string, PortType::binary));
  EXPECT_FALSE(joins(PortType::string, PortType::real));
  EXPECT_FALSE(joins(PortType::real, PortType::string, SourceKind::known_signal));
}

TEST(WhyNot, binaries_of_different_kinds_do_not_fit_unless_one_says_nothing) {
  const auto fits = [](const char* from, const char* to) {
    return why_not(port(PortType::binary, from), port(PortType::binary, to), SourceKind::live).empty();
  };
  EXPECT_TRUE(fits("application/x-osi", "application/x-osi"));
  EXPECT_FALSE(fits("application/x-osi", "image/png"));
  EXPECT_TRUE(fits("application/octet-stream", "image/png"));
  EXPECT_TRUE(fits("image/png", ""));
}

TEST(TextOf, shows_binaries_in_hexadecimal_digits) {
  EXPECT_EQ(text_of({0, std::string("\x00\xff", 2)}, PortType::binary), "00ff");
  EXPECT_EQ(text_of({highest, {}}, PortType::int64), "9223372036854775807");
}

}  // namespace
}  // namespace seam::system
