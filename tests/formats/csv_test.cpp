#include "seam/formats/csv.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

struct Read {
  Table table;
  base::Problems problems;
};

Read read(std::string_view text) {
  Read result;
  result.table = read_csv_text(text, "f.csv", result.problems);
  return result;
}

void expect_problem(std::string_view text, int line, int column, const std::string& what) {
  const Read r = read(text);
  ASSERT_GE(r.problems.size(), 1u) << text;
  const base::Problem& problem = r.problems.all()[0];
  EXPECT_EQ(problem.where.line, line) << r.problems.text();
  EXPECT_EQ(problem.where.column, column) << r.problems.text();
  EXPECT_NE(problem.what.find(what), std::string::npos) << r.problems.text();
  EXPECT_EQ(r.table.rows(), 0u);
}

TEST(Csv, columns_have_names_units_and_numbers) {
  const Read r = read("time [s],wheel[1].v [m/s],x\n0,1.5,-2\n0.1,nan,inf\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names, (std::vector<std::string>{"time", "wheel[1].v", "x"}));
  EXPECT_EQ(r.table.units, (std::vector<std::string>{"s", "m/s", ""}));
  ASSERT_EQ(r.table.rows(), 2u);
  EXPECT_EQ((*r.table.find("time"))[1], 0.1);
  EXPECT_TRUE(std::isnan((*r.table.find("wheel[1].v"))[1]));
  EXPECT_TRUE(std::isinf((*r.table.find("x"))[1]));
  EXPECT_EQ(r.table.find("y"), nullptr);
}

TEST(Csv, windows_files_and_missing_last_line_end_are_read) {
  const Read r = read(
      "\xEF\xBB\xBF"
      "a,b\r\n1,2\r\n3, 4");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names[0], "a");
  EXPECT_EQ(*r.table.find("b"), (std::vector<double>{2, 4}));
}

TEST(Csv, semicolon_separates_where_the_header_says_so) {
  EXPECT_EQ(*read("a;b\n1;2\n").table.find("b"), std::vector<double>{2});
  EXPECT_EQ(*read("\"a,x,y\";b\n1;2\n").table.find("a,x,y"), std::vector<double>{1});
}

