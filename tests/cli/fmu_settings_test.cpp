// Settings that do not fit an FMU's variables, and FMUs that do not fit a system file.
#include <gtest/gtest.h>

#include "cli/fmu_folder.hpp"

namespace seam::cli {
namespace {

/// Whether one --set is refused with all words.
::testing::AssertionResult set_refused(const Folder& folder, const std::string& fmu, const Words& sets,
                                       const Words& words) {
  Words arguments = {"run", fmu + ".fmu", "--stop", "1"};
  for (const std::string& set : sets) {
    arguments.push_back("--set");
    arguments.push_back(set);
  }
  return refuses(folder, arguments, words);
}

/// Whether a system of one subsystem, given by the keys in its map, is refused with all words.
::testing::AssertionResult keys_refused(const FmuFolder& folder, const std::string& keys, const Words& words) {
  folder.write("s.yaml", "seam: 1\nsubsystems:\n  a: {" + keys + "}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  return refuses(folder, {"run", "s.yaml"}, words);
}

class BadFmuSetting : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, BadFmuSetting, ::testing::Values(2, 3));

TEST_P(BadFmuSetting, unknown_variable_is_a_problem_with_the_nearest_name) {
  const FmuFolder folder(GetParam(), "two-mass-left");
  EXPECT_TRUE(
      set_refused(folder, "two-mass-left", {"solver_stp=1"}, {"\"solver_stp\"", "did you mean \"solver_step\"?"}));
}

TEST_P(BadFmuSetting, text_for_a_number_is_a_problem) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(set_refused(folder, "gain", {"k=much"}, {"\"k\" takes a number", "\"much\""}));
  EXPECT_TRUE(set_refused(folder, "gain", {"k=true"}, {"\"k\" takes a number"}));
  EXPECT_TRUE(set_refused(folder, "gain", {"k=.nan"}, {"\"k\""}));
  EXPECT_TRUE(set_refused(folder, "gain", {"k=1e999"}, {"\"k\""}));
}

TEST_P(BadFmuSetting, value_outside_the_variables_range_is_a_problem_with_the_limit) {
  const FmuFolder folder(GetParam(), "heavy");
  EXPECT_TRUE(set_refused(folder, "heavy", {"burn=-1"}, {"\"burn\" is at least 0"}));
  EXPECT_TRUE(set_refused(folder, "heavy", {"burn=2e9"}, {"\"burn\" is at most 1000000000"}));
  EXPECT_EQ(folder.seam({"run", "heavy.fmu", "--stop", "0.1", "--step", "0.1", "--set", "burn=0"}).exit_code, 0);
}

TEST_P(BadFmuSetting, unit_of_another_dimension_is_a_problem) {
  const FmuFolder folder(GetParam(), "two-mass-left");
  EXPECT_TRUE(set_refused(folder, "two-mass-left", {"m=1 s"}, {"\"m\" is in kg", "s does not convert"}));
  EXPECT_TRUE(set_refused(folder, "two-mass-left", {"m=1 furlong"}, {"furlong"}));
}

TEST_P(BadFmuSetting, unit_of_the_same_dimension_is_converted) {
  const FmuFolder folder(GetParam(), "two-mass-left");
  for (const char* mass : {"m=0.25", "m=0.25 kg", "m=250 g"}) {
    const Ran ran = folder.seam(
        {"run", "two-mass-left.fmu", "--stop", "1", "--step", "0.1", "--set", mass, "-o", std::string(mass) + ".csv"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  }
  EXPECT_EQ(folder.read("m=0.25 kg.csv"), folder.read("m=0.25.csv"));
  EXPECT_EQ(folder.read("m=250 g.csv"), folder.read("m=0.25.csv"));
}

TEST_P(BadFmuSetting, computed_variable_is_a_problem) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(set_refused(folder, "gain", {"y=1"}, {"\"y\" cannot be set: the FMU computes it"}));
  EXPECT_TRUE(set_refused(folder, "gain", {"time=1"}, {"\"time\" cannot be set"}));
}

TEST_P(BadFmuSetting, constant_is_a_problem) {
  const FmuFolder folder(GetParam(), "strict");
  EXPECT_TRUE(set_refused(folder, "strict", {"c=1"}, {"\"c\" cannot be set"}));
}

TEST_P(BadFmuSetting, enumeration_takes_its_items_by_name_and_number_and_nothing_else) {
  const FmuFolder folder(GetParam(), "integrator");
  for (const char* solver : {"solver=euler", "solver=1"}) {
    EXPECT_EQ(folder.seam({"run", "integrator.fmu", "--stop", "1", "--set", solver}).exit_code, 0);
  }
  EXPECT_TRUE(
      set_refused(folder, "integrator", {"solver=rk5"}, {"\"solver\" cannot be \"rk5\"", "did you mean \"rk4\"?"}));
  EXPECT_TRUE(set_refused(folder, "integrator", {"solver=7"}, {"\"solver\"", "7"}));
  EXPECT_TRUE(set_refused(folder, "integrator", {"solver=1.5"}, {"\"solver\""}));
}

TEST_P(BadFmuSetting, integer_and_boolean_take_nothing_else) {
  const FmuFolder folder(GetParam(), "types");
  const std::string integer = GetParam() == 2 ? "integer_in" : "int32_in";
  for (const char* value : {"1.5", "2147483648", "-2147483649", "one", "true", "1 s"}) {
    EXPECT_TRUE(set_refused(folder, "types", {integer + "=" + value}, {"\"" + integer + "\" takes a whole number"}))
        << value;
  }
  for (const char* value : {"3", "1", "maybe"}) {
    EXPECT_TRUE(
        set_refused(folder, "types", {std::string("boolean_in=") + value}, {"\"boolean_in\" takes true or false"}))
        << value;
  }
}

TEST_P(BadFmuSetting, scalar_takes_no_list) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(set_refused(folder, "gain", {"k=[1, 2]"}, {"\"k\" has 1 element", "2 are given"}));
  EXPECT_TRUE(set_refused(folder, "gain", {"k=[]"}, {"\"k\" has 1 element", "0 are given"}));
}

TEST_P(BadFmuSetting, every_problem_is_said_at_once) {
  const FmuFolder folder(GetParam(), "two-mass-left");
  EXPECT_TRUE(set_refused(folder, "two-mass-left", {"m=1 s", "kk=1", "x1=2"}, {"\"m\"", "\"kk\"", "\"x1\""}));
}

TEST(ArraySettings, array_of_the_wrong_size_is_a_problem) {
  const FmuFolder folder(3, "arrays");
  EXPECT_TRUE(set_refused(folder, "arrays", {"A=[1, 2]"}, {"\"A\" has 9 elements", "2 are given"}));
  EXPECT_TRUE(
      set_refused(folder, "arrays", {"n=2", "A=[1, 2, 3, 4, 5, 6, 7, 8, 9]"}, {"\"A\" has 4 elements", "9 are given"}));
  EXPECT_TRUE(set_refused(folder, "arrays", {"u=1"}, {"\"u\" has 3 elements"}));
}

// y = A u with u = (1, 2): both are set after the size.
TEST(ArraySettings, structural_parameter_gives_the_arrays_their_size) {
  const FmuFolder folder(3, "arrays");
  const Ran ran = folder.seam({"run", "arrays.fmu", "--stop", "1", "--step", "0.5", "--set", "u=[1, 2]", "--set", "n=2",
                               "--set", "A=[[1, 2], [3, 4]]"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const formats::Table table = folder.table("arrays.csv");
  EXPECT_EQ(column(table, "arrays.y[1]").back(), 5.0);
  EXPECT_EQ(column(table, "arrays.y[2]").back(), 11.0);
  EXPECT_EQ(column(table, "arrays.M[1,2]").back(), 2.0);
  EXPECT_FALSE(table.find("arrays.y[3]"));
}

TEST(ArraySettings, structural_parameter_that_is_no_size_is_a_problem) {
  const FmuFolder folder(3, "arrays");
  for (const char* n : {"n=-1", "n=1.5", "n=99999999999", "n=two"}) {
    EXPECT_TRUE(set_refused(folder, "arrays", {n}, {"\"n\""})) << n;
  }
}

// What is set for unconnected elements stays.
TEST(ArraySettings, elements_beside_a_connected_one_keep_what_they_were_set_to) {
  FmuFolder folder(3, "arrays");
  folder.add(2, "gain");
  folder.write(
      "s.yaml",
      "seam: 1\nsubsystems:\n  a: {fmu: arrays.fmu, set: {u: [1, 2, 3]}}\n  b: {fmu: gain.fmu, set: {k: 2, u: 5}}\n"
      "connections: [\"b.y -> a.u[1]\"]\nexperiment: {stop: 1}\nplan: {step: 0.5}\nrecord: {variables: [\"*.*\"]}\n");
  ASSERT_EQ(folder.seam({"run", "s.yaml"}).exit_code, 0);
  const formats::Table table = folder.table("s.csv");
  EXPECT_EQ(column(table, "a.M[1,1]").back(), 100.0);
  EXPECT_EQ(column(table, "a.M[2,2]").back(), 4.0);
  EXPECT_EQ(column(table, "a.M[3,3]").back(), 9.0);
}

TEST(TypeSettings, range_of_every_integer_type_is_kept) {
  const FmuFolder folder(3, "types");
  for (const char* value : {"int8_in=128", "uint8_in=-1", "uint8_in=256", "int16_in=-32769", "uint16_in=65536",
                            "uint32_in=4294967296", "int64_in=9223372036854775808", "uint64_in=18446744073709551616"}) {
    EXPECT_TRUE(set_refused(folder, "types", {value}, {"takes a whole number in the range of its type"})) << value;
  }
  EXPECT_EQ(folder
                .seam({"run", "types.fmu", "--stop", "1", "--set", "int8_in=-128", "--set",
                       "uint64_in=18446744073709551615", "--set", "int64_in=-9223372036854775808"})
                .exit_code,
            0);
}

TEST(TypeSettings, binary_takes_hexadecimal_digits_only) {
  const FmuFolder folder(3, "types");
  EXPECT_EQ(folder.seam({"run", "types.fmu", "--stop", "1", "--set", "binary_in=\"00ff\""}).exit_code, 0);
  EXPECT_TRUE(set_refused(folder, "types", {"binary_in=xyz"}, {"\"binary_in\""}));
}

class FmuInSystem : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fmi, FmuInSystem, ::testing::Values(2, 3));

TEST_P(FmuInSystem, file_that_is_not_there_is_a_problem_at_its_name) {
  const FmuFolder folder;
  EXPECT_TRUE(keys_refused(folder, "fmu: nowhere.fmu", {"s.yaml:3:12", "there is no such file"}));
  EXPECT_TRUE(refuses(folder, {"run", "nowhere.fmu", "--stop", "1"}, {"nowhere.fmu", "no such file"}));
}

TEST_P(FmuInSystem, path_out_of_the_folder_is_read_and_said_and_strictly_refused) {
  const FmuFolder folder(GetParam(), "gain");
  const std::string path = built_fmu(GetParam(), "gain");
  folder.write("s.yaml", "seam: 1\nsubsystems:\n  a: {fmu: " + path + "}\nexperiment: {stop: 1}\nplan: {step: 0.1}\n");
  const Ran ran = folder.seam({"run", "s.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(count(ran.err, path), 1u) << ran.err;
  EXPECT_TRUE(refuses(folder, {"run", "s.yaml", "--strict"}, {"s.yaml:3:12", "outside the folder", "--allow-path"}));
  EXPECT_FALSE(says(folder.seam({"run", "s.yaml", "--allow-path", SEAM_BINARY_DIR}).err, path));
}

TEST_P(FmuInSystem, address_of_proxyfmu_is_named_for_what_it_is) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(keys_refused(folder, "fmu: \"proxyfmu://localhost?file=gain.fmu\"", {"s.yaml:3:12", "proxyfmu"}));
}

TEST_P(FmuInSystem, model_and_fmu_at_once_are_refused) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(keys_refused(folder, "fmu: gain.fmu, model: gain", {"\"a\" is both a model and an FMU"}));
}

TEST_P(FmuInSystem, solver_of_an_fmu_is_its_own) {
  const FmuFolder folder(GetParam(), "gain");
  EXPECT_TRUE(keys_refused(folder, "fmu: gain.fmu, solver: rk4", {"\"solver\"", "\"a\" is an FMU"}));
}

TEST_P(FmuInSystem, retries_need_an_fmu_that_can_save_its_state) {
  FmuFolder folder(GetParam(), "two-mass-left-poor");
  EXPECT_TRUE(keys_refused(folder, "fmu: two-mass-left-poor.fmu, retries: 2",
                           {"retries is not possible for \"a\"", "cannot save its state"}));
  folder.add(GetParam(), "gain");
  EXPECT_TRUE(keys_refused(folder, "fmu: gain.fmu, retries: -1", {"retries"}));
  EXPECT_TRUE(keys_refused(folder, "fmu: gain.fmu, retries: 1.5", {"retries"}));
}

TEST_P(FmuInSystem, fresh_feed_through_of_an_fmu_without_derivatives_is_refused) {
  FmuFolder folder(GetParam(), "types");
  folder.write("s.yaml",
               "seam: 1\nsubsystems:\n  a: {fmu: types.fmu}\nexperiment: {stop: 1}\nplan: {step: 0.1, subsystems: {a: "
               "{feedthrough: fresh}}}\n");
  EXPECT_TRUE(refuses(folder, {"run", "s.yaml"}, {"fresh", "\"a\"", "held"}));
}

TEST_P(FmuInSystem, result_does_not_replace_the_fmu) {
  const FmuFolder folder(GetParam(), "gain");
  const std::string before = folder.read("gain.fmu");
  EXPECT_TRUE(refuses(folder, {"run", "gain.fmu", "--stop", "1", "-o", "gain.fmu"}, {"gain.fmu", "-o"}));
  EXPECT_EQ(folder.read("gain.fmu"), before);
}

TEST(ArrayConnections, whole_arrays_and_slices_are_what_their_elements_are) {
  const FmuFolder folder(3, "arrays");
  const auto result = [&](const std::string& name, const std::string& connections) {
    folder.write(name + ".yaml",
                 "seam: 1\nsubsystems:\n  a: {fmu: arrays.fmu, set: {A: [0.1, 0, 0.2, 0, 0.3, 0, 0, 0.1, "
                 "0]}}\n  b: {fmu: arrays.fmu}\nconnections:\n" +
                     connections + "experiment: {stop: 1}\nplan: {step: 0.1}\n");
    const Ran ran = folder.seam({"run", name + ".yaml", "-o", name + ".csv", "--variables", "a.y", "b.u"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return folder.read(name + ".csv");
  };
  const std::string whole = result("whole", "  - a.y -> b.u\n  - b.M[2,:] -> a.u\n");
  EXPECT_EQ(whole, result("single",
                          "  - a.y[1] -> b.u[1]\n  - a.y[2] -> b.u[2]\n  - a.y[3] -> b.u[3]\n"
                          "  - b.M[2,1] -> a.u[1]\n  - b.M[2,2] -> a.u[2]\n  - b.M[2,3] -> a.u[3]\n"));
  EXPECT_EQ(count(whole, "a.y[3]"), 1u) << whole;
}

}  // namespace
}  // namespace seam::cli
