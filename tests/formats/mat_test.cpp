#include "seam/formats/mat.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/emergency.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

using Numbers = std::vector<double>;

/// The bytes of a matrix as the level 4 format is published: five 32-bit numbers, the name, the elements by columns.
template <class Element>
std::string matrix(std::int32_t type, std::int32_t rows, std::int32_t columns, const std::string& name,
                   const std::vector<Element>& elements) {
  std::string bytes;
  for (const std::int32_t field : {type, rows, columns, 0, static_cast<std::int32_t>(name.size() + 1)})
    bytes.append(reinterpret_cast<const char*>(&field), 4);
  bytes.append(name.c_str(), name.size() + 1);
  for (const Element element : elements) bytes.append(reinterpret_cast<const char*>(&element), sizeof element);
  return bytes;
}

std::vector<char> letters(const std::string& text) { return {text.begin(), text.end()}; }

const std::string transposed_class =
    matrix(51, 4, 11, "Aclass", letters("A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   "));
const std::string normal_class = matrix(51, 4, 11, "Aclass", letters("A1 bt. ir1 na  Nj  oe  rc  mt  ao  lr   y   "));

void write_two_rows(const std::string& path) {
  MatWriter writer(path, {"time", "left.F", "v"}, {"s", "N", ""});
  writer.row(Numbers{0.5, 1.0, -2.0});
  writer.row(Numbers{0.75, 0.1, 1e300});
  writer.close();
}

TEST(MatWriter, a_file_has_the_six_matrices_of_the_published_layout_byte_by_byte) {
  const TemporaryFolder folder;
  write_two_rows(folder.file("x.mat"));
  const std::string expected = transposed_class + matrix(51, 6, 3, "name", letters("time  left.Fv     ")) +
                               matrix(51, 3, 3, "description", letters("[s][N]   ")) +
                               matrix<std::int32_t>(20, 4, 3, "dataInfo", {0, 1, 0, -1, 2, 2, 0, -1, 2, 3, 0, -1}) +
                               matrix<double>(0, 1, 2, "data_1", {0.5, 0.75}) +
                               matrix<double>(0, 3, 2, "data_2", {0.5, 1.0, -2.0, 0.75, 0.1, 1e300});
  EXPECT_EQ(read_text(folder.file("x.mat")), expected);
}

TEST(MatWriter, what_was_flushed_is_there_and_complete_while_the_writer_lives) {
  const TemporaryFolder folder;
  MatWriter writer(folder.file("x.mat"), {"time", "y"}, {"s", ""});
  base::Problems problems;
  EXPECT_EQ(read_mat(folder.file("x.mat"), problems).rows(), 0u);
  writer.row(Numbers{0.0, 7.0});
  writer.row(Numbers{1.0, 8.0});
  writer.flush();
  writer.row(Numbers{2.0, 9.0});
  EXPECT_EQ(writer.rows(), 3u);
  EXPECT_EQ(writer.safe_rows(), 2u);
  const Table table = read_mat(folder.file("x.mat"), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.columns, (std::vector<Numbers>{{0.0, 1.0}, {7.0, 8.0}}));
}

TEST(MatWriter, many_rows_pass_through_the_buffer_and_come_back_to_the_bit) {
  const TemporaryFolder folder;
  MatWriter writer(folder.file("x.mat"), {"time", "a", "b"}, {"s", "m", "m/s"});
  for (int i = 0; i < 10'000; ++i) writer.row(Numbers{0.1 * i, std::sin(i), i == 7 ? std::nan("") : 1.0 / (i + 1)});
  writer.close();
  base::Problems problems;
  const Table table = read_mat(folder.file("x.mat"), problems);
  ASSERT_EQ(table.rows(), 10'000u) << problems.text();
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "m", "m/s"}));
  for (std::size_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(table.columns[1][i], std::sin(static_cast<int>(i)));
    if (i == 7) continue;
    ASSERT_EQ(table.columns[2][i], 1.0 / static_cast<double>(i + 1));
  }
  EXPECT_TRUE(std::isnan(table.columns[2][7]));
}

