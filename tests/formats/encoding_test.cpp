#include "seam/formats/encoding.hpp"

#include <gtest/gtest.h>

namespace seam::formats {
namespace {

using namespace std::string_view_literals;

TEST(Encoding, all_line_ends_become_one) {
  EXPECT_EQ(with_plain_line_ends("\xEF\xBB\xBF"
                                 "a\r\nb\rc\nd\r\n"),
            "a\nb\nc\nd\n");
}

TEST(Encoding, utf8_text_has_no_bad_byte) { EXPECT_FALSE(find_bad_byte("µ € 𝄞 é\t\r\n")); }

TEST(Encoding, ill_formed_sequences_are_found_where_they_begin) {
  // overlong slash, surrogate, beyond U+10FFFF, lone continuation, cut off at the end
  for (const std::string_view bad : {"\xC0\xAF"sv, "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv, "\x80"sv, "\xE2\x82"sv}) {
    const auto found = find_bad_byte("ab" + std::string(bad));
    ASSERT_TRUE(found) << bad;
    EXPECT_EQ(found->offset, 2u);
  }
}

TEST(Encoding, zero_bytes_and_control_characters_are_not_text) {
  EXPECT_NE(find_bad_byte("a\0b"sv)->what.find("zero byte"), std::string::npos);
  EXPECT_NE(find_bad_byte("a\x01"sv)->what.find("0x01"), std::string::npos);
}

TEST(Encoding, every_single_byte_is_judged_the_same_wherever_it_lies) {
  const auto is_text = [](int byte) {
    return byte == '\t' || byte == '\n' || byte == '\r' || (byte >= 0x20 && byte < 0x7F);
  };
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t at = 0; at < 21; ++at) {
      std::string text(21, 'a');
      text[at] = static_cast<char>(byte);
      const auto found = find_bad_byte(text);
      ASSERT_EQ(!found, is_text(byte)) << byte << " at " << at;
      if (found) {
        EXPECT_EQ(found->offset, at);
      }
    }
  }
}

TEST(Encoding, utf16_is_named) {
  EXPECT_NE(find_bad_byte("\xFF\xFE"
                          "a\0"sv)
                ->what.find("UTF-16"),
            std::string::npos);
}

TEST(Encoding, places_count_from_one) {
  const base::Location where = locate(nullptr, "ab\ncd", 4);
  EXPECT_EQ(where.line, 2);
  EXPECT_EQ(where.column, 2);
}

}  // namespace
}  // namespace seam::formats
