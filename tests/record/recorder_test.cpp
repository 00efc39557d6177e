#include "seam/record/recorder.hpp"

#include <gtest/gtest.h>

#include "formats/temporary_folder.hpp"
#include "seam/base/error.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::record {
namespace {

std::vector<stepping::Column> columns() {
  std::vector<stepping::Column> result(2);
  result[0].name = "car.wheel[1].f";
  result[0].unit = "N";
  result[1].name = "car.on, off";
  return result;
}

stepping::Row row(std::vector<double> numbers) {
  stepping::Row result{columns()};
  result.numbers = std::move(numbers);
  return result;
}
const stepping::Row first = row({1.0, 0.1}), second = row({-2.5e-300, 1.0 / 3.0});

TEST(CsvRecorder, writes_time_names_and_units_and_every_number_to_the_bit) {
  const formats::TemporaryFolder folder;
  CsvRecorder recorder(folder.file("x.csv"), columns());
  recorder.sample(0.0, first);
  recorder.sample(0.30000000000000004, second);
  EXPECT_EQ(recorder.rows(), 2u);
  recorder.finish();
  EXPECT_EQ(formats::read_text(folder.file("x.csv")),
            "time [s],car.wheel[1].f [N],\"car.on, off\"\n"
            "0,1,0.1\n"
            "0.30000000000000004,-2.5e-300,0.3333333333333333\n");
}

TEST(CsvRecorder, the_header_alone_is_a_table_without_rows) {
  const formats::TemporaryFolder folder;
  CsvRecorder recorder(folder.file("x.csv"), columns());
  recorder.finish();
  base::Problems problems;
  const formats::Table table = formats::read_csv(folder.file("x.csv"), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "car.wheel[1].f", "car.on, off"}));
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "N", ""}));
  EXPECT_EQ(table.rows(), 0u);
}

TEST(CsvRecorder, what_cannot_be_written_is_an_error_with_the_path) {
  const formats::TemporaryFolder folder;
  try {
    CsvRecorder recorder(folder.file("no/x.csv"), columns());
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.failure(), base::Failure::file);
    EXPECT_NE(std::string(error.what()).find("no/x.csv"), std::string::npos);
  }
}

/// A real, an integer of 64 bits, a text and a Boolean.
std::vector<stepping::Column> mixed() {
  std::vector<stepping::Column> result(4);
  result[0].name = "m.x";
  result[0].unit = "m";
  result[1].name = "m.count";
  result[1].type = system::PortType::uint64;
  result[2].name = "m.state";
  result[2].type = system::PortType::string;
  result[3].name = "m.on";
  result[3].type = system::PortType::boolean;
  return result;
}

stepping::Row mixed_row(double x, std::int64_t count, bool on) {
  stepping::Row row{mixed()};
  row.numbers = {x};
  row.discrete_values = {{count, ""}, {0, "ready"}, {on ? 1 : 0, ""}};
  return row;
}

class NumberFormats : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, NumberFormats, ::testing::Values("x.mat", "x.h5", "X.HDF5", "x.MAT"));

TEST_P(NumberFormats, whole_numbers_are_doubles_and_texts_are_left_out_with_a_notice) {
  const formats::TemporaryFolder folder;
  const auto recorder = make_recorder(folder.file(GetParam()), mixed());
  recorder->sample(0.0, mixed_row(0.5, 7, true));
  recorder->sample(1.0, mixed_row(1.5, std::int64_t{1} << 53, false));
  recorder->finish();
  EXPECT_EQ(recorder->rows(), 2u);
  EXPECT_EQ(recorder->variables(), 3u);
  ASSERT_EQ(recorder->notices().size(), 1u);
  EXPECT_NE(recorder->notices()[0].find("m.state holds texts"), std::string::npos);
  base::Problems problems;
  const formats::Table table = formats::read_table(folder.file(GetParam()), problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "m.x", "m.count", "m.on"}));
  EXPECT_EQ(table.units, (std::vector<std::string>{"s", "m", "", ""}));
  EXPECT_EQ(table.columns,
            (std::vector<std::vector<double>>{{0.0, 1.0}, {0.5, 1.5}, {7.0, 9007199254740992.0}, {1.0, 0.0}}));
}

TEST_P(NumberFormats, a_whole_number_that_no_double_holds_is_told_once) {
  const formats::TemporaryFolder folder;
  const auto recorder = make_recorder(folder.file(GetParam()), mixed());
  for (int i = 0; i < 3; ++i) recorder->sample(i, mixed_row(0.0, -1, true));  // 2^64 - 1
  recorder->finish();
  ASSERT_EQ(recorder->notices().size(), 2u);
  EXPECT_NE(recorder->notices()[1].find("m.count had whole numbers beyond 2^53"), std::string::npos);
}

// The time of the last row that is safe, not of the last one that was seen.
TEST(Recorder, what_cannot_be_written_is_told_with_the_time_that_is_safe) {
  std::vector<stepping::Column> wide(2000);
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i].name = "x" + std::to_string(i);
  const auto recorder = make_recorder("/dev/full", wide);  // a CSV file
  const stepping::Row row{wide};
  std::string said;
  try {
    for (int i = 0; i < 1000; ++i) recorder->sample(i, row);
  } catch (const base::Error& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("/dev/full\": No space left on device; 0 rows were safely written"), std::string::npos) << said;
}

TEST(SafeTime, is_the_time_of_the_last_row_before_the_last_flush) {
  SafeTime safe;
  const auto said = [&] {
    try {
      safe.say(base::Error(base::Failure::file, "full"));
    } catch (const base::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  safe.look(0);
  safe.row(0.0);
  EXPECT_EQ(said(), "full");
  safe.look(0);
  safe.row(0.1);
  safe.look(2);  // the third row found no room: the two before it were written
  safe.row(0.2);
  EXPECT_EQ(said(), "full, up to 0.1 s");
  safe.look(3);
  EXPECT_EQ(said(), "full, up to 0.2 s");
}

TEST(TableRecorder, keeps_the_same_in_memory) {
  TableRecorder recorder(columns());
  recorder.sample(0.0, first);
  recorder.sample(0.5, second);
  recorder.finish();
  EXPECT_EQ(recorder.table().names[0], "time");
  EXPECT_EQ(recorder.table().columns[0], (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(*recorder.table().find("car.on, off"), (std::vector<double>{0.1, 1.0 / 3.0}));
}

}  // namespace
}  // namespace seam::record
