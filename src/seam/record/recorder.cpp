#include "seam/record/recorder.hpp"

#include <algorithm>

namespace seam::record {
namespace {

std::vector<std::string> names_with_time(const std::vector<stepping::Column>& columns) {
  std::vector<std::string> names = {"time"};
  for (const stepping::Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> units_with_time(const std::vector<stepping::Column>& columns) {
  std::vector<std::string> units = {"s"};
  for (const stepping::Column& column : columns) units.push_back(column.unit);
  return units;
}

}  // namespace

CsvRecorder::CsvRecorder(const std::string& path, const std::vector<stepping::Column>& columns)
    : writer_(path, names_with_time(columns), units_with_time(columns)), line_(columns.size() + 1) {}

void CsvRecorder::sample(double t, std::span<const double> row) {
  line_[0] = t;
  std::copy(row.begin(), row.end(), line_.begin() + 1);
  writer_.row(line_);
}

void CsvRecorder::finish() { writer_.close(); }

TableRecorder::TableRecorder(const std::vector<stepping::Column>& columns) {
  table_.names = names_with_time(columns);
  table_.units = units_with_time(columns);
  table_.columns.resize(table_.names.size());
}

void TableRecorder::sample(double t, std::span<const double> row) {
  table_.columns[0].push_back(t);
  for (std::size_t i = 0; i < row.size(); ++i) table_.columns[i + 1].push_back(row[i]);
}

}  // namespace seam::record
