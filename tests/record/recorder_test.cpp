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
  const formats::CsvTable table = formats::read_csv(folder.file("x.csv"), problems);
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
