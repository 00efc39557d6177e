#include "seam/formats/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "seam/base/error.hpp"

namespace seam::formats {
namespace {

std::string parse_error(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const base::Error& error) {
    return error.what();
  }
  return {};
}

TEST(Json, objects_keep_the_order_of_their_entries) {
  const Value value = Value::object({{"z", 1}, {"a", Value::array({true, nullptr, "x"})}});
  EXPECT_EQ(to_json(value, -1), R"({"z":1,"a":[true,null,"x"]})");
  EXPECT_EQ(to_json(parse_json(to_json(value)), -1), to_json(value, -1));
}

TEST(Json, items_that_are_made_while_they_are_written_look_like_all_others) {
  const auto square = [](std::size_t i) { return Value::object({{"square", i * i}}); };
  Value all = Value::array();
  for (std::size_t i = 0; i < 3; ++i) all.push(square(i));
  for (const int indent : {-1, 2}) {
    EXPECT_EQ(to_json(Value::object({{"x", Value::made_array(3, square)}}), indent),
              to_json(Value::object({{"x", all}}), indent));
    EXPECT_EQ(to_json(Value::made_array(0, square), indent), "[]");
  }
}

TEST(Json, numbers_read_back_to_the_same_bits) {
  for (const double number : {0.1, 1.0 / 3.0, 1e300, 5e-324, -0.0, 123456789.125}) {
    const Value back = parse_json(to_json(Value(number)));
    EXPECT_EQ(back.number(), number);
    EXPECT_EQ(std::signbit(back.number()), std::signbit(number));
  }
}

TEST(Json, integers_stay_integers) {
  EXPECT_EQ(to_json(Value(std::int64_t{9007199254740993}), -1), "9007199254740993");
  EXPECT_TRUE(parse_json("9007199254740993").is(Value::Kind::integer));
  EXPECT_EQ(parse_json("9007199254740993").integer(), 9007199254740993);
  EXPECT_TRUE(parse_json("18446744073709551615").is(Value::Kind::real));
}

TEST(Json, what_json_cannot_say_becomes_null) {
  EXPECT_EQ(to_json(Value::array(std::vector<double>{std::nan(""), std::numeric_limits<double>::infinity(), 1.5}), -1),
            "[null,null,1.5]");
}

TEST(Json, comments_and_writings_are_left_out) {
  Value value;
  value.add("a", Value::written(1.1, "1.10"), "a remark");
  EXPECT_EQ(to_json(value, -1), R"({"a":1.1})");
}

TEST(Json, broken_json_is_an_error_with_line_and_column) {
  const std::string message = parse_error("{\n  \"a\": 1,\n  oops\n}");
  EXPECT_EQ(message.rfind("f.json:3:3:", 0), 0u) << message;
  for (const char* text : {"", "{", "[1,", "nul", "\"x", "1 2", "{\"a\" 1}", "1e999", "\"\xFF\""}) {
    EXPECT_NE(parse_error(text).find("not valid JSON"), std::string::npos) << text;
  }
}

TEST(Json, repeated_key_is_an_error) {
  EXPECT_NE(parse_error(R"({"a": 1, "a": 2})").find("given twice"), std::string::npos);
}

TEST(Json, deep_nesting_is_an_error) {
  EXPECT_NE(parse_error(std::string(100'000, '[')).find("nested deeper"), std::string::npos);
}

TEST(Json, find_looks_only_into_objects) {
  const Value value = parse_json(R"({"a": {"b": 2}})");
  EXPECT_EQ(value.find("a")->find("b")->integer(), 2);
  EXPECT_EQ(value.find("b"), nullptr);
  EXPECT_EQ(Value(1).find("a"), nullptr);
}

}  // namespace
}  // namespace seam::formats
