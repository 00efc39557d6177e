#include "seam/formats/yaml_writer.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "seam/formats/yaml.hpp"

namespace seam::formats {
namespace {

std::shared_ptr<const Node> read_back(const std::string& yaml) {
  base::Problems problems;
  auto node = read_yaml(yaml, "back", problems);
  EXPECT_TRUE(problems.empty()) << yaml << problems.text();
  return node;
}

TEST(YamlWriter, file_looks_like_one_a_person_wrote) {
  Value part = Value::object({{"from", "a.y"}, {"to", "b.u"}});
  Value value = Value::object({{"seam", 1}});
  value.add("plan", Value::object({{"step", 1e-3, "default"}, {"coupling", "foh"}}), "remark");
  value.add("A", Value::array({Value::array({0, 1}), Value::array({-4, -0.2})}));
  value.add("connections", Value::array({"a.y -> b.u", part}));
  value.add("none", Value::object());
  EXPECT_EQ(to_yaml(value),
            "seam: 1\n"
            "plan:  # remark\n"
            "  step: 0.001  # default\n"
            "  coupling: foh\n"
            "A: [[0, 1], [-4, -0.2]]\n"
            "connections:\n"
            "  - a.y -> b.u\n"
            "  - from: a.y\n"
            "    to: b.u\n"
            "none: {}\n");
}

TEST(YamlWriter, every_text_is_read_back_as_that_text) {
  for (const std::string text : {"",
                                 " ",
                                 "plain",
                                 "two words",
                                 "null",
                                 "~",
                                 "true",
                                 "No",
                                 "1",
                                 "1e3",
                                 "0x10",
                                 "1_000",
                                 "12:30",
                                 ".5",
                                 ".inf",
                                 "-",
                                 "- x",
                                 "? x",
                                 "a: b",
                                 "a:",
                                 ":a",
                                 "a #b",
                                 "#a",
                                 "[1]",
                                 "a, b",
                                 "{x}",
                                 "a.{x, y} -> b",
                                 "*x",
                                 "&x",
                                 "!x",
                                 "|",
                                 ">",
                                 "%x",
                                 "@x",
                                 "`x",
                                 "'",
                                 "\"",
                                 "\\",
                                 "a\"b",
                                 "tab\there",
                                 "line\nbreak",
                                 "trailing ",
                                 " leading",
                                 "\x01",
                                 "µ °C",
                                 "<<",
                                 "=",
                                 "---",
                                 "...",
                                 "wheel[1].radius",
                                 "3 kg",
                                 "C:\\x",
                                 "-1",
                                 "+",
                                 "a\rb"}) {
    for (const Value& value : {Value::array({text}), Value::object({{text.empty() ? "k" : text, text}})}) {
      const auto node = read_back(to_yaml(value));
      ASSERT_TRUE(node) << text;
      const Node& scalar = node->kind == Node::Kind::sequence ? *node->items.at(0) : *node->entries.at(0).value;
      EXPECT_EQ(scalar.kind, Node::Kind::scalar) << text;
      EXPECT_EQ(scalar.text, text);
      if (node->kind == Node::Kind::map && !text.empty()) {
        EXPECT_EQ(node->entries[0].key, text);
      }
    }
  }
}

TEST(YamlWriter, text_that_looks_like_something_else_is_quoted) {
  for (const char* text : {"1", "1.5e3", "true", "null", "0x10", ".nan", "2024-01-01"}) {
    EXPECT_TRUE(read_back(to_yaml(Value::array({text})))->items[0]->quoted) << text;
  }
  EXPECT_EQ(yaml_scalar("3 kg"), "3 kg");
}

TEST(YamlWriter, numbers_that_are_none_are_written_as_yaml_has_them) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_yaml(Value::array({std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})),
            "[.nan, .inf, -.inf]\n");
}

TEST(YamlWriter, writing_of_a_number_is_kept) {
  EXPECT_EQ(to_yaml(Value::array({Value::written(1.1, "1.10")})), "[1.10]\n");
}

TEST(YamlWriter, long_arrays_go_below_each_other) {
  Value value;
  value.add("x", Value::array(std::vector<double>(60, 0.125)));
  const std::string yaml = to_yaml(value);
  EXPECT_EQ(yaml.rfind("x:\n  - 0.125\n  - 0.125\n", 0), 0u);
  EXPECT_EQ(read_back(yaml)->find("x")->items.size(), 60u);
}

TEST(YamlWriter, nested_lists_and_maps_are_read_back_in_shape) {
  Value inner = Value::object(
      {{"a", Value::array({Value::object({{"b", 1}, {"c", Value::array({Value::object({{"d", 2}})})}})})}});
  const auto node = read_back(to_yaml(Value::array({inner, Value::array({inner}), "x"})));
  EXPECT_EQ(node->items[0]->find("a")->items[0]->find("c")->items[0]->find("d")->text, "2");
  EXPECT_EQ(node->items[1]->items[0]->find("a")->items[0]->find("b")->text, "1");
  EXPECT_EQ(node->items[2]->text, "x");
}

TEST(YamlWriter, a_comment_cannot_break_out_of_its_line) {
  Value value;
  value.add("a", 1, "first\nb: 2");
  EXPECT_EQ(to_yaml(value), "a: 1  # first b: 2\n");
}

}  // namespace
}  // namespace seam::formats
