#include "seam/formats/encoding.hpp"

#include <gtest/gtest.h>

namespace seam::formats {
namespace {

TEST(Printable, plain_text_and_letters_of_all_scripts_are_kept) {
  EXPECT_EQ(printable("a <script> \"b\" 'c' & d"), "a <script> \"b\" 'c' & d");
  EXPECT_EQ(printable("Länge λ 長さ"), "Länge λ 長さ");
}

TEST(Printable, what_a_terminal_would_obey_is_written_out) {
  EXPECT_EQ(printable("a\x1b[31mb\n\x7f"), "a\\x1b[31mb\\x0a\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m");  // C1: control sequence introducer
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\\xe2\\x80\\xaeb");  // right-to-left override
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, bytes_that_are_no_utf8_are_written_out) {
  EXPECT_EQ(printable("a\xFF\xC3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("ä\xFFλ"), "ä\\xffλ");  // and those beside them are kept
}

TEST(Printable, long_text_is_cut_between_characters) {
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("aλλ", 2), "a…");
  EXPECT_EQ(printable("abc", 3), "abc");
}

}  // namespace
}  // namespace seam::formats
