#include "seam/fmi/co_simulation/event_memory.hpp"

#include <gtest/gtest.h>

#include "seam/base/error.hpp"

namespace seam::fmi {
namespace {

const EventMemory example{{0.5, -3.0, 1e300}, {{7, {}}, {-1, std::string("a\0b", 3)}}};

TEST(EventMemory, comes_back_as_it_was_and_leaves_what_follows) {
  const std::string bytes = example.bytes() + "of the FMU";
  std::string_view text = bytes;
  const EventMemory back = EventMemory::read(text, 3, 2);
  EXPECT_EQ(back.numbers, example.numbers);
  EXPECT_EQ(back.discrete_values, example.discrete_values);
  EXPECT_EQ(text, "of the FMU");
}

TEST(EventMemory, every_shorter_text_is_refused) {
  const std::string bytes = example.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string_view text = std::string_view(bytes).substr(0, size);
    EXPECT_THROW(EventMemory::read(text, 3, 2), base::Error) << size;
  }
}

TEST(EventMemory, that_of_another_fmu_is_refused) {
  const std::string bytes = example.bytes();
  for (const auto& [numbers, discrete_values] : {std::pair{2, 2}, std::pair{4, 2}, std::pair{3, 1}, std::pair{3, 3}}) {
    std::string_view text = bytes;
    EXPECT_THROW(EventMemory::read(text, static_cast<std::size_t>(numbers), static_cast<std::size_t>(discrete_values)),
                 base::Error);
  }
}

TEST(EventMemory, text_that_claims_to_be_longer_than_all_is_refused) {
  std::string bytes = example.bytes();
  bytes[bytes.size() - 4] = '\x7f';  // the highest byte of the last text's size
  std::string_view text = bytes;
  EXPECT_THROW(EventMemory::read(text, 3, 2), base::Error);
}

}  // namespace
}  // namespace seam::fmi
