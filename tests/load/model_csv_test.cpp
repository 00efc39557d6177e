#include <gtest/gtest.h>

#include <filesystem>

#include "load/model_making.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::load {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Csv : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(SEAM_BINARY_DIR) / "model_csv_test" / test->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "inside");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    formats::write_text((folder_ / "inside" / name).string(), text);
  }
  Making read(const std::string& set) { return make("csv", set, {0.01, (folder_ / "inside").string()}); }

  fs::path folder_;
};

TEST_F(Csv, gives_one_output_a_column_with_its_name_and_unit) {
  write("a.csv", "time [ms],torque [N.m],angle\n0,1,10\n500,2,20\n");
  const auto making = read("{file: a.csv}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->outputs), (std::vector<std::string>{"torque", "angle"}));
  EXPECT_EQ(making.model->outputs[0].unit, "N.m");
  EXPECT_EQ(making.model->signals[1]->at(0.25), 15.0);
  EXPECT_EQ(making.model->signals[0]->at(9.0), 2.0);
}

TEST_F(Csv, holds_and_samples_if_asked_to) {
  write("a.csv", "t,y\n0,1\n1,2\n");
  const auto making = read("{file: a.csv, interpolate: hold, sampled: true}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->signals[0]->at(0.99), 1.0);
  EXPECT_TRUE(making.model->sampled);
}

TEST_F(Csv, takes_the_time_column_it_is_told) {
  write("a.csv", "y,clock\n7,0\n8,1\n");
  const auto making = read("{file: a.csv, time: clock}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->outputs), std::vector<std::string>{"y"});
  EXPECT_EQ(making.model->signals[0]->at(0.0), 7.0);
  EXPECT_TRUE(contains(read("{file: a.csv, time: clok}").problem(), "did you mean \"clock\"?"));
}

TEST_F(Csv, outside_the_folder_of_the_system_is_a_problem) {
  formats::write_text((folder_ / "outside.csv").string(), "t,y\n0,1\n");
  fs::create_directory_symlink(folder_, folder_ / "inside" / "link");
  for (const std::string& path : {std::string("../outside.csv"), (folder_ / "outside.csv").string(),
                                  std::string("link/outside.csv"), std::string("x/../../outside.csv")}) {
    EXPECT_TRUE(contains(read("{file: " + path + "}").problem(), "is not a file inside the folder")) << path;
  }
}

TEST_F(Csv, that_does_not_exist_is_a_problem) { EXPECT_EQ(read("{file: nothing.csv}").problems.size(), 1u); }

TEST_F(Csv, with_times_that_fall_is_a_problem) {
  write("a.csv", "t,y\n0,1\n1,2\n0.5,3\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "row 3 has 0.5 after 1"));
}

// As the inputs of fmi-cross-check have it; of more than two rows those between the first and the last say nothing.
TEST_F(Csv, jumps_where_rows_have_one_time) {
  write("a.csv", "\"time\",\"y\"\n0,0\n1,2\n1,9\n1,3\n2,4\n");
  const auto making = read("{file: a.csv}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(making.model->signals[0]->before(1.0), 2.0);
  EXPECT_EQ(making.model->signals[0]->at(1.0), 3.0);
  EXPECT_EQ(making.model->signals[0]->at(1.5), 3.5);
}

TEST_F(Csv, leaves_out_columns_that_it_cannot_use_and_says_why) {
  write("a.csv", "t,y,gap,note\n0,1,1,a\n1,2,nan,b\n");
  const auto making = read("{file: a.csv}");
  ASSERT_TRUE(making.model) << making.problems.text();
  EXPECT_EQ(names(making.model->outputs), std::vector<std::string>{"y"});
  ASSERT_EQ(making.model->left_out.size(), 2u);
  EXPECT_EQ(making.model->left_out[0].second, "row 2 of its column is not a finite number");
  EXPECT_EQ(making.model->left_out[1].second, "its column holds texts");
}

TEST_F(Csv, without_a_column_that_it_can_use_is_a_problem) {
  write("a.csv", "t,y\n0,1\n1,nan\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "\"y\": row 2 of its column is not a finite number"));
}

// As MasterSim and ecos write their results.
TEST_F(Csv, takes_the_names_units_and_the_time_of_other_tools) {
  write("m.csv", "Time [h] \tSlave.x [-] \n0\t1\n1\t2\n");
  const auto mastersim = read("{file: m.csv}");
  ASSERT_TRUE(mastersim.model) << mastersim.problems.text();
  EXPECT_EQ(mastersim.model->outputs[0].name, "Slave.x");
  EXPECT_EQ(mastersim.model->outputs[0].unit, "");
  EXPECT_EQ(mastersim.model->signals[0]->at(1800.0), 1.5);
  write("e.csv", "iterations, time, chassis::z[REAL], speed (km/h)\n0, 0, 1, 5\n1, 0.5, 2, 6\n");
  const auto ecos = read("{file: e.csv}");
  ASSERT_TRUE(ecos.model) << ecos.problems.text();
  EXPECT_EQ(names(ecos.model->outputs), (std::vector<std::string>{"iterations", "chassis::z", "speed"}));
  EXPECT_EQ(ecos.model->outputs[2].unit, "km/h");
  EXPECT_EQ(ecos.model->signals[1]->at(0.25), 1.5);
}

TEST_F(Csv, with_a_time_that_is_not_finite_is_a_problem) {
  write("a.csv", "t,y\nnan,1\n1,2\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "row 1 has nan"));
}

TEST_F(Csv, with_text_for_a_number_is_a_problem_in_the_file) {
  write("a.csv", "t,y\n0,one\n1,2\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "1 columns of numbers"));
  write("a.csv", "t,y\n0,1\n0,one\n");
  const auto making = read("{file: a.csv}");
  ASSERT_EQ(making.problems.size(), 1u);
  EXPECT_EQ(making.problems.all()[0].where.line, 3);
  EXPECT_TRUE(contains(making.problems.all()[0].where.source->name, "a.csv"));
}

TEST_F(Csv, without_values_is_a_problem) {
  write("a.csv", "t\n0\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "1 columns of numbers and 1 rows"));
  write("b.csv", "t,y\n");
  EXPECT_EQ(read("{file: b.csv}").problems.size(), 1u);
}

TEST_F(Csv, with_a_time_in_kilograms_is_a_problem) {
  write("a.csv", "t [kg],y\n0,1\n");
  EXPECT_TRUE(contains(read("{file: a.csv}").problem(), "not a time"));
}

TEST_F(Csv, keeps_a_unit_that_is_not_known_for_those_who_connect_it) {
  write("a.csv", "t,y [foo]\n0,1\n");
  ASSERT_TRUE(read("{file: a.csv}").model);
  EXPECT_EQ(read("{file: a.csv}").model->outputs[0].unit, "foo");
}

}  // namespace
}  // namespace seam::load
