#include "seam/base/problem.hpp"

#include <gtest/gtest.h>

namespace seam::base {
namespace {

std::shared_ptr<const Source> source(const std::string& name, const std::vector<std::string>& lines) {
  return std::make_shared<Source>(Source{name, lines});
}

const auto file = source("car.yaml", {"seam: 1", "plan:", "  step: 1 kg"});

std::string text_of(const Location& where, const std::string& what = "wrong", const std::string& mend = {}) {
  Problems problems;
  problems.add(where, what, mend);
  return problems.text();
}

TEST(Problems, text_is_place_and_what_then_the_line_with_a_caret_then_the_mend) {
  EXPECT_EQ(text_of({file, 3, 9, 4}, "step must be a time", "write 1 ms"),
            "car.yaml:3:9: step must be a time\n"
            "   3 |   step: 1 kg\n"
            "     |         ^^^^\n"
            "   write 1 ms\n");
}

TEST(Problems, what_is_not_known_of_a_place_is_left_out) {
  EXPECT_EQ(text_of({}), "wrong\n");
  EXPECT_EQ(text_of({file, 0, 0, 1}), "car.yaml: wrong\n");
  EXPECT_EQ(text_of({file, 2, 0, 1}), "car.yaml:2: wrong\n   2 | plan:\n");
  EXPECT_EQ(text_of({file, 99, 1, 1}), "car.yaml:99:1: wrong\n");
}

TEST(Problems, caret_stays_on_the_line) {
  EXPECT_EQ(text_of({file, 2, 4, 100}), "car.yaml:2:4: wrong\n   2 | plan:\n     |    ^^\n");
  EXPECT_EQ(text_of({file, 2, 100, 1}), "car.yaml:2:100: wrong\n   2 | plan:\n     |      ^\n");
  EXPECT_EQ(text_of({file, 2, 1, 0}), "car.yaml:2:1: wrong\n   2 | plan:\n     | ^\n");
}

TEST(Problems, are_ordered_by_place_and_equal_places_as_they_were_added) {
  Problems problems;
  problems.add({file, 3, 9, 1}, "fourth");
  problems.add({file, 2, 1, 1}, "second");
  problems.add({file, 3, 1, 1}, "third");
  problems.add({file, 3, 9, 1}, "fifth");
  problems.add({source("bus.yaml", {}), 7, 1, 1}, "first");
  const std::string text = problems.text();
  std::size_t before = 0;
  for (const char* word : {"first", "second", "third", "fourth", "fifth"}) {
    const std::size_t at = text.find(word);
    ASSERT_NE(at, std::string::npos) << word;
    EXPECT_GE(at, before) << word;
    before = at;
  }
}

TEST(Problems, fields_of_megabytes_are_cut_in_their_middle) {
  const std::string text =
      text_of({}, "\"" + std::string(5'000'000, 'x') + "ü\" is no number", std::string(5'000, 'y'));
  EXPECT_LT(text.size(), 2'100u);
  EXPECT_EQ(text.substr(0, 3), "\"xx");
  EXPECT_NE(text.find("x … x"), std::string::npos);
  EXPECT_NE(text.find("xü\" is no number\n"), std::string::npos);
}

TEST(Problems, more_than_the_limit_are_counted) {
  Problems problems;
  for (int i = 0; i < 25; ++i) problems.add({}, "problem " + std::to_string(i));
  EXPECT_NE(problems.text().find("problem 19\n"), std::string::npos);
  EXPECT_EQ(problems.text().find("problem 20\n"), std::string::npos);
  EXPECT_TRUE(problems.text().ends_with("\nand 5 more\n"));
  EXPECT_EQ(problems.text(25).find("more"), std::string::npos);
}

TEST(Problems, control_characters_never_reach_the_terminal) {
  const auto wild = source("wild.yaml", {std::string("a\tb\x1b[2Jc\x7f\0d", 11)});
  const std::string text = text_of({wild, 1, 1, 1}, "there is no \"x\x1b[31m\a\"", "did you mean \"y\x1b\"?");
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)) << static_cast<int>(c);
  }
  EXPECT_NE(text.find("   1 | a b [2Jc  d\n"), std::string::npos) << text;
}

TEST(Problems, long_lines_are_cut_around_the_caret) {
  std::string line(10000, '.');
  line[5000] = 'X';
  const std::string text = text_of({source("long.yaml", {line}), 1, 5001, 1});
  EXPECT_LT(text.size(), 400u);
  const std::size_t shown = text.find("| ") + 2, under = text.find("| ", shown) + 2;
  EXPECT_EQ(text.find('X') - shown, text.find('^') - under);
}

// A letter of several bytes is not cut in two: half of one is no text.
TEST(Problems, long_lines_are_cut_between_letters) {
  std::string line;
  for (int i = 0; i < 200; ++i) line += "ä";
  for (const char* begin : {"", "x"}) {
    const std::string text = text_of({source("long.yaml", {begin + line}), 1, 1, 1});
    const std::size_t end = text.find('\n', text.find(" | "));
    EXPECT_EQ(text[end - 1], "ä"[1]) << begin;
  }
}

TEST(Problems, the_same_at_the_same_place_is_said_once) {
  Problems problems;
  problems.add({file, 3, 9, 4}, "wrong");
  problems.add({file, 3, 9, 4}, "wrong");
  EXPECT_EQ(problems.size(), 1u);
  problems.add({file, 3, 10, 4}, "wrong");
  problems.add({file, 3, 9, 4}, "also wrong");
  EXPECT_EQ(problems.size(), 3u);
}

TEST(Problems, require_none_throws_them_all) {
  Problems problems;
  EXPECT_NO_THROW(require_none(problems));
  problems.add({}, "one");
  Problems more;
  more.add({}, "two");
  problems.append(more);
  try {
    require_none(problems);
    FAIL();
  } catch (const ProblemsFound& found) {
    EXPECT_EQ(found.problems().size(), 2u);
    EXPECT_STREQ(found.what(), problems.text().c_str());
  }
}

TEST(Problems, mended_things_are_one_line_to_the_lenient_and_problems_to_the_strict) {
  Problems lenient, strict(Strictness::strict);
  for (Problems* problems : {&lenient, &strict}) {
    problems->mended({}, "a=\"\" as none");
    problems->mended({}, "a=\"\" as none");
    for (const char* name : {"b", "b", "c", "d", "e", "f", "g", "h"}) problems->mended({}, "files elsewhere", name);
  }
  EXPECT_TRUE(lenient.empty());
  EXPECT_EQ(
      lenient.mended_words(),
      "read leniently (--strict refuses it): a=\"\" as none (2 times); files elsewhere: b, c, d, e, f and 2 more");
  EXPECT_EQ(strict.size(), 8u) << strict.text();
  EXPECT_EQ(strict.mended_words(), "");
}

}  // namespace
}  // namespace seam::base
