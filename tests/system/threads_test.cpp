#include "seam/system/threads.hpp"

#include <gtest/gtest.h>

namespace seam::system {
namespace {

TEST(Threads, a_number_is_how_many_at_most) {
  const auto threads = parse_threads("4");
  ASSERT_TRUE(threads);
  EXPECT_EQ(threads->most, 4);
  EXPECT_EQ(threads->use, Threads::Use::when_they_gain);
}

TEST(Threads, auto_is_as_many_as_there_are_processors) {
  const auto threads = parse_threads("auto");
  ASSERT_TRUE(threads);
  EXPECT_FALSE(threads->most);
  EXPECT_EQ(threads->use, Threads::Use::when_they_gain);
}

TEST(Threads, always_is_not_measured) {
  const auto threads = parse_threads("always:256");
  ASSERT_TRUE(threads);
  EXPECT_EQ(threads->most, 256);
  EXPECT_EQ(threads->use, Threads::Use::always);
}

TEST(Threads, anything_else_is_none) {
  for (const char* text : {"", "0", "-1", "257", "2.5", "2 ", " 2", "two", "always", "always:", "always:0",
                           "always:auto", "auto:2", "1e1"})
    EXPECT_FALSE(parse_threads(text)) << text;
}

TEST(Threads, words_are_read_back_as_the_same) {
  for (const char* text : {"1", "7", "auto", "always:3"}) EXPECT_EQ(words(*parse_threads(text)), text);
}

}  // namespace
}  // namespace seam::system
