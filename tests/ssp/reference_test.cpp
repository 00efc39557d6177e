#include "seam/ssp/reference.hpp"

#include <gtest/gtest.h>

namespace seam::ssp {
namespace {

Reference read(const std::string& written) {
  base::Problems problems;
  const auto reference = read_reference(written, {}, problems);
  EXPECT_TRUE(reference) << problems.text();
  return reference.value_or(Reference{});
}

TEST(Reference, is_decoded_and_brought_into_one_form) {
  EXPECT_EQ(read("resources/a%20b.fmu").path, "resources/a b.fmu");
  EXPECT_EQ(read("./resources//a.fmu").path, "resources/a.fmu");
  EXPECT_EQ(read("resources\\a.fmu").path, "resources/a.fmu");
  EXPECT_EQ(read("a.ssp#Variant%20B.ssd").fragment, "Variant B.ssd");
  EXPECT_EQ(read("#twin").path, "");
}

TEST(Reference, that_cannot_be_decoded_or_asks_a_question_is_refused) {
  for (const char* written : {"a%2", "a%zz", "a%00b", "a?x=1"}) {
    base::Problems problems;
    EXPECT_FALSE(read_reference(written, {}, problems)) << written;
    EXPECT_EQ(problems.size(), 1u);
  }
}

}  // namespace
}  // namespace seam::ssp