TEST(Csv, tabs_separate_where_the_header_says_so) {
  const Read r = read("Time [h] \tSlave.a b [-] \tSlave.c [m/s]\n0\t1\t2\n1\t3\t-4e-1\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names, (std::vector<std::string>{"Time", "Slave.a b", "Slave.c"}));
  EXPECT_EQ(r.table.units, (std::vector<std::string>{"h", "-", "m/s"}));
  EXPECT_EQ(r.table.columns[2], (std::vector<double>{2, -0.4}));
}

TEST(Csv, line_that_names_the_separator_is_no_header) {
  const Read quoted = read("\"sep=,\"\n\"time\",\"model.root.a.y\"\n0, 1\n0.5, 2\n");
  EXPECT_EQ(quoted.table.names, (std::vector<std::string>{"time", "model.root.a.y"})) << quoted.problems.text();
  EXPECT_EQ(quoted.table.columns[1], (std::vector<double>{1, 2}));
  EXPECT_EQ(read("sep=;\ntime;a,b\n0;1\n").table.names, (std::vector<std::string>{"time", "a,b"}));
  EXPECT_EQ(read("\"sep=;\"\n1\n").table.names, (std::vector<std::string>{"sep=;"}));
}

TEST(Csv, decimal_commas_are_read_where_a_comma_does_not_separate) {
  const Read r = read("t;y\n0,5;-1,25e1\n1;2\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.columns[0], (std::vector<double>{0.5, 1}));
  EXPECT_EQ(r.table.columns[1], (std::vector<double>{-12.5, 2}));
  EXPECT_EQ(read("t\ty\n0,5\t1\n").table.columns[0], std::vector<double>{0.5});
  expect_problem("t;y\n1;1\n2;1.234,5\n", 3, 3, "\"1.234,5\" is not a number");
}

// 1,234 and 1.5 in one file: the comma may part thousands, so nothing is guessed.
TEST(Csv, decimal_commas_beside_decimal_points_are_a_problem) {
  expect_problem("t;y\n0.5;1\n1;1,234\n", 3, 3, "has a decimal comma, and others in the file have a decimal point");
}

TEST(Csv, truth_values_are_numbers) {
  EXPECT_EQ(*read("t,b\n0,true\n1,False\n").table.find("b"), (std::vector<double>{1, 0}));
}

TEST(Csv, second_line_without_numbers_holds_the_units) {
  const Read r = read("time;v;w [m]\n[s];(km/h);\n0;1;2\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.units, (std::vector<std::string>{"s", "km/h", "m"}));
  EXPECT_EQ(r.table.rows(), 1u);
}

TEST(Csv, columns_of_texts_and_columns_without_a_name_are_left_out) {
  const Read r = read(",time,mode,y,\n0,0,idle,1,\n1,1,\"7\",2\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names, (std::vector<std::string>{"time", "y"}));
  EXPECT_EQ(r.table.left_out, std::vector<std::string>{"mode"});
  EXPECT_EQ(r.table.columns[1], (std::vector<double>{1, 2}));
}

TEST(Csv, whole_numbers_that_a_double_would_round_are_left_out_with_the_first_of_them) {
  const Read r = read(
      "t,exact,up,down,large,meant,decimal\n"
      "0,9007199254740992,1,-9007199254740993,18446744073709551615,9007199254740993.0,1\n"
      "1,18446744073709549568,9007199254740995,-9223372036854775808,1,9.007199254740993e15,2\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names, (std::vector<std::string>{"t", "exact", "meant", "decimal"}));
  EXPECT_EQ(r.table.left_out, (std::vector<std::string>{"up", "down", "large"}));
  ASSERT_EQ(r.table.why_left_out.size(), 3u);
  EXPECT_EQ(r.table.why_left_out[0], "its column holds 9007199254740995, a whole number that a double would round");
  EXPECT_NE(r.table.why_left_out[1].find("-9007199254740993"), std::string::npos);
  EXPECT_NE(r.table.why_left_out[2].find("18446744073709551615"), std::string::npos);
}

TEST(Csv, times_that_a_double_would_round_are_a_problem) {
  expect_problem("y,time\n1,5\n2,1700000000000000001\n", 3, 3, "1700000000000000001");
}

TEST(Csv, time_is_the_column_of_that_name_or_the_first) {
  EXPECT_EQ(time_column(read("iterations, time, a::y[REAL]\n0, 0, 1\n").table), 1u);
  EXPECT_EQ(time_column(read("t,y\n0,1\n").table), 0u);
}

TEST(Csv, quoted_fields_follow_rfc_4180) {
  const Read r = read("\"a \"\"q\"\", b\",\"two\nlines\"\n\"1\",2\n");
  EXPECT_TRUE(r.problems.empty()) << r.problems.text();
  EXPECT_EQ(r.table.names, (std::vector<std::string>{"a \"q\", b", "two\nlines"}));
  EXPECT_EQ(r.table.columns[0][0], 1.0);
}

TEST(Csv, bad_number_has_line_and_column) {
  expect_problem("a,b\n1,2\n3,x4\n", 3, 3, "\"x4\" is not a number");
  expect_problem("a,b\n1,2\n0x10,2\n", 3, 1, "not a number");
  expect_problem("a,b\n1,\n", 2, 3, "no number for \"b\"");
  expect_problem("a\n1e999\n", 2, 1, "out of the range");
}

TEST(Csv, short_and_long_rows_are_problems) {
  expect_problem("a,b\n1,2\n3\n", 3, 1, "this row has 1 fields, the header has 2");
  expect_problem("a,b\n1,2,3\n", 2, 1, "this row has 3 fields");
  expect_problem("a,b\n1,2\n\n3,4\n", 3, 1, "no number");
  expect_problem("a,b\n1,2,,\n", 2, 1, "this row has 4 fields");
}

TEST(Csv, problem_shows_its_line) {
  EXPECT_NE(read("a,b\n1,2\n3,oops\n").problems.text().find("3 | 3,oops\n     |   ^"), std::string::npos);
}

TEST(Csv, reading_stops_after_a_few_problems) {
  std::string text = "a\n1\n";
  for (int i = 0; i < 1000; ++i) text += "x\n";
  const Read r = read(text);
  EXPECT_EQ(r.problems.size(), 10u);
  EXPECT_NE(r.problems.all().back().what.find("reading stopped here"), std::string::npos);
}

TEST(Csv, header_is_required) {
  expect_problem("1,2\n3,4\n", 1, 1, "numbers, not names");
  expect_problem(",b\n1,2\n", 1, 1, "column 1 has no name, and none is called \"time\"");
  expect_problem("a,b,a\n1,2,3\n", 1, 5, "\"a\" names two columns");
  EXPECT_NE(read("").problems.text().find("the file is empty"), std::string::npos);
  EXPECT_NE(read("\n \n").problems.text().find("the file is empty"), std::string::npos);
}

TEST(Csv, open_quote_and_text_behind_a_quote_are_problems) {
  expect_problem("\"a,b\n1,2\n", 1, 1, "never closed");
  expect_problem("a,b\n\"1\"x,2\n", 2, 4, "after a closing quote");
}

TEST(Csv, binary_is_a_problem) {
  EXPECT_NE(read(std::string_view("a\0b", 3)).problems.text().find("not a text file"), std::string::npos);
}

TEST(Csv, missing_file_is_a_problem) {
  base::Problems problems;
  read_csv("/nowhere/x.csv", problems);
  EXPECT_NE(problems.text().find("cannot read \"/nowhere/x.csv\": No such file"), std::string::npos);
}

// Numbers that were equal so far are copied; when they part, each is written for itself.
TEST(CsvWriter, columns_that_are_equal_for_a_while_keep_their_own_numbers) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("t.csv"), {"t", "a", "b", "c"});
  for (int i = 0; i < 40; ++i) {
    const double a = 1.0 / (i + 1);
    writer.row(std::vector<double>{0.1 * i, a, i < 20 ? a : -a, i % 3 == 0 ? a : 0.1 * i});
  }
  writer.close();
  base::Problems problems;
  const Table table = read_csv(folder.file("t.csv"), problems);
  ASSERT_EQ(table.rows(), 40u) << problems.text();
  for (std::size_t i = 0; i < 40; ++i) {
    const double t = 0.1 * static_cast<int>(i), a = 1.0 / static_cast<double>(i + 1);
    EXPECT_EQ(table.columns[0][i], t);
    EXPECT_EQ(table.columns[1][i], a);
    EXPECT_EQ(table.columns[2][i], i < 20 ? a : -a);
    EXPECT_EQ(table.columns[3][i], i % 3 == 0 ? a : t);
  }
}

TEST(CsvWriter, what_was_written_is_read_back_to_the_bit) {
  const TemporaryFolder folder;
  std::mt19937_64 random(3);
  std::vector<std::array<double, 3>> rows(5000);
  for (auto& row : rows) {
    for (double& number : row) number = std::bit_cast<double>(random());
  }
  CsvWriter writer(folder.file("t.csv"), {"time", "a.\"x\", y", "wheel [1]"}, {"s", "m/s", ""});
  for (const auto& row : rows) writer.row(row);
  writer.close();
  base::Problems problems;
  const Table table = read_csv(folder.file("t.csv"), problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "a.\"x\", y", "wheel [1]"}));
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "m/s", ""}));
  ASSERT_EQ(table.rows(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (std::isnan(rows[i][j])) {
        ASSERT_TRUE(std::isnan(table.columns[j][i]));
      } else {
        ASSERT_EQ(table.columns[j][i], rows[i][j]);
      }
    }
  }
}

