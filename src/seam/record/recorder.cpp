#include "seam/record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

std::vector<system::PortType> discrete_types(const std::vector<stepping::Column>& columns) {
  std::vector<system::PortType> types;
  for (const stepping::Column& column : columns) {
    if (column.type != system::PortType::real) types.push_back(column.type);
  }
  return types;
}

/// Whole numbers bare, texts always in quotes: a reader tells the two apart by that.
std::string field_of(const system::DiscreteValue& discrete_value, system::PortType type) {
  const std::string text = system::text_of(discrete_value, type);
  return system::is_text(type) ? formats::csv_quoted(text) : text;
}

/// Something that writes, with the safe time in its errors.
void safely(SafeTime& safe, const auto& writer, const auto& work) {
  try {
    work();
  } catch (const base::Error& error) {
    safe.say(error);
  }
  safe.look(writer.safe_rows());
}

}  // namespace

void Recorder::flush_if_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < std::chrono::milliseconds(500)) return;
  flush();
  flushed_ = now;
}

void SafeTime::look(std::size_t safe_rows) {
  if (safe_rows == safe_rows_) return;
  safe_rows_ = safe_rows;
  safe_ = last_;
}

void SafeTime::say(const base::Error& error) const {
  const std::string up_to = safe_rows_ > 0 ? fmt::format(", up to {:.12g} s", safe_) : "";
  throw base::Error(error.failure(), error.what() + up_to);
}

CsvRecorder::CsvRecorder(const std::string& path, const std::vector<stepping::Column>& columns)
    : writer_(path, names_with_time(columns), units_with_time(columns)), discrete_types_(discrete_types(columns)) {
  line_.resize(columns.size() + 1 - discrete_types_.size());
  fields_.resize(discrete_types_.size());
}

void CsvRecorder::sample(double t, const stepping::Row& row) {
  line_[0] = t;
  std::copy(row.numbers.begin(), row.numbers.end(), line_.begin() + 1);
  for (std::size_t i = 0; i < fields_.size(); ++i) fields_[i] = field_of(row.discrete_values[i], discrete_types_[i]);
  safely(safe_, writer_, [&] { writer_.row(line_, fields_); });
  safe_.row(t);
}

void CsvRecorder::flush() {
  safely(safe_, writer_, [&] { writer_.flush(); });
}

void CsvRecorder::finish() {
  safely(safe_, writer_, [&] { writer_.close(); });
}

NumberRecorder::NumberRecorder(const std::string& path, const std::vector<stepping::Column>& columns) {
  std::vector<stepping::Column> kept;
  for (const stepping::Column& column : columns) {
    if (system::is_text(column.type)) {
      texts_.push_back(column.name);
      continue;
    }
    kept.push_back(column);
    if (column.type == system::PortType::real) {
      ++numbers_;
    } else {
      wholes_.push_back({wholes_.size() + texts_.size(), column.type, column.name});
    }
  }
  line_.resize(kept.size() + 1);
  writer_ = formats::make_number_writer(path, names_with_time(kept), units_with_time(kept));
}

void NumberRecorder::sample(double t, const stepping::Row& row) {
  line_[0] = t;
  std::copy(row.numbers.begin(), row.numbers.end(), line_.begin() + 1);
  double* place = line_.data() + 1 + numbers_;
  for (Whole& whole : wholes_) {
    constexpr double exact_up_to = 9007199254740992.0;  // 2^53
    *place = system::real_of(row.discrete_values[whole.discrete_value], whole.type);
    if (std::abs(*place) > exact_up_to) whole.rounded = true;
    ++place;
  }
  safely(safe_, *writer_, [&] { writer_->row(line_); });
  safe_.row(t);
}

void NumberRecorder::flush() {
  safely(safe_, *writer_, [&] { writer_->flush(); });
}

void NumberRecorder::finish() {
  safely(safe_, *writer_, [&] { writer_->close(); });
}

std::vector<std::string> NumberRecorder::notices() const {
  std::vector<std::string> notices;
  for (const std::string& name : texts_)
    notices.push_back(name + " holds texts and is not in the result: record it in a CSV file");
  for (const Whole& whole : wholes_) {
    if (whole.rounded)
      notices.push_back(whole.name +
                        " had whole numbers beyond 2^53, which are rounded in the result: a CSV file keeps "
                        "every digit");
  }
  return notices;
}

std::unique_ptr<Recorder> make_recorder(const std::string& path, const std::vector<stepping::Column>& columns) {
  if (formats::table_format(path) == formats::TableFormat::csv) return std::make_unique<CsvRecorder>(path, columns);
  return std::make_unique<NumberRecorder>(path, columns);
}

TableRecorder::TableRecorder(const std::vector<stepping::Column>& columns, formats::Table room)
    : discrete_types_(discrete_types(columns)), table_(std::move(room)) {
  table_.names = names_with_time(columns);
  table_.units = units_with_time(columns);
  table_.columns.resize(table_.names.size());
  for (std::vector<double>& column : table_.columns) column.clear();
}

void TableRecorder::expect(std::size_t rows) {
  for (std::vector<double>& column : table_.columns) column.reserve(rows);
}

void TableRecorder::sample_all(const stepping::Rows& rows) {
  std::vector<double>& times = table_.columns[0];
  times.insert(times.end(), rows.times.begin(), rows.times.end());
  for (std::size_t c = 0; c < rows.width; ++c) {
    std::vector<double>& column = table_.columns[c + 1];
    const double* from = rows.numbers + c;
    if (rows.width == 1) {
      column.insert(column.end(), from, from + rows.times.size());
      continue;
    }
    for (std::size_t i = 0; i < rows.times.size(); ++i, from += rows.width) column.push_back(*from);
  }
}

void TableRecorder::sample(double t, const stepping::Row& row) {
  table_.columns[0].push_back(t);
  for (std::size_t i = 0; i < row.numbers.size(); ++i) table_.columns[i + 1].push_back(row.numbers[i]);
  for (std::size_t i = 0; i < row.discrete_values.size(); ++i) {
    const bool whole = system::is_whole(discrete_types_[i]);
    table_.columns[row.numbers.size() + i + 1].push_back(
        whole ? system::real_of(row.discrete_values[i], discrete_types_[i]) : std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace seam::record
