#include "seam/formats/yaml.hpp"

#include <gtest/gtest.h>

#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

using namespace std::string_literals;

struct Read {
  std::shared_ptr<const Node> node;
  base::Problems problems;
};

Read read(std::string text) {
  Read result;
  result.node = read_yaml(std::move(text), "f.yaml", result.problems);
  return result;
}

// The text is refused with exactly one problem, which says this.
void expect_refused(const Read& read, const std::string& what) {
  EXPECT_EQ(read.node, nullptr);
  ASSERT_EQ(read.problems.size(), 1u) << read.problems.text();
  EXPECT_NE(read.problems.all()[0].what.find(what), std::string::npos) << read.problems.text();
}

TEST(Yaml, tree_knows_kinds_texts_and_places) {
  const Read r = read("a: 1\nlist:\n  - x\n  - 'y z'\nnothing:\n");
  ASSERT_TRUE(r.node);
  EXPECT_TRUE(r.problems.empty());
  EXPECT_EQ(r.node->kind, Node::Kind::map);
  EXPECT_EQ(r.node->find("a")->text, "1");
  const Node& list = *r.node->find("list");
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_FALSE(list.items[0]->quoted);
  EXPECT_TRUE(list.items[1]->quoted);
  EXPECT_EQ(list.items[1]->where.line, 4);
  EXPECT_EQ(list.items[1]->where.column, 5);
  EXPECT_EQ(list.items[1]->where.length, 5);  // with its quotes
  EXPECT_EQ(r.node->find("nothing")->kind, Node::Kind::null);
  EXPECT_EQ(r.node->find("nothing")->where.line, 5);
  EXPECT_EQ(r.node->find("none"), nullptr);
  EXPECT_EQ(r.node->entries[1].key_where.line, 2);
  EXPECT_EQ(r.node->entries[1].key_where.length, 4);
}

TEST(Yaml, places_are_right_behind_windows_line_ends_and_a_byte_order_mark) {
  const Read r = read(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: two\r\n");
  ASSERT_TRUE(r.node);
  EXPECT_EQ(r.node->entries[0].key, "a");
  EXPECT_EQ(r.node->find("b")->text, "two");
  EXPECT_EQ(r.node->find("b")->where.line, 2);
  EXPECT_EQ(r.node->find("b")->where.column, 4);
}

TEST(Yaml, json_is_yaml) {
  const Read r = read("{\"a\":[1,2,{\"b\":\"x\"}],\n\t\"c\":true}");
  ASSERT_TRUE(r.node) << r.problems.text();
  EXPECT_EQ(r.node->find("a")->items[2]->find("b")->text, "x");
  EXPECT_EQ(r.node->find("c")->text, "true");
}

TEST(Yaml, duplicate_key_is_a_problem_at_the_second_key) {
  const Read r = read("a: 1\nb: 2\na: 3\n");
  ASSERT_EQ(r.problems.size(), 1u);
  const base::Problem& problem = r.problems.all()[0];
  EXPECT_EQ(problem.where.line, 3);
  EXPECT_EQ(problem.what, "\"a\" is given twice");
  EXPECT_NE(problem.mend.find("line 1"), std::string::npos);
  EXPECT_EQ(r.node->find("a")->text, "1");
}

TEST(Yaml, merge_key_is_a_problem) {
  const Read r = read("base: &b {x: 1}\nc:\n  <<: *b\n");
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_NE(r.problems.all()[0].what.find("merge keys"), std::string::npos);
  EXPECT_EQ(r.problems.all()[0].where.line, 3);
}

TEST(Yaml, tags_are_a_problem) { EXPECT_EQ(read("a: !!python/object:os.system ls").problems.size(), 1u); }

TEST(Yaml, tab_indentation_gets_a_readable_problem_at_the_tab) {
  const std::pair<const char*, int> cases[] = {
      {"a:\n\tb: 1\n\tc: 2\n", 2}, {"a:\n  b: 1\n\tc: 2\n", 3}, {"list:\n\t- x: 1\n\t  y: 2\n", 2}};
  for (const auto& [text, line] : cases) {
    const Read r = read(text);
    expect_refused(r, "a tab cannot indent YAML; use spaces");
    EXPECT_EQ(r.problems.all()[0].where.line, line) << text;
    EXPECT_EQ(r.problems.all()[0].where.column, 1) << text;
  }
}

TEST(Yaml, tabs_inside_texts_are_no_problem) {
  const Read r = read("a: |\n  x\n  \ty\nb: 1\t# remark\n");
  ASSERT_TRUE(r.node) << r.problems.text();
  EXPECT_EQ(r.node->find("a")->text, "x\n\ty\n");
}

TEST(Yaml, alias_is_the_same_value) {
  const Read r = read("a: &x [1, 2]\nb: *x\n");
  ASSERT_TRUE(r.node);
  EXPECT_EQ(r.node->find("b")->items[1]->text, "2");
}

TEST(Yaml, alias_bomb_is_refused_without_being_expanded) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 9; ++j) text += ", " + last;
    text += "]\n";
  }
  expect_refused(read(text), "expands to more than 2000000");
}

