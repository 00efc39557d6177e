#include "seam/fmi/instance/messages.hpp"

#include <gtest/gtest.h>

#include <cstdarg>
#include <latch>
#include <thread>

#include "seam/fmi/instance/printf_text.hpp"

namespace seam::fmi {
namespace {

std::string name_of(char type, unsigned reference) { return std::string("<") + type + std::to_string(reference) + ">"; }

std::string printed(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::string text = printf_text(format, arguments);
  va_end(arguments);
  return text;
}

TEST(Messages, only_the_last_hundred_are_kept) {
  Messages messages;
  for (int i = 0; i < 250; ++i) messages.add(Severity::ok, "log", "message " + std::to_string(i));
  ASSERT_EQ(messages.all().size(), 100u);
  EXPECT_EQ(messages.all().front().text, "message 150");
  EXPECT_EQ(messages.all().back().text, "message 249");
}

// Without a lock this crashes, or loses messages.
TEST(Messages, from_several_threads_are_all_kept_whole) {
  Messages messages;
  std::vector<std::thread> threads;
  std::latch start(4);
  for (const char* word : {"a text that is long enough", "to lie on the heap is freed", "twice if two threads take",
                           "it out of one list at once"}) {
    threads.emplace_back([&messages, &start, word] {
      start.arrive_and_wait();
      for (int i = 0; i < 200'000; ++i) messages.add(Severity::ok, word, word);
    });
  }
  for (int i = 0; i < 200; ++i) EXPECT_LE(messages.all().size(), Messages::kept);
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(messages.all().size(), Messages::kept);
  for (const Message& message : messages.all()) EXPECT_EQ(message.category, message.text);
}

TEST(Messages, last_ones_are_told_in_their_order_with_how_bad_they_are) {
  Messages messages;
  EXPECT_EQ(messages.last(), "");
  messages.add(Severity::ok, "", "one");
  messages.add(Severity::warning, "", "two");
  messages.add(Severity::fatal, "", "three");
  const std::string text = messages.last(2);
  EXPECT_EQ(text.find("one"), std::string::npos);
  EXPECT_LT(text.find("[warning] two"), text.find("[fatal] three"));
  EXPECT_NE(messages.last(50).find("[ok] one"), std::string::npos);
}

TEST(Messages, text_and_category_are_made_harmless) {
  Messages messages;
  messages.add(Severity::error, "cat\x1b[2J", "line\nbreak\x1b]0;title\x07");
  EXPECT_EQ(messages.all().front().category, "cat [2J");
  EXPECT_EQ(messages.all().front().text, "line break ]0;title ");
}

TEST(Harmless, every_control_character_becomes_a_space) {
  for (int c = 0; c < 32; ++c) EXPECT_EQ(harmless(std::string("a") + static_cast<char>(c) + "b"), "a b") << c;
  EXPECT_EQ(harmless("a\x7f"), "a ");
  EXPECT_EQ(harmless("k\xc3\xa4se \xe2\x82\xac"), "k\xc3\xa4se \xe2\x82\xac");
}

// U+009B is the escape sequence introducer in one character.
TEST(Harmless, control_characters_beyond_ascii_do_not_stay) {
  EXPECT_EQ(harmless("a\xc2\x9b"
                     "31mb")
                .find("\xc2\x9b"),
            std::string::npos);
}

TEST(Harmless, length_is_bounded_and_characters_stay_whole) {
  EXPECT_LT(harmless(std::string(100'000, 'x')).size(), 1100u);
  for (const std::string beginning : {"", "x", "xx"}) {
    std::string euros = beginning;
    for (int i = 0; i < 1000; ++i) euros += "\xe2\x82\xac";
    const std::string cut = harmless(euros);
    const std::size_t last = cut.rfind("\xe2\x80\xa6");  // the ellipsis
    ASSERT_NE(last, std::string::npos);
    EXPECT_EQ((last - beginning.size()) % 3, 0u) << beginning;
  }
}

TEST(Harmless, bytes_that_are_no_text_do_not_stay) {
  const std::string text = harmless("a\xff\xfe\x80z");
  for (const char c : {'\xff', '\xfe', '\x80'}) {
    EXPECT_TRUE(text.find(c) == std::string::npos || text.find("\xef\xbf\xbd") != std::string::npos) << text;
  }
}

TEST(Harmless, forms_of_characters_that_utf8_forbids_do_not_stay) {
  EXPECT_EQ(harmless("\xed\xa0\x80"), "???");  // half a surrogate pair
  EXPECT_EQ(harmless("\xe0\x80\xaf"), "???");  // a slash in three bytes
  EXPECT_EQ(harmless("\xf4\x90\x80\x80"), "????");
}

TEST(Harmless, marks_that_turn_the_writing_direction_become_spaces) {
  EXPECT_EQ(harmless("a\xe2\x80\xae"
                     "b\xe2\x81\xa6"),
            "a b ");
}

TEST(References, known_ones_are_replaced) {
  EXPECT_EQ(expand_references("#r12# is #b0#", name_of), "<r12> is <b0>");
  EXPECT_EQ(expand_references("#i4294967295#", name_of), "<i4294967295>");
}

TEST(References, double_number_sign_is_one) {
  EXPECT_EQ(expand_references("a ## b", name_of), "a # b");
  EXPECT_EQ(expand_references("###r1#", name_of), "#<r1>");
}

TEST(References, what_is_none_stays_as_it_is) {
  for (const char* text :
       {"#", "#r", "#r12", "#r#", "#rx#", "#r1x#", "# 12 #", "#r-1#", "#r99999999999#", "a # b", ""}) {
    EXPECT_EQ(expand_references(text, name_of), text);
  }
}

TEST(PrintfText, arguments_are_formatted_as_printf_does) {
  EXPECT_EQ(printed("%d of %u, %5.2f %s %%", -3, 7u, 2.5, "m"), "-3 of 7,  2.50 m %");
  EXPECT_EQ(printed("%ld %zu %lld %x %c", -5L, std::size_t{9}, 1LL << 40, 255u, 'q'), "-5 9 1099511627776 ff q");
  EXPECT_EQ(printed("%*d|%-4d|%04d|%+d", 4, 7, 7, 7, 7), "   7|7   |0007|+7");
  EXPECT_EQ(printed("%g %e %Lg", 0.5, 1.0, static_cast<long double>(0.25)), "0.5 1.000000e+00 0.25");
}

TEST(PrintfText, width_and_precision_of_a_text_are_kept) {
  EXPECT_EQ(printed("%5s|%-5s|%.2s|%.*s", "ab", "ab", "abcd", 3, "abcdef"), "   ab|ab   |ab|abc");
}

TEST(PrintfText, text_that_cannot_be_read_is_shown_as_a_question_mark) {
  EXPECT_EQ(printed("%s!", static_cast<const char*>(nullptr)), "?!");
  EXPECT_EQ(printed("%s!", reinterpret_cast<const char*>(16)), "?!");
  EXPECT_EQ(printed("%s!", reinterpret_cast<const char*>(~std::uintptr_t{0})), "?!");
}

TEST(PrintfText, n_writes_nothing) {
  int written = 77;
  EXPECT_EQ(printed("ab%ncd", &written), "abcd");
  EXPECT_EQ(written, 77);
}

TEST(PrintfText, length_is_bounded) {
  EXPECT_LE(printed("%99999d", 1).size(), 4096u);
  EXPECT_LE(printed("%s%s", std::string(5000, 'x').c_str(), std::string(5000, 'y').c_str()).size(), 4096u);
  EXPECT_LE(printed(std::string(100'000, 'z').c_str()).size(), 4096u);
}

// printf would write hundreds of millions of blanks one by one, or ask for gigabytes to keep the digits.
TEST(PrintfText, width_and_precision_nobody_means_are_cut) {
  EXPECT_EQ(printed("%999999999d", 1).size(), 200u);
  EXPECT_EQ(printed("%.999999999d", 1).size(), 200u);
  EXPECT_EQ(printed("%.999999999f", 1.0).size(), 202u);
  EXPECT_EQ(printed("%*d", 1'000'000'000, 1).size(), 200u);
  EXPECT_EQ(printed("%99999999999999999999s", "x").size(), 4096u);
}

TEST(PrintfText, stars_may_be_negative) {
  EXPECT_EQ(printed("%*d|", -3, 7), "7  |");
  EXPECT_EQ(printed("%.*f", -1, 0.5), "0.500000");
  EXPECT_EQ(printed("%.*s|%*s|", -1, "abc", -4, "x"), "abc|x   |");
}

TEST(PrintfText, half_a_conversion_at_the_end_is_nothing) {
  EXPECT_EQ(printed("100%"), "100");
  EXPECT_EQ(printed("100%5."), "100");
  EXPECT_EQ(printed(nullptr), "");
}

}  // namespace
}  // namespace seam::fmi
