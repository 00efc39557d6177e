#include "seam/formats/mat.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "seam/base/error.hpp"

namespace seam::formats {
namespace {

/// What the format's description says of a header: type, rows, columns, imaginary part, length of the name, the name.
std::string header(std::int32_t type, std::int32_t rows, std::int32_t columns, const std::string& name) {
  const std::int32_t fields[] = {type, rows, columns, 0, static_cast<std::int32_t>(name.size() + 1)};
  std::string bytes(sizeof fields, '\0');
  std::memcpy(bytes.data(), fields, sizeof fields);
  return bytes + name + '\0';
}

std::string numbers(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(MatMatrices, lie_one_behind_the_other_column_by_column) {
  const std::string bytes = mat_bytes({{"A", 2, 3, {1, 2, 3, 4, 5, 6}}, {"none", 0, 2, {}}}, {});
  EXPECT_EQ(bytes, header(0, 2, 3, "A") + numbers({1, 2, 3, 4, 5, 6}) + header(0, 0, 2, "none"));
}

TEST(MatMatrices, texts_are_rows_of_a_matrix_of_letters) {
  EXPECT_EQ(mat_bytes({}, {{"inputs", {"ab", "c"}}}), header(51, 2, 2, "inputs") + "acb ");
}

TEST(MatMatrices, with_the_wrong_number_of_values_are_refused) {
  EXPECT_THROW(mat_bytes({{"A", 2, 2, {1.0}}}, {}), base::Error);
}

TEST(MatMatrices, names_become_those_that_matlab_takes) {
  EXPECT_EQ(mat_name("left"), "left");
  EXPECT_EQ(mat_name("axle.left-1"), "axle_left_1");
  EXPECT_EQ(mat_name("1st"), "m1st");
  EXPECT_EQ(mat_name(std::string(100, 'x')).size(), 63u);
}

}  // namespace
}  // namespace seam::formats