TEST(Yaml, nesting_by_aliases_counts_as_nesting) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 70; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  expect_refused(read(text), "nested deeper than 64");
}

TEST(Yaml, alias_inside_its_own_value_is_a_problem) {
  expect_refused(read("a: &x [1, *x]\n"), "inside the value it names");
}

TEST(Yaml, alias_without_an_anchor_is_a_problem) {
  const Read r = read("a: *nowhere\n");
  expect_refused(r, "not valid YAML");
  EXPECT_EQ(r.problems.all()[0].where.line, 1);
}

TEST(Yaml, thousand_levels_in_flow_style_are_refused) {
  expect_refused(read(std::string(1000, '[') + std::string(1000, ']')), "nested deeper than 64");
  expect_refused(read(std::string(1'000'000, '[')), "nested deeper than 64");
  std::string maps;
  for (int i = 0; i < 1000; ++i) maps += "{a: ";
  expect_refused(read(maps), "nested deeper than 64");
}

TEST(Yaml, thousand_levels_in_block_style_are_refused) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  expect_refused(read(text), "nested deeper than 64");
  std::string dashes;
  for (int i = 0; i < 1000; ++i) dashes += "- ";
  expect_refused(read(dashes + "x"), "nested deeper than 64");
}

TEST(Yaml, sixty_four_levels_are_read) {
  EXPECT_TRUE(read(std::string(64, '[') + std::string(64, ']')).node);
  EXPECT_FALSE(read(std::string(65, '[') + std::string(65, ']')).node);
}

TEST(Yaml, several_documents_are_a_problem_at_the_second) {
  const Read r = read("a: 1\n---\nb: 2\n");
  expect_refused(r, "second document");
  EXPECT_EQ(r.problems.all()[0].where.line, 2);
}

TEST(Yaml, a_leading_document_marker_is_fine) { EXPECT_TRUE(read("---\na: 1\n").node); }

TEST(Yaml, what_does_not_belong_to_the_value_is_a_problem) {
  expect_refused(read("[1, 2]\n[3]\n"), "does not continue");
}

TEST(Yaml, empty_file_is_a_problem) {
  expect_refused(read(""), "the file is empty");
  expect_refused(read("\n\n"), "the file is empty");
  expect_refused(read("# only a remark\n"), "the file is empty");
}

TEST(Yaml, binary_file_is_a_problem_with_its_place) {
  const Read r = read("a: 1\nb: \0\x01"s);
  expect_refused(r, "not a text file");
  EXPECT_EQ(r.problems.all()[0].where.line, 2);
  EXPECT_EQ(r.problems.all()[0].where.column, 4);
  expect_refused(read("a: \xFF\n"), "not a text file");
  expect_refused(read("PK\x03\x04"), "not a text file");
}

TEST(Yaml, huge_file_is_a_problem) {
  expect_refused(read(std::string(largest_text_file + 1, 'x')), "larger than 16 MiB");
}

