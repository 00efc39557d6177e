#include "seam/study/row_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "seam/base/error.hpp"
#include "seam/formats/json.hpp"
#include "seam/formats/table.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::study {
namespace {

using formats::Value;

constexpr std::size_t largest_result = std::size_t{4} << 30;

std::string text_of(const Value* value) {
  return value && value->is(Value::Kind::string) ? value->string() : std::string();
}

std::string seed_text(const Study& study) { return study.seed ? std::to_string(*study.seed) : ""; }

/// The place of a text among the values of its path, from 1; 0 if it is none of them.
double place_among_values(const Study& study, std::size_t column, const std::string& text) {
  std::size_t first = 0;
  for (const Axis& axis : study.axes) {
    if (column < first + axis.paths.size()) {
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        if (axis.values[i][column - first].text == text) return static_cast<double>(i + 1);
      }
      return 0.0;
    }
    first += axis.paths.size();
  }
  const auto& choices = study.draws[column - first].distribution.choices;
  const auto found = std::ranges::find(choices, text, &system::Value::text);
  return found == choices.end() ? 0.0 : static_cast<double>(found - choices.begin() + 1);
}

}  // namespace

Value identity_value(const Prepared& prepared) {
  Value files = Value::array();
  for (const auto& [name, hash] : prepared.files) files.push(Value::object({{"file", name}, {"sha256", hash}}));
  return Value::object(
      {{"cases", prepared.study.identity}, {"seed", seed_text(prepared.study)}, {"files", std::move(files)}});
}

void require_same_identity(const Prepared& prepared, const std::string& summary_file) {
  base::Problems problems;
  const auto differs = [&](const std::string& what) {
    problems.add(prepared.study.where, fmt::format("this study cannot go on: {}", what),
                 "begin again with --force, or give another file with -o");
  };
  if (!std::filesystem::is_regular_file(summary_file)) {
    differs(fmt::format("\"{}\", which says what its rows rest on, is not there", summary_file));
    throw base::ProblemsFound(problems);
  }
  const Value before = formats::parse_json(formats::read_text(summary_file), summary_file);
  const Value* const identity = before.find("identity");
  const Value* const files = identity ? identity->find("files") : nullptr;
  if (!files || !files->is(Value::Kind::array)) {
    differs(fmt::format("\"{}\" does not say what its rows rest on", summary_file));
    throw base::ProblemsFound(problems);
  }
  if (text_of(identity->find("seed")) != seed_text(prepared.study)) {
    differs("the seed is another one");
  } else if (text_of(identity->find("cases")) != prepared.study.identity) {
    differs("the study file has changed, and not only in how it summarises");
  }
  for (const auto& [name, hash] : prepared.files) {
    const auto same = [&, file = name, now = hash](const Value& entry) {
      return text_of(entry.find("file")) == file && text_of(entry.find("sha256")) == now;
    };
    if (std::ranges::none_of(files->items(), same)) differs(fmt::format("\"{}\" has changed", name));
  }
  base::require_none(problems);
}

std::vector<Row> rows_left(const Prepared& prepared, const std::string& file) {
  const std::string text = formats::read_text(file, largest_result);
  const std::string header = prepared.sheet.header();
  if (!text.starts_with(header)) return {};
  const std::size_t methods = prepared.study.methods.size();
  std::vector<Row> rows;
  for (std::size_t at = header.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // a line that was cut off
    auto row = prepared.sheet.row(std::string_view(text).substr(at, end - at));
    if (!row || row->point * methods + row->method != rows.size() || row->point >= prepared.points) break;
    row->varied = point_of(prepared.study, row->point).texts;
    rows.push_back(std::move(*row));
    at = end + 1;
  }
  rows.resize(rows.size() / methods * methods);
  return rows;
}

RowFile::RowFile(const Sheet& sheet, const std::string& path, const std::vector<Row>& rows) : sheet_(sheet) {
  std::string text = sheet.header();
  for (const Row& row : rows) text += sheet.line(row);
  formats::write_text(path, text);
  file_ = std::make_unique<formats::OpenFile>(path, formats::OpenFile::For::appending);
}

void RowFile::add(const std::vector<Row>& rows) {
  std::string text, varied;
  for (std::size_t i = 0; i < rows.size(); ++i) {  // those of one point vary the same, in the same words
    if (i == 0 || rows[i].varied != rows[i - 1].varied) varied = sheet_.varied_fields(rows[i].varied);
    text += sheet_.line(rows[i], varied);
  }
  file_->write(text);
}

void write_numbers(const Prepared& prepared, const std::string& path, const std::vector<Row>& rows) {
  const Sheet& sheet = prepared.sheet;
  std::vector<std::string> names = {"case", "point", "method"}, units(3);
  for (const VariedColumn& column : sheet.varied) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  names.emplace_back("ending");
  units.emplace_back();
  names.insert(names.end(), sheet.metrics.begin(), sheet.metrics.end());
  units.insert(units.end(), sheet.units.begin(), sheet.units.end());
  const auto writer = formats::make_number_writer(path, names, units);
  for (const Row& row : rows) {
    std::vector<double> line = {static_cast<double>(row.point * sheet.methods.size() + row.method + 1),
                                static_cast<double>(row.point + 1), static_cast<double>(row.method + 1)};
    for (std::size_t i = 0; i < sheet.varied.size(); ++i)
      line.push_back(sheet.varied[i].numeric ? sheet.number(i, row.varied[i])
                                             : place_among_values(prepared.study, i, row.varied[i]));
    line.push_back(static_cast<double>(row.ending));
    line.insert(line.end(), row.metrics.begin(), row.metrics.end());
    writer->row(line);
  }
  writer->close();
}

}  // namespace seam::study
