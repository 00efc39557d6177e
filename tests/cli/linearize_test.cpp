// linearize as a program and a person read it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "cli/fmu_folder.hpp"
#include "cli/two_lags.hpp"

namespace seam::cli {
namespace {

using formats::Value;

double entry(const Value& matrix, std::size_t row, std::size_t column) {
  return matrix.items().at(row).items().at(column).number();
}

// x' = -x + u, y = x over 0.1 s: x+ = e^-0.1 x + (1 - e^-0.1) u, and the output at the end is x+.
TEST(Linearize, json_has_the_equations_and_the_step_of_a_native_model) {
  const Folder folder("system.yaml", two_lags);
  const Value value = json(folder.seam({"linearize", "system.yaml", "--json"}).out);
  ASSERT_TRUE(value.find("subsystems"));
  const Value& first = value.find("subsystems")->items().at(0);
  EXPECT_EQ(first.find("source")->string(), "exact");
  EXPECT_EQ(first.find("linearity")->string(), "linear");
  EXPECT_NEAR(entry(*first.find("equations")->find("A"), 0, 0), -1.0, 1e-12);
  const Value& map = *first.find("step_map");
  EXPECT_EQ(number(map, "step"), 0.1);
  EXPECT_EQ(number(map, "degree"), 0.0);
  const double gone = std::exp(-0.1);
  EXPECT_NEAR(entry(*map.find("A"), 0, 0), gone, 1e-14);
  EXPECT_NEAR(entry(*map.find("C"), 0, 0) * entry(*map.find("B"), 0, 0), gone * (1.0 - gone), 1e-14);
  EXPECT_NEAR(entry(*map.find("D"), 0, 0), 1.0 - gone, 1e-14);
  EXPECT_TRUE(first.find("quality")->is(Value::Kind::null));
}

TEST(Linearize, of_a_black_box_says_how_good_the_model_is) {
  const FmuFolder folder(2, "two-mass-right-poor");
  const Ran text = folder.seam({"linearize", "two-mass-right-poor.fmu", "--step", "10ms"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(says(text.out, "probed: 2 states")) << text.out;
  EXPECT_TRUE(says(text.out, "1.59")) << "its frequency, 10 rad/s: " << text.out;
  const Value value = json(folder.seam({"linearize", "two-mass-right-poor.fmu", "--step", "10ms", "--json"}).out);
  const Value& model = value.find("subsystems")->items().at(0);
  ASSERT_TRUE(model.find("quality") && model.find("quality")->find("prediction_error"));
  EXPECT_LT(number(*model.find("quality"), "prediction_error"), 1e-9);
}

TEST(Linearize, writes_json_and_mat_and_nothing_else) {
  const Folder folder("system.yaml", two_lags);
  EXPECT_EQ(folder.seam({"linearize", "system.yaml", "-o", "m.json", "-q"}).exit_code, 0);
  EXPECT_EQ(folder.json("m.json").find("subsystems")->items().size(), 2u);
  EXPECT_EQ(folder.seam({"linearize", "system.yaml", "a", "-o", "m.mat", "-q"}).exit_code, 0);
  const std::string mat = folder.read("m.mat");
  ASSERT_GT(mat.size(), 22u);
  EXPECT_EQ(mat.substr(20, 2), std::string("A\0", 2)) << "the first matrix is A";
  double first = 0.0;
  std::memcpy(&first, mat.data() + 22, sizeof first);
  EXPECT_EQ(first, -1.0);
  EXPECT_TRUE(refuses(folder, {"linearize", "system.yaml", "-o", "m.csv"}, {".json or .mat"}));
  EXPECT_FALSE(folder.has("m.csv"));
}

TEST(Linearize, refuses_what_does_not_exist) {
  const Folder folder("system.yaml", two_lags);
  EXPECT_TRUE(refuses(folder, {"linearize", "system.yaml", "c"}, {"no subsystem \"c\""}));
  EXPECT_TRUE(refuses(folder, {"linearize", "system.yaml", "--at", "-1s"}, {"outside the experiment"}));
  EXPECT_TRUE(refuses(folder, {"linearize", "system.yaml", "--at", "soon"}, {"--at"}));
}

}  // namespace
}  // namespace seam::cli
