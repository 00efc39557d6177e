#include "seam/formats/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/formats/csv.hpp"
#include "seam/formats/hdf5.hpp"
#include "seam/formats/mat.hpp"

namespace seam::formats {
namespace {

bool ends_with_folded(std::string_view text, std::string_view end) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  return text.size() >= end.size() &&
         std::equal(text.end() - static_cast<std::ptrdiff_t>(end.size()), text.end(), end.begin(), same);
}

}  // namespace

const std::vector<double>* Table::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

void Table::leave_out(std::string name, std::string why) {
  left_out.push_back(std::move(name));
  why_left_out.push_back(std::move(why));
}

std::string not_held(std::string_view whole_number) {
  return fmt::format("its column holds {}, a whole number that a double would round", whole_number);
}

std::size_t time_column(const Table& table) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i].size() == 4 && ends_with_folded(table.names[i], "time")) return i;
  }
  return 0;
}

TableFormat table_format(std::string_view path) {
  if (ends_with_folded(path, ".mat")) return TableFormat::mat;
  if (ends_with_folded(path, ".h5") || ends_with_folded(path, ".hdf5")) return TableFormat::hdf5;
  return TableFormat::csv;
}

Table read_table(const std::string& path, base::Problems& problems) {
  switch (table_format(path)) {
    case TableFormat::mat:
      return read_mat(path, problems);
    case TableFormat::hdf5:
      return read_hdf5(path, problems);
    case TableFormat::csv:
      break;
  }
  return read_csv(path, problems);
}

std::unique_ptr<NumberWriter> make_number_writer(const std::string& path, const std::vector<std::string>& names,
                                                 const std::vector<std::string>& units) {
  if (names.empty() || names.size() != units.size())
    throw base::Error(base::Failure::internal, "a table needs names, and as many units");
  switch (table_format(path)) {
    case TableFormat::mat:
      return std::make_unique<MatWriter>(path, names, units);
    case TableFormat::hdf5:
      return std::make_unique<Hdf5Writer>(path, names, units);
    case TableFormat::csv:
      break;
  }
  throw base::Error(base::Failure::internal, "CSV has a writer of its own");
}

}  // namespace seam::formats
