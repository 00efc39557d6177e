#include <gtest/gtest.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

const std::string example = SEAM_SOURCE_DIR "/examples/causality/two-masses.yaml";

// Masses of 0.1 and 0.5 kg in the system of Chen 2021 (thesis), section 2.4.
TEST(Designs, analyze_compares_them_with_the_numbers_of_the_independent_reproduction) {
  const Folder folder;
  const Ran ran = folder.seam({"analyze", example, "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Value value = json(ran.out);
  const formats::Value* comparison = value.find("design_comparison");
  ASSERT_TRUE(comparison);
  const auto& designs = comparison->find("designs")->items();
  ASSERT_EQ(designs.size(), 2u);
  EXPECT_NEAR(number(designs[0], "largest_stable_step"), 0.285564, 6e-7);
  EXPECT_NEAR(number(designs[1], "largest_stable_step"), 0.036850, 6e-7);
  EXPECT_NEAR(number(designs[0], "loop_gain"), 9.955306352, 1e-8);
  EXPECT_NEAR(number(designs[1], "loop_gain"), 13.430140035, 1e-8);
  EXPECT_TRUE(comparison->find("recommended")->is(formats::Value::Kind::null));  // the file as it is
  EXPECT_EQ(comparison->find("rule_of_impedances")->string(), "holds");
}

TEST(Designs, one_is_chosen_by_name_in_every_command) {
  const Folder folder;
  const Ran ran = folder.seam({"run", example, "--design", "force-to-light", "-o", "x.csv"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(folder.table("x.csv").find("heavy.F"));
  const Ran wrong = folder.seam({"check", example, "--design", "force-to-ligth"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(says(wrong.err, "force-to-light")) << wrong.err;
}

}  // namespace
}  // namespace seam::cli
