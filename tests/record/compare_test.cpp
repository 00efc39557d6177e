#include "seam/record/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/temporary_folder.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::record {
namespace {

using Numbers = std::vector<double>;

formats::Table table(const Numbers& times, const Numbers& values, const std::string& name = "y") {
  return {{"time", name}, {"s", ""}, {times, values}};
}

Comparison compared(const formats::Table& result, const formats::Table& reference) {
  base::Problems problems;
  Comparison comparison = compare(result, reference, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return comparison;
}

std::string problem(const formats::Table& result, const formats::Table& reference) {
  base::Problems problems;
  compare(result, reference, problems);
  return problems.text();
}

// Differences 1, 0, -2, 1 against a reference of range 10; after the first sample the reference 4, 10, 4 has mean 6
// and variance (4 + 16 + 4)/3 = 8, and the mean square difference is 5/3.
TEST(Compare, both_normalised_errors_are_those_worked_out_by_hand) {
  const Comparison c = compared(table({0, 1, 2, 3}, {1, 4, 8, 5}), table({0, 1, 2, 3}, {0, 4, 10, 4}));
  ASSERT_EQ(c.variables.size(), 1u);
  EXPECT_EQ(c.variables[0].name, "y");
  EXPECT_NEAR(c.variables[0].rms, std::sqrt(6.0 / 4.0), 1e-15);
  EXPECT_NEAR(*c.variables[0].nrmse_range, std::sqrt(1.5) / 10.0, 1e-15);
  EXPECT_NEAR(*c.variables[0].nrmse_deviation, std::sqrt(5.0 / 3.0 / 8.0), 1e-15);
  EXPECT_EQ(c.variables[0].largest, 2.0);
  EXPECT_EQ(c.variables[0].largest_at, 2.0);
  EXPECT_EQ(c.samples, 4u);
  EXPECT_FALSE(c.interpolated);
}

TEST(Compare, overall_is_the_largest_range_error_and_the_rms_of_the_deviation_errors) {
  const formats::Table reference{{"time", "a", "b"}, {"s", "", ""}, {{0, 1, 2}, {0, 1, 2}, {0, 10, 0}}};
  const formats::Table result{{"time", "a", "b"}, {"s", "", ""}, {{0, 1, 2}, {0, 1.3, 2}, {0, 10, 1}}};
  const Comparison c = compared(result, reference);
  EXPECT_NEAR(*c.overall_range, 0.3 / std::sqrt(3.0) / 2.0, 1e-15);
  const double a = *c.variables[0].nrmse_deviation, b = *c.variables[1].nrmse_deviation;
  EXPECT_NEAR(a, 0.3 / std::sqrt(2.0) / 0.5, 1e-14);
  EXPECT_NEAR(*c.overall_deviation, std::sqrt((a * a + b * b) / 2.0), 1e-15);
}

TEST(Compare, a_reference_with_other_times_is_interpolated_linearly) {
  const Comparison c = compared(table({0, 0.5, 1.25}, {0, 1, 2.5}), table({0, 1, 2}, {0, 2, 4}));
  EXPECT_TRUE(c.interpolated);
  EXPECT_NEAR(c.variables[0].largest, 0.0, 1e-15);
  EXPECT_EQ(c.samples, 3u);
}

TEST(Compare, only_the_common_time_counts) {
  const Comparison c = compared(table({0, 1, 2, 3, 4}, {99, 1, 2, 3, 99}), table({1, 2, 3}, {1, 2, 3}));
  EXPECT_EQ(c.samples, 3u);
  EXPECT_EQ(c.from, 1.0);
  EXPECT_EQ(c.to, 3.0);
  EXPECT_EQ(c.variables[0].largest, 0.0);
}

TEST(Compare, times_that_differ_by_rounding_are_the_same) {
  const Comparison c = compared(table({0, 0.1 + 0.2, 0.6}, {0, 1, 0}), table({0, 0.3, 0.6}, {0, 1, 0}));
  EXPECT_FALSE(c.interpolated);
  EXPECT_EQ(c.variables[0].largest, 0.0);
}

TEST(Compare, what_was_found_of_a_reference_serves_other_results_whatever_rows_they_have) {
  const formats::Table reference = table({0, 1, 2, 3, 4, 5}, {0, 4, -1, 7, 2, 9});
  ReferenceFacts facts;
  for (const formats::Table& result :
       {table({0, 1, 2, 3, 4, 5}, {1, 4, 0, 7, 2, 8}), table({2, 3, 4}, {1, 1, 1}), table({0.5, 1.5, 4.5}, {1, 2, 3}),
        table({3, 4, 5, 6}, {0, 0, 0, 0}), table({3, 4, 5, 6}, {1, 0, 3, 0}), table({3, 4, 5}, {1, 0, 3}),
        table({0, 1, 2, 3, 4, 5}, {0, 4, -1, 7, 2, 9.5}), table({0, 1, 2, 3, 4, 5}, {3, 4, -1, 7, 2, 9.5})}) {
    base::Problems problems;
    const Comparison again = compare(result, reference, facts, problems), alone = compared(result, reference);
    EXPECT_EQ(again.samples, alone.samples);
    EXPECT_EQ(again.interpolated, alone.interpolated);
    EXPECT_EQ(again.overall_range, alone.overall_range);
    EXPECT_EQ(again.overall_deviation, alone.overall_deviation);
  }
}

/// Sums and the largest difference as they are written in a book.
TEST(Compare, long_tables_are_compared_as_short_ones_are) {
  for (const std::size_t count : {1, 2, 63, 64, 65, 66, 200, 1001}) {
    std::vector<double> times, found, expected;
    double first = 0.0, others = 0.0, largest = 0.0, at = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      times.push_back(0.1 * static_cast<double>(i));
      expected.push_back(std::sin(0.3 * static_cast<double>(i)));
      found.push_back(expected.back() + 1e-3 * std::cos(0.7 * static_cast<double>(i * i)));
      const double difference = found.back() - expected.back();
      (i == 0 ? first : others) += difference * difference;
      if (std::abs(difference) > largest) {
        largest = std::abs(difference);
        at = times.back();
      }
    }
    const VariableError error = compared(table(times, found), table(times, expected)).variables.at(0);
    EXPECT_NEAR(error.rms, std::sqrt((first + others) / static_cast<double>(count)), 1e-15) << count;
    EXPECT_EQ(error.largest, largest) << count;
    EXPECT_EQ(error.largest_at, at) << count;
    const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
    if (count > 1) {
      EXPECT_NEAR(*error.nrmse_range, error.rms / (*high - *low), 1e-15) << count;
    }
    found[count / 2] = std::nan("");
    const VariableError lost = compared(table(times, found), table(times, expected)).variables.at(0);
    EXPECT_TRUE(std::isnan(lost.rms)) << count;
    EXPECT_TRUE(std::isnan(lost.largest)) << count;
    EXPECT_EQ(lost.largest_at, times[count / 2]) << count;
  }
}

// Rows 2 to 4 of the reference: differences 2, -6, -1 against a range of 8, then 7 and 2 with the deviation 2.5.
TEST(Compare, a_result_that_begins_later_is_compared_with_the_rows_at_its_times) {
  const Comparison c = compared(table({2, 3, 4}, {1, 1, 1}), table({0, 1, 2, 3, 4, 5}, {0, 4, -1, 7, 2, 9}));
  EXPECT_EQ(c.samples, 3u);
  EXPECT_NEAR(*c.overall_range, std::sqrt((4.0 + 36.0 + 1.0) / 3.0) / 8.0, 1e-15);
  EXPECT_NEAR(*c.overall_deviation, std::sqrt((36.0 + 1.0) / 2.0) / 2.5, 1e-15);
}

TEST(Compare, a_constant_reference_has_no_scale_unless_there_is_no_error) {
  const Comparison same = compared(table({0, 1}, {3, 3}), table({0, 1}, {3, 3}));
  EXPECT_EQ(same.variables[0].nrmse_range, 0.0);
  EXPECT_EQ(same.overall_range, 0.0);
  const Comparison off = compared(table({0, 1}, {3, 4}), table({0, 1}, {3, 3}));
  EXPECT_FALSE(off.variables[0].nrmse_range);
  EXPECT_FALSE(off.overall_range);
  EXPECT_NEAR(off.variables[0].rms, std::sqrt(0.5), 1e-15);
}

TEST(Compare, one_common_sample_has_no_deviation) {
  const Comparison c = compared(table({0}, {1}), table({0, 1}, {1, 2}));
  EXPECT_EQ(c.samples, 1u);
  EXPECT_FALSE(c.variables[0].nrmse_deviation);
}

TEST(Compare, what_only_one_side_has_is_listed) {
  const formats::Table result{{"time", "y", "extra"}, {"s", "", ""}, {{0, 1}, {0, 1}, {0, 1}}};
  const formats::Table reference{{"time", "other", "y"}, {"s", "", ""}, {{0, 1}, {0, 1}, {0, 1}}};
  const Comparison c = compared(result, reference);
  EXPECT_EQ(c.only_in_result, std::vector<std::string>{"extra"});
  EXPECT_EQ(c.only_in_reference, std::vector<std::string>{"other"});
}

// Not a number is the worst error there is: no later value and no other variable may hide it.
TEST(Compare, a_value_that_is_not_a_number_is_not_hidden_by_what_follows) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const formats::Table reference{{"time", "a", "b"}, {"s", "", ""}, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}};
  const formats::Table result{{"time", "a", "b"}, {"s", "", ""}, {{0, 1, 2}, {0, nan, 2}, {0, 1, 2.1}}};
  const Comparison c = compared(result, reference);
  EXPECT_FALSE(c.variables[0].largest <= 1e300);
  EXPECT_EQ(c.variables[0].largest_at, 1.0);
  EXPECT_FALSE(c.overall_range && *c.overall_range <= 1e300);
  EXPECT_FALSE(c.overall_deviation && *c.overall_deviation <= 1e300);
}

