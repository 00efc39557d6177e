#include "seam/load/model_catalog.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/formats/yaml.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {
namespace {

system::Subsystem subsystem(const std::string& model, const std::string& set) {
  base::Problems problems;
  system::Subsystem result;
  result.name = "it";
  result.origin = system::BuiltInModel{model};
  const auto tree = formats::read_yaml(set, "system.yaml", problems);
  result.set = read_settings(*tree, "set", problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return result;
}

TEST(ModelCache, gives_a_model_again_as_long_as_its_parameters_are_the_same) {
  ModelCache cache;
  base::Problems problems;
  const auto give = [&](std::size_t number, const std::string& set) {
    return cache.model(number, subsystem("mass-chain", set), {0.01, {".", {}}}, problems);
  };
  const auto one = give(0, "{masses: [1], to_ground: {k: 3}}");
  EXPECT_EQ(give(0, "{masses: [1],   to_ground: {k: 3}}"), one);
  EXPECT_NE(give(1, "{masses: [1], to_ground: {k: 3}}"), one) << "every subsystem has its own";
  EXPECT_EQ(give(0, "{masses: [1], to_ground: {k: 3}}"), one);
  for (const char* const other :
       {"{masses: [1], to_ground: {k: 4}}", "{masses: [1], to_ground: {d: 3}}", "{masses: [2], to_ground: {k: 3}}",
        "{masses: [1]}", "{masses: [1], to_ground: {k: 3 N/mm}}"}) {
    const auto before = give(0, "{masses: [1], to_ground: {k: 3}}");
    EXPECT_NE(give(0, other), before) << other;
  }
  EXPECT_TRUE(problems.empty()) << problems.text();
}

TEST(ModelCache, makes_anew_what_depends_on_more_than_its_parameters) {
  ModelCache cache;
  base::Problems problems;
  const auto give = [&](double solver_step) {
    return cache.model(0, subsystem("delay", "{time: 1 s}"), {solver_step, {".", {}}}, problems);
  };
  EXPECT_EQ(give(0.1)->x0.size() * 2, give(0.05)->x0.size());
  EXPECT_TRUE(problems.empty()) << problems.text();
}

TEST(ModelCache, reads_a_table_once) {
  ModelCache cache;
  base::Problems problems;
  const formats::TemporaryFolder folder;
  formats::write_text(folder.file("table.csv"), "time,u\n0,1\n1,2\n");
  const auto give = [&] {
    return cache.model(0, subsystem("csv", "{file: table.csv}"), {0.01, {folder.file(""), {}}}, problems);
  };
  const auto one = give();
  std::filesystem::remove(folder.file("table.csv"));
  EXPECT_EQ(give(), one);
  EXPECT_TRUE(problems.empty()) << problems.text();
}

TEST(ModelCache, keeps_nothing_that_has_a_problem) {
  ModelCache cache;
  for (int i = 0; i < 2; ++i) {
    base::Problems problems;
    EXPECT_EQ(cache.model(0, subsystem("mass-chain", "{weights: [1]}"), {}, problems), nullptr);
    EXPECT_FALSE(problems.empty());
  }
}

}  // namespace
}  // namespace seam::load
