#include "seam/record/recorder.hpp"

#include <algorithm>
#include <limits>

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

std::vector<system::PortType> parcel_types(const std::vector<stepping::Column>& columns) {
  std::vector<system::PortType> types;
  for (const stepping::Column& column : columns) {
    if (column.type != system::PortType::real) types.push_back(column.type);
  }
  return types;
}

/// Whole numbers bare, texts always in quotes: a reader tells the two apart by that.
std::string field_of(const system::Parcel& parcel, system::PortType type) {
  const std::string text = system::text_of(parcel, type);
  return system::is_text(type) ? formats::csv_quoted(text) : text;
}

}  // namespace

CsvRecorder::CsvRecorder(const std::string& path, const std::vector<stepping::Column>& columns)
    : writer_(path, names_with_time(columns), units_with_time(columns)), parcel_types_(parcel_types(columns)) {
  line_.resize(columns.size() + 1 - parcel_types_.size());
  fields_.resize(parcel_types_.size());
}

void CsvRecorder::sample(double t, const stepping::Row& row) {
  line_[0] = t;
  std::copy(row.numbers.begin(), row.numbers.end(), line_.begin() + 1);
  for (std::size_t i = 0; i < fields_.size(); ++i) fields_[i] = field_of(row.parcels[i], parcel_types_[i]);
  writer_.row(line_, fields_);
}

void CsvRecorder::finish() { writer_.close(); }

TableRecorder::TableRecorder(const std::vector<stepping::Column>& columns) : parcel_types_(parcel_types(columns)) {
  table_.names = names_with_time(columns);
  table_.units = units_with_time(columns);
  table_.columns.resize(table_.names.size());
}

void TableRecorder::sample(double t, const stepping::Row& row) {
  table_.columns[0].push_back(t);
  for (std::size_t i = 0; i < row.numbers.size(); ++i) table_.columns[i + 1].push_back(row.numbers[i]);
  for (std::size_t i = 0; i < row.parcels.size(); ++i) {
    const bool whole = system::is_whole(parcel_types_[i]);
    table_.columns[row.numbers.size() + i + 1].push_back(whole ? system::real_of(row.parcels[i], parcel_types_[i])
                                                               : std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace seam::record