TEST(Compare, tables_that_have_nothing_in_common_are_a_problem) {
  EXPECT_NE(problem(table({0, 1}, {0, 1}), table({5, 6}, {0, 1})).find("no time in common"), std::string::npos);
  EXPECT_NE(problem(table({0, 1}, {0, 1}, "a"), table({0, 1}, {0, 1}, "b")).find("no variable in common"),
            std::string::npos);
  EXPECT_NE(problem(table({}, {}), table({0, 1}, {0, 1})).find("the result has no rows"), std::string::npos);
}

TEST(Compare, times_that_do_not_rise_are_a_problem_with_the_row) {
  EXPECT_NE(problem(table({0, 1, 0.5}, {0, 1, 2}), table({0, 1}, {0, 1})).find("row 3"), std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(problem(table({0, 1}, {0, 1}), table({0, nan}, {0, 1})).find("row 2"), std::string::npos);
  EXPECT_NE(problem(table({nan}, {0}), table({0, 1}, {0, 1})), "");
}

// A step from 0 to 1 at t = 1 in both: no error, whichever times the other rows have.
TEST(Compare, two_rows_at_one_time_are_a_jump_in_both_tables) {
  const formats::Table reference = table({0, 1, 1, 2}, {0, 0, 1, 1});
  for (const Numbers& times : {Numbers{0, 1, 1, 2}, Numbers{0, 0.5, 1, 1, 1.5}}) {
    Numbers values;
    for (std::size_t i = 0; i < times.size(); ++i)
      values.push_back(times[i] > 1 || (times[i] == 1 && times[i - 1] == 1));
    const Comparison c = compared(table(times, values), reference);
    EXPECT_EQ(c.variables[0].rms, 0.0);
    EXPECT_EQ(c.samples, times.size());
  }
}

// The reference is a step; a ramp instead of it is wrong by a half in the middle.
TEST(Compare, ramp_in_the_place_of_a_jump_is_an_error) {
  const Comparison c = compared(table({0, 0.9, 0.95, 1, 2}, {0, 0, 0.5, 1, 1}), table({0, 1, 1, 2}, {0, 0, 1, 1}));
  EXPECT_EQ(c.variables[0].largest, 0.5);
  EXPECT_EQ(c.variables[0].largest_at, 0.95);
}

TEST(Compare, single_row_at_a_jump_is_compared_with_the_nearer_side) {
  const formats::Table jump = table({0, 1, 1, 2}, {0, 0, 10, 10});
  EXPECT_EQ(compared(table({0, 1, 2}, {0, 0, 10}), jump).variables[0].largest, 0.0);
  EXPECT_EQ(compared(table({0, 1, 2}, {0, 10, 10}), jump).variables[0].largest, 0.0);
  const Comparison between = compared(table({0, 1, 2}, {0, 7, 10}), jump);
  EXPECT_EQ(between.variables[0].largest, 3.0);
  EXPECT_EQ(between.samples, 3u);
  EXPECT_EQ(compared(jump, table({0, 1, 2}, {0, 10, 10})).variables[0].largest, 0.0);
  EXPECT_EQ(compared(jump, table({0, 2}, {0, 10})).variables[0].largest, 5.0) << "no row there: a line";
}

TEST(Compare, of_several_rows_at_one_time_the_first_and_the_last_count) {
  const Comparison c = compared(table({0, 1, 1, 1, 2}, {0, 0, 5, 1, 1}), table({0, 1, 1, 2}, {0, 0, 1, 1}));
  EXPECT_EQ(c.variables[0].rms, 0.0);
}

TEST(Compare, jumps_leave_the_tolerance_of_other_times_as_it_is) {
  EXPECT_EQ(
      compared(table({0, 0.1 * 3, 0.1 * 3, 1}, {0, 0, 1, 1}), table({0, 0.3, 0.3, 1}, {0, 0, 1, 1})).variables[0].rms,
      0.0);
}

TEST(CompareFiles, patterns_limit_the_variables_and_one_that_matches_nothing_is_a_problem) {
  const formats::TemporaryFolder folder;
  formats::write_text(folder.file("a.csv"), "time [s],m.x,m.v,n.x\n0,0,0,0\n1,1,1,1\n");
  base::Problems problems;
  const Comparison c = compare_files({folder.file("a.csv"), folder.file("a.csv"), {"m.*"}}, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  ASSERT_EQ(c.variables.size(), 2u);
  EXPECT_EQ(c.variables[1].name, "m.v");
  EXPECT_EQ(c.not_asked, std::vector<std::string>{"n.x"});
  EXPECT_TRUE(c.only_in_reference.empty());
  compare_files({folder.file("a.csv"), folder.file("a.csv"), {"m.y"}}, problems);
  EXPECT_NE(problems.text().find("no variable matches \"m.y\""), std::string::npos);
}

TEST(CompareFiles, a_file_that_cannot_be_read_is_a_problem_or_an_error_with_its_name) {
  const formats::TemporaryFolder folder;
  formats::write_text(folder.file("a.csv"), "time,y\n0,0\n");
  std::string said;
  try {
    base::Problems problems;
    compare_files({folder.file("a.csv"), folder.file("b.csv")}, problems);
    said = problems.text();
  } catch (const std::exception& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("b.csv"), std::string::npos) << said;
}

/// Two texts as files, compared.
struct Pair {
  Pair(const std::string& result, const std::string& reference, const std::vector<std::string>& map = {}) {
    formats::write_text(folder.file("a.csv"), result);
    formats::write_text(folder.file("b.csv"), reference);
    comparison = compare_files({folder.file("a.csv"), folder.file("b.csv"), {}, map}, problems);
  }
  double rms(const std::string& name) const {
    for (const VariableError& error : comparison.variables) {
      if (error.name == name) return error.rms;
    }
    ADD_FAILURE() << name << " was not compared\n" << problems.text();
    return NAN;
  }

  formats::TemporaryFolder folder;
  base::Problems problems;
  Comparison comparison;
};

using Names = std::vector<std::string>;

TEST(CompareFiles, names_with_and_without_those_of_models_and_instances_are_one) {
  const std::string ours = "time [s],ball.h [m],ball.v [m/s]\n0,1,0\n1,2,3\n";
  const Pair fmpy(ours, "\"time\",\"h\",\"v\"\n0,1,0\n1,2,4\n");
  EXPECT_EQ(fmpy.rms("ball.h"), 0.0);
  EXPECT_NEAR(fmpy.rms("ball.v"), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(fmpy.comparison.variables[1].reference_name, "v");
  const Pair omsimulator(ours, "\"sep=,\"\n\"time\",\"model.root.ball.h\",\"model.root.ball.k\"\n0, 1, 5\n1, 2, 5\n");
  EXPECT_EQ(omsimulator.rms("ball.h"), 0.0);
  EXPECT_EQ(omsimulator.comparison.only_in_reference, Names{"model.root.ball.k"});
  EXPECT_EQ(omsimulator.comparison.only_in_result, Names{"ball.v"});
  const Pair mastersim(ours, "Time [h] \tball.h [-] \tball.v [m/s]\n0\t1\t0\n0.000277777777777777778\t2\t3\n");
  EXPECT_EQ(mastersim.rms("ball.h"), 0.0);
  EXPECT_EQ(mastersim.comparison.samples, 2u);
  const Pair ecos(ours,
                  "iterations, time, ball::h[REAL], ball::name[STR], ball::v[REAL]\n0, 0, 1, x, 0\n1, 1, 2, y, 3\n");
  EXPECT_EQ(ecos.rms("ball.v"), 0.0);
  EXPECT_EQ(ecos.comparison.only_in_reference, (Names{"iterations", "ball::name"}));
}

TEST(CompareFiles, names_that_may_mean_several_are_not_guessed) {
  const std::string ours = "time,a.y,b.y,z\n0,1,2,0\n1,1,2,0\n", theirs = "time,y,z\n0,2,0\n1,2,0\n";
  const Pair guess(ours, theirs);
  EXPECT_EQ(guess.comparison.variables.size(), 1u);
  ASSERT_EQ(guess.comparison.ambiguous.size(), 2u);
  EXPECT_EQ(guess.comparison.ambiguous[0], "a.y may be y of the reference, and so may others");
  EXPECT_TRUE(guess.comparison.only_in_reference.empty());
  const Pair told(ours, theirs, {"b.y=y"});
  EXPECT_EQ(told.rms("b.y"), 0.0);
  EXPECT_EQ(told.comparison.only_in_result, Names{"a.y"});
  const Pair other(theirs, ours);
  EXPECT_EQ(other.comparison.ambiguous, Names{"y may be a.y or b.y of the reference"});
}

TEST(CompareFiles, map_gives_names_one_by_one_or_by_a_star) {
  const std::string ours = "time,a.x,a.y\n0,1,2\n1,1,2\n", theirs = "time,left.x,left.y\n0,1,2\n1,1,3\n";
  EXPECT_NE(Pair(ours, theirs).problems.text().find("no variable in common"), std::string::npos);
  const Pair star(ours, theirs, {"a.*=left.*"});
  EXPECT_EQ(star.rms("a.x"), 0.0);
  EXPECT_NEAR(star.rms("a.y"), std::sqrt(0.5), 1e-15);
  EXPECT_NE(Pair(ours, theirs, {"a.x=left.z"}).problems.text().find("no variable \"left.z\""), std::string::npos);
  EXPECT_NE(Pair(ours, theirs, {"q=left.x"}).problems.text().find("the result has no such variable"),
            std::string::npos);
  EXPECT_NE(Pair(ours, theirs, {"a.x"}).problems.text().find("not a pair of names"), std::string::npos);
}

TEST(CompareFiles, result_gets_the_units_of_the_reference) {
  const Pair pair("time [ms],p [bar],T (degC)\n0,1,20\n1000,2,20\n",
                  "time [s],p [Pa],T [K]\n0,1e5,293.15\n1,2e5,293.15\n");
  EXPECT_NEAR(pair.rms("p"), 0.0, 1e-9);
  EXPECT_NEAR(pair.rms("T"), 0.0, 1e-9);
  const Pair wrong("time,p [bar]\n0,1\n", "time,p [K]\n0,1\n");
  EXPECT_NE(wrong.problems.text().find("\"p\" is in bar in the result and in K in the reference"), std::string::npos);
}

TEST(CompareFiles, texts_in_either_file_are_of_both) {
  const std::string numbers = "time,m,y\n0,1,1\n1,2,1\n", texts = "time,m,y\n0,idle,1\n1,run,1\n";
  for (const auto& [ours, theirs] : {std::pair{numbers, texts}, {texts, numbers}, {texts, texts}}) {
    const Pair pair(ours, theirs);
    EXPECT_EQ(pair.comparison.texts, Names{"m"});
    EXPECT_TRUE(pair.comparison.only_in_result.empty());
    EXPECT_TRUE(pair.comparison.only_in_reference.empty());
  }
  EXPECT_NE(Pair("time,m\n0,idle\n", "time,m\n0,idle\n").problems.text().find("what both files have are texts"),
            std::string::npos);
}

}  // namespace
}  // namespace seam::record