TEST(CsvWriter, names_that_look_like_something_else_come_back) {
  const std::vector<std::string> names{
      "\xEF\xBB\xBF"
      "a",
      " b",
      "c ",
      "\td",
      "1",
      "nan",
      "e [f",
      "g "},
      units{"", "", "", "", "", "", "", " m"};
  const TemporaryFolder folder;
  CsvWriter(folder.file("t.csv"), names, units).row(std::vector<double>(names.size()));
  base::Problems problems;
  const Table table = read_csv(folder.file("t.csv"), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, names);
  EXPECT_EQ(table.units, units);
}

TEST(CsvWriter, numbers_as_names_are_names) {
  const TemporaryFolder folder;
  CsvWriter(folder.file("t.csv"), {"1", "2"}).row(std::array{3.0, 4.0});
  base::Problems problems;
  EXPECT_EQ(read_csv(folder.file("t.csv"), problems).names, (std::vector<std::string>{"1", "2"}));
}

TEST(CsvWriter, file_is_plain_csv) {
  const TemporaryFolder folder;
  {
    CsvWriter writer(folder.file("t.csv"), {"time", "a,b"}, {"s", ""});
    writer.row(std::array{0.0, 0.1});
    writer.row(std::array{1e-3, std::nan("")});
  }
  EXPECT_EQ(read_text(folder.file("t.csv")), "time [s],\"a,b\"\n0,0.1\n0.001,nan\n");
}