TEST(MatWriter, a_row_wider_than_the_buffer_is_one_row) {
  const TemporaryFolder folder;
  std::vector<std::string> names = {"time"};
  Numbers row = {0.0};
  for (int i = 0; i < 20'000; ++i) {
    names.push_back("x" + std::to_string(i));
    row.push_back(i);
  }
  MatWriter writer(folder.file("x.mat"), names, std::vector<std::string>(names.size()));
  writer.row(row);
  row[0] = 1.0;
  writer.row(row);
  writer.close();
  base::Problems problems;
  const Table table = read_mat(folder.file("x.mat"), problems);
  ASSERT_EQ(table.rows(), 2u) << problems.text();
  EXPECT_EQ(table.columns[20'000], (Numbers{19'999.0, 19'999.0}));
}

/// In a process of its own: `work`, then the exit code it gives.
int exit_code_of(const auto& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(MatWriter, a_process_that_crashes_loses_no_row) {
  const TemporaryFolder folder;
  const int code = exit_code_of([&] {
    MatWriter writer(folder.file("x.mat"), {"time", "y"}, {"s", ""});
    writer.row(Numbers{0.0, 1.0});
    writer.flush();
    writer.row(Numbers{1.0, 2.0});
    writer.row(Numbers{2.0, 3.0});
    const int files = write_emergency_buffers();
    ::_exit(files == 1 ? 0 : 1);
    return 0;
  });
  EXPECT_EQ(code, 0);
  base::Problems problems;
  EXPECT_EQ(read_mat(folder.file("x.mat"), problems).columns, (std::vector<Numbers>{{0.0, 1.0, 2.0}, {1.0, 2.0, 3.0}}))
      << problems.text();
}

TEST(MatWriter, a_disk_that_is_full_leaves_the_rows_of_the_last_flush) {
  const TemporaryFolder folder;
  const int code = exit_code_of([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    MatWriter writer(folder.file("x.mat"), {"time", "y"}, {"s", ""});
    for (int i = 0; i < 10; ++i) writer.row(Numbers{1.0 * i, 2.0 * i});
    writer.flush();
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 10; i < 1000; ++i) writer.row(Numbers{1.0 * i, 2.0 * i});
    try {
      writer.flush();
    } catch (const base::Error& error) {
      const std::string said = error.what();
      return said.find("x.mat") != std::string::npos && said.find("10 rows were safely written") != std::string::npos
                 ? 0
                 : 2;
    }
    return 1;
  });
  EXPECT_EQ(code, 0);
  base::Problems problems;
  const Table table = read_mat(folder.file("x.mat"), problems);
  EXPECT_EQ(table.rows(), 10u) << problems.text();
  EXPECT_LT(read_text(folder.file("x.mat")).size(), 600u);  // no torn row behind the last whole one
}

// As OpenModelica writes: constants in data_1, aliases by the sign of the place, texts of their own.
TEST(MatReader, aliases_and_constants_become_columns_and_texts_are_left_out) {
  const std::string bytes =
      transposed_class + matrix(51, 4, 5, "name", letters("timex   y   p   t   ")) +
      matrix(51, 10, 5, "description", letters("time [s]  pos [m|mm]          k [N/m]             ")) +
      matrix<std::int32_t>(20, 4, 5, "dataInfo", {0, 1, 0, -1, 2, 2, 0, -1, 2, -2, 0, -1, 1, 2, 0, 0, 3, 1, 0, -1}) +
      matrix<double>(0, 2, 2, "data_1", {0.0, 100.0, 1.0, 100.0}) +
      matrix<float>(10, 2, 2, "data_2", {0.0F, 3.0F, 1.0F, 4.0F}) + "what follows";
  base::Problems problems;
  const Table table = read_mat_bytes(bytes, "om.mat", problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "x", "y", "p"}));
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "m", "", "N/m"}));
  EXPECT_EQ(table.columns, (std::vector<Numbers>{{0.0, 1.0}, {3.0, 4.0}, {-3.0, -4.0}, {100.0, 100.0}}));
  EXPECT_EQ(table.left_out, std::vector<std::string>{"t"});
}

TEST(MatReader, the_layout_that_is_not_transposed_is_read_too) {
  const std::string bytes =
      normal_class + matrix(51, 2, 4, "name", letters("yt i m e")) + matrix(51, 2, 1, "description", letters("  ")) +
      matrix<std::int32_t>(20, 2, 4, "dataInfo", {2, 0, 2, 1, 0, 0, -1, -1}) + matrix<double>(0, 0, 0, "data_1", {}) +
      matrix<double>(0, 3, 2, "data_2", {0.0, 1.0, 2.0, 5.0, 6.0, 7.0});
  base::Problems problems;
  const Table table = read_mat_bytes(bytes, "x.mat", problems);
  ASSERT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "y"}));
  EXPECT_EQ(table.columns, (std::vector<Numbers>{{0.0, 1.0, 2.0}, {5.0, 6.0, 7.0}}));
}

TEST(MatReader, a_file_cut_anywhere_is_a_problem_with_its_name_and_no_table) {
  const TemporaryFolder folder;
  write_two_rows(folder.file("x.mat"));
  const std::string whole = read_text(folder.file("x.mat"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    base::Problems problems;
    const Table table = read_mat_bytes(whole.substr(0, size), "x.mat", problems);
    ASSERT_FALSE(problems.empty()) << size;
    ASSERT_TRUE(table.names.empty());
    ASSERT_NE(problems.text().find("x.mat"), std::string::npos);
  }
}

TEST(MatReader, places_that_do_not_exist_and_other_files_are_problems) {
  const auto problem = [](const std::string& bytes) {
    base::Problems problems;
    read_mat_bytes(bytes, "x.mat", problems);
    return problems.text();
  };
  const auto with_place = [](std::int32_t place) {
    return transposed_class + matrix(51, 4, 2, "name", letters("timey   ")) +
           matrix(51, 1, 2, "description", letters("  ")) +
           matrix<std::int32_t>(20, 4, 2, "dataInfo", {0, 1, 0, -1, 2, place, 0, -1}) +
           matrix<double>(0, 0, 0, "data_1", {}) + matrix<double>(0, 2, 1, "data_2", {0.0, 1.0});
  };
  EXPECT_EQ(problem(with_place(2)), "");
  for (const std::int32_t place : {0, 3, -3, std::numeric_limits<std::int32_t>::min()})
    EXPECT_NE(problem(with_place(place)).find("there is nothing where \"y\" should be"), std::string::npos) << place;
  EXPECT_NE(problem("time,y\n0,1\n1,2\n2,3\n4,5\n").find("no MAT file of level 4"), std::string::npos);
  EXPECT_NE(problem(matrix<double>(0, 1, 1, "data_2", {1.0})).find("Aclass"), std::string::npos);
  EXPECT_NE(problem(""), "");
}

}  // namespace
}  // namespace seam::formats
