#include "seam/fmi/description/values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seam::fmi {
namespace {

std::optional<Values> parsed(Type type, const std::string& text) {
  std::string reason;
  auto values = parse_values(type, {text}, reason);
  EXPECT_EQ(values.has_value(), reason.empty()) << text << ": " << reason;
  return values;
}

std::int64_t integer(Type type, const std::string& text) {
  const auto values = parsed(type, text);
  EXPECT_TRUE(values) << text;
  return values ? values->integers.at(0) : -424242;
}

double real(const std::string& text, Type type = Type::float64) {
  const auto values = parsed(type, text);
  EXPECT_TRUE(values) << text;
  return values ? values->reals.at(0) : -424242.0;
}

struct Ends {
  Type type;
  const char *low, *high, *below, *above;
};
const Ends all_ends[] = {
    {Type::int8, "-128", "127", "-129", "128"},
    {Type::uint8, "0", "255", "-1", "256"},
    {Type::int16, "-32768", "32767", "-32769", "32768"},
    {Type::uint16, "0", "65535", "-1", "65536"},
    {Type::int32, "-2147483648", "2147483647", "-2147483649", "2147483648"},
    {Type::uint32, "0", "4294967295", "-1", "4294967296"},
    {Type::int64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"},
    {Type::uint64, "0", "18446744073709551615", "-1", "18446744073709551616"},
};

TEST(Values, integers_reach_from_end_to_end_of_their_type_and_no_farther) {
  for (const Ends& ends : all_ends) {
    const bool by_bits = ends.type == Type::uint64;
    EXPECT_EQ(std::to_string(integer(ends.type, ends.low)), ends.low);
    EXPECT_EQ(by_bits ? std::to_string(static_cast<std::uint64_t>(integer(ends.type, ends.high)))
                      : std::to_string(integer(ends.type, ends.high)),
              ends.high);
    EXPECT_FALSE(parsed(ends.type, ends.below)) << ends.below;
    EXPECT_FALSE(parsed(ends.type, ends.above)) << ends.above;
  }
}

TEST(Values, what_is_no_integer_is_refused) {
  for (const char* text : {"", " ", "1.0", "1e3", "0x10", "one", "true", "1 2", "--1", "+-1", "-", "+", "1,000"}) {
    EXPECT_FALSE(parsed(Type::int32, text)) << text;
  }
  EXPECT_EQ(integer(Type::int32, "+5"), 5);
  EXPECT_EQ(integer(Type::int32, "-0"), 0);
  EXPECT_EQ(integer(Type::uint8, "-0"), 0);
  EXPECT_EQ(integer(Type::int32, " \t12\n"), 12);
}

TEST(Values, reals_are_read_exactly_and_without_the_locale) {
  EXPECT_EQ(real("0.1"), 0.1);
  EXPECT_EQ(real("+1.5e-3"), 1.5e-3);
  EXPECT_EQ(real("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(real("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(real("-0")));
  EXPECT_EQ(real(" 2 "), 2.0);
}

TEST(Values, infinity_and_not_a_number_are_as_xml_has_them) {
  EXPECT_EQ(real("INF"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(real("-INF"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(real("NaN")));
}

TEST(Values, what_is_no_real_is_refused) {
  for (const char* text : {"", "1,5", "1.5 m", "0x1p3", "1e", "e5", "true", "1e999", "+-1", "++1", "."}) {
    EXPECT_FALSE(parsed(Type::float64, text)) << text;
  }
}

// XML knows INF and NaN alone; other words must not slip through std::from_chars.
TEST(Values, other_words_for_infinity_are_refused) {
  for (const char* text : {"inf", "infinity", "-inf", "nan", "nan(1)"})
    EXPECT_FALSE(parsed(Type::float64, text)) << text;
}

TEST(Values, float32_beyond_its_range_is_refused) {
  EXPECT_EQ(real("0.25", Type::float32), 0.25);
  EXPECT_FALSE(parsed(Type::float32, "1e39"));
}

TEST(Values, booleans_are_words_or_0_and_1) {
  for (const char* text : {"true", "1"}) EXPECT_EQ(integer(Type::boolean, text), 1);
  for (const char* text : {"false", "0"}) EXPECT_EQ(integer(Type::boolean, text), 0);
  for (const char* text : {"True", "yes", "2", "-1", "", "truefalse"})
    EXPECT_FALSE(parsed(Type::boolean, text)) << text;
}

TEST(Values, strings_are_kept_as_they_are) {
  EXPECT_EQ(parsed(Type::string, "  a <text> ")->texts.at(0), "  a <text> ");
  EXPECT_EQ(parsed(Type::string, "")->texts.at(0), "");
}

TEST(Values, arrays_are_read_in_order_and_one_bad_element_spoils_them) {
  std::string reason;
  const auto values = parse_values(Type::int16, {"3", "-2", "1"}, reason);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->integers, (std::vector<std::int64_t>{3, -2, 1}));
  EXPECT_EQ(values->size(Type::int16), 3u);
  EXPECT_EQ(values->size(Type::string), 0u);
  EXPECT_FALSE(parse_values(Type::int16, {"3", "40000", "1"}, reason));
  EXPECT_EQ(reason, "\"40000\" is no Int16");
}

TEST(Values, each_type_has_one_store_and_a_word_for_a_person) {
  EXPECT_EQ(store_of(Type::float32), Store::reals);
  EXPECT_EQ(store_of(Type::float64), Store::reals);
  for (const Type type : {Type::int8, Type::uint64, Type::boolean, Type::enumeration})
    EXPECT_EQ(store_of(type), Store::integers);
  EXPECT_EQ(store_of(Type::string), Store::texts);
  EXPECT_EQ(store_of(Type::binary), Store::texts);
  EXPECT_EQ(type_word(Type::float64, Version::fmi2), "Real");
  EXPECT_EQ(type_word(Type::int32, Version::fmi2), "Integer");
  EXPECT_EQ(type_word(Type::float64, Version::fmi3), "Float64");
  EXPECT_EQ(type_word(Type::int32, Version::fmi3), "Int32");
  EXPECT_EQ(type_word(Type::boolean, Version::fmi3), "Boolean");
  EXPECT_EQ(type_word(Type::enumeration, Version::fmi2), "Enumeration");
  EXPECT_EQ(type_word(Type::clock, Version::fmi3), "Clock");
}

}  // namespace
}  // namespace seam::fmi