TEST(CsvWriter, texts_are_quoted_and_read_back_as_columns_left_out) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("x.csv"), {"t", "n", "s"});
  writer.row(std::vector<double>{0.5}, std::vector<std::string>{"9007199254740992", csv_quoted("a, \"b\"\nc")});
  writer.row(std::vector<double>{1.5}, std::vector<std::string>{"2", csv_quoted("7")});
  writer.close();
  EXPECT_EQ(read_text(folder.file("x.csv")), "t,n,s\n0.5,9007199254740992,\"a, \"\"b\"\"\nc\"\n1.5,2,\"7\"\n");
  base::Problems problems;
  const Table table = read_csv(folder.file("x.csv"), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"t", "n"}));
  EXPECT_EQ(table.left_out, (std::vector<std::string>{"s"}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{9007199254740992.0, 2.0}));
}

TEST(CsvQuoted, bytes_that_no_text_file_holds_become_question_marks) { EXPECT_EQ(csv_quoted("a\x01\xff"), "\"a??\""); }

TEST(CsvWriter, flushed_rows_are_in_the_file_before_it_is_closed) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("t.csv"), {"a"});
  writer.row(std::array{1.0});
  writer.flush();
  EXPECT_EQ(read_text(folder.file("t.csv")), "a\n1\n");
}

TEST(CsvWriter, full_disk_names_the_path_and_the_rows_that_are_safe) {
  CsvWriter writer("/dev/full", {"a"});
  writer.row(std::array{1.0});
  try {
    writer.flush();
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::file);
    EXPECT_NE(std::string(error.what()).find("\"/dev/full\": No space left on device; 0 rows"), std::string::npos)
        << error.what();
  }
}

TEST(CsvReader, a_field_of_several_numbers_is_an_array_with_a_column_for_each_element) {
  base::Problems problems;
  const Table table = read_csv_text("time,y,k\n0,1 2 3,7\n0.5,\"4  5 6.5\",8\n", "t.csv", problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "y[1]", "y[2]", "y[3]", "k"}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{1.0, 4.0}));
  EXPECT_EQ(table.columns[3], (std::vector<double>{3.0, 6.5}));
  EXPECT_EQ(table.columns[4], (std::vector<double>{7.0, 8.0}));
  EXPECT_EQ(table.rows(), 2u);
}

TEST(CsvReader, arrays_of_changing_size_are_problems_and_texts_with_spaces_are_left_out) {
  base::Problems problems;
  EXPECT_EQ(read_csv_text("time,y\n0,1 2\n1,1 2 3\n", "t.csv", problems).names.size(), 0u);
  EXPECT_NE(problems.text().find("\"1 2 3\" is no list of 2 numbers, as the first row of \"y\" has"), std::string::npos)
      << problems.text();
  problems = {};
  const Table table = read_csv_text("time,s,w\n0,two words,1 9007199254740993\n1,1 2,3 4\n", "t.csv", problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time"}));
  EXPECT_EQ(table.left_out, (std::vector<std::string>{"s", "w"}));
}

TEST(CsvWriter, row_of_the_wrong_width_is_our_mistake) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("t.csv"), {"a", "b"});
  EXPECT_THROW(writer.row(std::array{1.0}), base::Error);
}

TEST(CsvWriter, rows_wider_than_the_buffer_are_written_whole) {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (int i = 0; i < 20'000; ++i) names.push_back("column" + std::to_string(i));
  CsvWriter writer(folder.file("t.csv"), names);
  writer.row(std::vector<double>(names.size(), 1.0 / 3.0));
  writer.close();
  base::Problems problems;
  const Table table = read_csv(folder.file("t.csv"), problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names.size(), names.size());
  EXPECT_EQ(table.columns.back()[0], 1.0 / 3.0);
}

}  // namespace
}  // namespace seam::formats
