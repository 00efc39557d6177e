#include "seam/formats/hdf5.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

using Numbers = std::vector<double>;

Table read(const std::string& path) {
  base::Problems problems;
  Table table = read_hdf5(path, problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return table;
}

TEST(Hdf5Writer, names_units_and_numbers_come_back_to_the_bit) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("x.h5"), {"time", "left.F", "größe"}, {"s", "N", ""});
  writer.row(Numbers{0.0, 0.1, -0.0});
  writer.row(Numbers{0.30000000000000004, 1e-310, std::nan("")});
  writer.close();
  const Table table = read(folder.file("x.h5"));
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "left.F", "größe"}));
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "N", ""}));
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.columns[0], (Numbers{0.0, 0.30000000000000004}));
  EXPECT_EQ(table.columns[1], (Numbers{0.1, 1e-310}));
  EXPECT_TRUE(std::signbit(table.columns[2][0]));
  EXPECT_TRUE(std::isnan(table.columns[2][1]));
}

TEST(Hdf5Writer, a_file_without_rows_is_a_table_without_rows) {
  const TemporaryFolder folder;
  Hdf5Writer(folder.file("x.h5"), {"time", "y"}, {"s", ""}).close();
  const Table table = read(folder.file("x.h5"));
  EXPECT_EQ(table.names.size(), 2u);
  EXPECT_EQ(table.rows(), 0u);
}

// Chunks have some thousand rows here; flushes come in the middle of them.
TEST(Hdf5Writer, rows_of_many_chunks_with_flushes_in_between_are_all_there_once) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("x.h5"), {"time", "y"}, {"s", ""});
  for (int i = 0; i < 50'000; ++i) {
    writer.row(Numbers{1.0 * i, 2.0 * i});
    if (i % 7001 == 0) writer.flush();
  }
  writer.close();
  const Table table = read(folder.file("x.h5"));
  ASSERT_EQ(table.rows(), 50'000u);
  for (std::size_t i = 0; i < 50'000; ++i) ASSERT_EQ(table.columns[1][i], 2.0 * static_cast<double>(i));
}

/// In a process of its own; minus the signal that ended it, or its exit code.
int ending_of(const auto& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Hdf5Writer, after_kill_the_rows_up_to_the_last_flush_can_be_read) {
  const TemporaryFolder folder;
  const int ending = ending_of([&] {
    Hdf5Writer writer(folder.file("x.h5"), {"time", "y"}, {"s", ""});
    for (int i = 0; i < 30'000; ++i) writer.row(Numbers{1.0 * i, 2.0 * i});
    writer.flush();
    for (int i = 30'000; i < 30'100; ++i) writer.row(Numbers{1.0 * i, 2.0 * i});
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(ending, -SIGKILL);
  const Table table = read(folder.file("x.h5"));
  ASSERT_EQ(table.rows(), 30'000u);
  EXPECT_EQ(table.columns[1].back(), 59'998.0);
}

TEST(Hdf5Writer, others_can_read_along_while_it_is_being_written) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("x.h5"), {"time", "y"}, {"s", ""});
  writer.row(Numbers{0.0, 5.0});
  writer.flush();
  const int ending = ending_of([&] {
    base::Problems problems;
    const Table table = read_hdf5(folder.file("x.h5"), problems);
    return problems.empty() && table.columns == std::vector<Numbers>{{0.0}, {5.0}} ? 0 : 1;
  });
  EXPECT_EQ(ending, 0);
}

TEST(Hdf5Writer, a_disk_that_is_full_leaves_the_rows_of_the_last_flush) {
  const TemporaryFolder folder;
  const int ending = ending_of([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Hdf5Writer writer(folder.file("x.h5"), {"time", "y"}, {"s", ""});
    try {
      const rlimit limit{2'000'000, 2'000'000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      for (int i = 0; i < 1'000'000; ++i) {
        writer.row(Numbers{1.0 * i, 2.0 * i});
        if (i % 10'000 == 9'999) writer.flush();
      }
    } catch (const base::Error& error) {
      const std::string said = error.what();
      const bool right =
          said.find("x.h5\": File too large") != std::string::npos &&
          said.find(std::to_string(writer.safe_rows()) + " rows were safely written") != std::string::npos;
      return right ? static_cast<int>(writer.safe_rows() / 1000) : 200;
    }
    return 201;
  });
  ASSERT_GT(ending, 0);
  ASSERT_LT(ending, 200);
  const Table table = read(folder.file("x.h5"));
  ASSERT_GE(table.rows(), static_cast<std::size_t>(ending) * 1000);
  for (std::size_t i = 0; i < table.rows(); ++i) ASSERT_EQ(table.columns[1][i], 2.0 * static_cast<double>(i));
}

TEST(Hdf5Writer, what_cannot_be_written_is_an_error_with_the_path_and_the_reason) {
  const TemporaryFolder folder;
  try {
    const Hdf5Writer writer(folder.file("no/x.h5"), {"time"}, {"s"});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::file);
    EXPECT_NE(std::string(error.what()).find("no/x.h5\": No such file"), std::string::npos) << error.what();
  }
}

TEST(Hdf5Reader, what_is_no_such_file_is_a_problem_with_its_name) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& name) {
    base::Problems problems;
    EXPECT_TRUE(read_hdf5(folder.file(name), problems).names.empty());
    return problems.text();
  };
  write_text(folder.file("x.h5"), "time,y\n0,1\n");
  EXPECT_NE(problem("x.h5").find("x.h5\" cannot be read: it is no HDF5 file"), std::string::npos);
  EXPECT_NE(problem("none.h5").find("none.h5"), std::string::npos);
}

// Whatever byte is wrong: a table or a problem, never a crash.
TEST(Hdf5Reader, a_file_that_was_cut_or_changed_is_read_or_refused) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("x.h5"), {"time", "y"}, {"s", ""});
  for (int i = 0; i < 10; ++i) writer.row(Numbers{1.0 * i, 2.0 * i});
  writer.close();
  const std::string whole = read_text(folder.file("x.h5"));
  int refused = 0, tried = 0;
  for (std::size_t i = 0; i < 2000 && i < whole.size(); i += 7) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    if (i % 2 == 0) bytes.resize(i);
    write_text(folder.file("y.h5"), bytes);
    base::Problems problems;
    const Table table = read_hdf5(folder.file("y.h5"), problems);
    EXPECT_NE(problems.empty(), table.names.empty());
    refused += problems.empty() ? 0 : 1;
    ++tried;
  }
  EXPECT_GT(refused, tried / 2);
}

}  // namespace
}  // namespace seam::formats