TEST(Yaml, a_matrix_of_500_by_500_is_read) {
  std::string text = "A:\n";
  for (int i = 0; i < 500; ++i) {
    text += "  - [0";
    for (int k = 1; k < 500; ++k) text += ", " + std::to_string(k);
    text += "]\n";
  }
  const Read r = read(text);
  ASSERT_TRUE(r.node) << r.problems.text();
  EXPECT_EQ(r.node->find("A")->items[499]->items[499]->text, "499");
}

TEST(Yaml, too_many_values_are_a_problem) {
  std::string text = "a: &a [";
  for (int i = 0; i < 20'000; ++i) text += "1,";
  text += "1]\nb: [";
  for (int i = 0; i < 100; ++i) text += "*a, ";
  expect_refused(read(text + "1]"), "more than 2000000 values");
}

// yaml-cpp would keep the whole line before it says that the second value has no place there.
TEST(Yaml, a_line_of_brackets_without_end_is_refused_before_it_is_parsed) {
  std::string text;
  for (int i = 0; i < 2'100'000; ++i) text += "[],";
  expect_refused(read(text), "more than 2000000 values");
}

TEST(Yaml, many_keys_are_read_in_linear_time) {
  std::string text;
  for (int i = 0; i < 90'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  const Read r = read(text);
  ASSERT_TRUE(r.node) << r.problems.text();
  EXPECT_EQ(r.node->entries.size(), 90'000u);
}

TEST(Yaml, keys_that_are_no_text_are_a_problem) {
  expect_refused(read("? [1, 2]\n: x\n"), "a key must be text");
  expect_refused(read("{{a: 1}: 2}"), "a key must be text");
  expect_refused(read("~: 1\n"), "a key must be text");
}

TEST(Yaml, broken_yaml_is_a_problem_with_its_place) {
  for (const char* text : {"a: [1, 2\n", "a: {b: 1\nc: 2\n", "a: b: c\n", "a: 'x\n", "a: 1\n b: 2\n", "@x",
                           "a: \"\\q\"", "%YAML 9.9.9\n---\na", "a: &\n", "}", "- 1\nb: 2\n"}) {
    const Read r = read(text);
    EXPECT_EQ(r.node, nullptr) << text;
    ASSERT_EQ(r.problems.size(), 1u) << text;
    EXPECT_GE(r.problems.all()[0].where.line, 1) << text << r.problems.text();
  }
}

TEST(Yaml, quote_that_is_never_closed_is_a_problem_where_it_opens) {
  for (const char* text : {"a: 'x\n", "a: \"x", "a: &n 'x''", "a: \"x\\\"\nb: 1\n"}) {
    const Read r = read(text);
    expect_refused(r, "");
    EXPECT_EQ(r.problems.all()[0].where.line, 1) << r.problems.text();
  }
  EXPECT_TRUE(read("a: 'it''s'\nb: \"q\\\"\"\nc: 'two\n  lines'\nd: &n \"x\"\n").problems.empty());
}

TEST(Yaml, bracket_that_is_never_closed_is_a_problem_where_it_opens) {
  for (const char* text : {"a: 1\nb: [1, 2\n", "a: 1\nb: {c: 1\n", "a: 1\nb: [1, 2"}) {
    const Read r = read(text);
    expect_refused(r, "this bracket is never closed");
    EXPECT_EQ(r.problems.all()[0].where.line, 2) << text;
    EXPECT_EQ(r.problems.all()[0].where.column, 4) << text;
  }
}

TEST(Yaml, name_with_brackets_inside_braces_gets_the_advice_to_quote_it) {
  const Read r = read("a: {wheel[1].r: 3}\n");
  expect_refused(r, "not valid YAML");
  EXPECT_NE(r.problems.all()[0].mend.find("quoted"), std::string::npos);
}

TEST(Yaml, every_beginning_of_a_file_is_read_or_refused_but_never_crashes) {
  const std::string text =
      "seam: 1\nsubsystems:\n  a: &x {model: \"m\", set: {k: [1, 2], 'q': ~}}\n  b: *x\n? |\n  t\n: >-\n  f\n  g\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Read r = read(text.substr(0, length));
    EXPECT_TRUE(r.node || !r.problems.empty()) << length;
  }
}

}  // namespace
}  // namespace seam::formats
