// A table of a stranger, as results to compare and as signals; what is read is written and read again.
#include <string_view>

#include "formats/temporary_folder.hpp"
#include "fuzz/harness.hpp"
#include "seam/formats/csv.hpp"

namespace seam::fuzz {
namespace {

bool same(double a, double b) { return a == b || (a != a && b != b); }

void write_and_read(const formats::Table& table) {
  static const formats::TemporaryFolder folder;
  const std::string path = folder.file("table.csv");
  formats::CsvWriter writer(path, table.names, table.units);
  std::vector<double> row(table.names.size());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = table.columns[j][i];
    writer.row(row);
  }
  writer.close();
  base::Problems problems;
  const formats::Table again = formats::read_csv(path, problems);
  must(problems.empty(), "what is written can be read");
  must(again.names == table.names && again.units == table.units, "names and units come back");
  must(again.rows() == table.rows(), "rows come back");
  for (std::size_t j = 0; j < row.size(); ++j) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      must(same(again.columns[j][i], table.columns[j][i]), "numbers come back to the bit");
    }
  }
}

void read(std::string_view text) {
  base::Problems problems;
  const formats::Table table = formats::read_csv_text(text, "table.csv", problems);
  problems.text();
  must(problems.empty() == !table.names.empty(), "there is a table or a problem");
  if (problems.empty()) write_and_read(table);
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
