#include "seam/formats/hdf5_matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/hdf5_matrix.hpp"
#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

const std::vector<Hdf5Matrices::Variable> two = {{"time", "s"}, {"a.y/1", "m"}};

std::vector<std::vector<double>> run_of(double number, std::size_t rows) {
  std::vector<std::vector<double>> run(2);
  for (std::size_t i = 0; i < rows; ++i) {
    run[0].push_back(static_cast<double>(i));
    run[1].push_back(number + 0.001 * static_cast<double>(i));
  }
  return run;
}

TEST(Hdf5Matrices, hold_one_dataset_a_variable_and_nan_where_a_run_is_shorter) {
  const TemporaryFolder folder;
  const std::string path = folder.file("m.h5");
  Hdf5Matrices matrices(path, two, {});
  for (int run = 0; run < 70; ++run) matrices.add(run_of(run, run == 5 ? 0 : run == 7 ? 1500 : 1000));
  matrices.close();
  const Matrix time(path, "time"), y(path, "a.y_1");
  EXPECT_EQ(y.unit, "m");
  ASSERT_EQ(y.extent[0], 1500U);
  ASSERT_EQ(y.extent[1], 70U);
  EXPECT_EQ(y(999, 69), 69.0 + 0.001 * 999);
  EXPECT_EQ(time(1499, 7), 1499.0);
  EXPECT_TRUE(std::isnan(y(1000, 69)));
  EXPECT_TRUE(std::isnan(y(0, 5)));
}

TEST(Hdf5Matrices, go_on_behind_the_runs_that_are_there) {
  const TemporaryFolder folder;
  const std::string whole = folder.file("whole.h5"), parts = folder.file("parts.h5");
  Hdf5Matrices at_once(whole, two, {});
  for (int run = 0; run < 50; ++run) at_once.add(run_of(run, 10));
  at_once.close();
  Hdf5Matrices first(parts, two, {});
  for (int run = 0; run < 37; ++run) first.add(run_of(run, 10));
  first.close();
  Hdf5Matrices second(parts, two, {35});  // two were written of a point that is not complete
  for (int run = 35; run < 50; ++run) second.add(run_of(run, 10));
  second.close();
  EXPECT_EQ(Matrix(whole, "a.y_1").numbers, Matrix(parts, "a.y_1").numbers);
}

TEST(Hdf5Matrices, a_file_that_cannot_be_written_or_gone_on_with_is_told) {
  const TemporaryFolder folder;
  EXPECT_THROW(Hdf5Matrices(folder.file("nowhere/m.h5"), two, {}), base::Error);
  EXPECT_THROW(Hdf5Matrices(folder.file("none.h5"), two, {3}), base::Error);
  write_text(folder.file("text.h5"), "no such file");
  EXPECT_THROW(Hdf5Matrices(folder.file("text.h5"), two, {3}), base::Error);
  Hdf5Matrices few(folder.file("few.h5"), two, {});
  few.add(run_of(1, 10));
  few.close();
  EXPECT_THROW(Hdf5Matrices(folder.file("few.h5"), two, {2}), base::Error);
}

}  // namespace
}  // namespace seam::formats
