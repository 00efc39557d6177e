#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "seam/base/error.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/hdf5.hpp"
#include "seam/formats/hdf5_handle.hpp"
#include "seam/formats/number.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr hsize_t most_numbers = hsize_t{1} << 27;
constexpr hsize_t most_columns = hsize_t{1} << 20;
constexpr std::size_t longest_text = 1 << 16;

/// What cannot be read; said as a problem.
struct Unreadable {
  std::string what;
};

Hdf5Handle open_set(hid_t file, const char* name) {
  Hdf5Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!set) throw Unreadable{fmt::format("it has no table \"{}\"", name)};
  return set;
}

std::vector<hsize_t> extent_of(hid_t set) {
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  const int rank = space ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0 || rank > 2) return {};
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
  return extent;
}

/// Texts of one length each, as Hdf5Writer writes them.
std::vector<std::string> texts_of(hid_t file, const char* name, hsize_t count) {
  const Hdf5Handle set = open_set(file, name);
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  const std::size_t length = type ? H5Tget_size(type.id()) : 0;
  if (!type || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 || length < 1 ||
      length > longest_text || extent_of(set.id()) != std::vector<hsize_t>{count} || count * length > most_numbers)
    throw Unreadable{fmt::format("its \"{}\" are not one text a column", name)};
  std::string bytes(count * length, '\0');
  if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    throw Unreadable{fmt::format("its \"{}\" cannot be read", name)};
  std::vector<std::string> texts;
  for (hsize_t i = 0; i < count; ++i) {
    const std::string text = bytes.substr(i * length, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

/// Whole rows at a time, so that the memory beside the table stays small.
void read_values(hid_t set, hsize_t rows, Table& table) {
  const hsize_t width = table.columns.size(), at_once = std::max<hsize_t>((hsize_t{1} << 16) / width, 1);
  std::vector<double> block;
  for (hsize_t row = 0; row < rows; row += at_once) {
    const hsize_t begin[] = {row, 0}, count[] = {std::min(at_once, rows - row), width};
    const Hdf5Handle in_file(H5Dget_space(set), H5Sclose), in_memory(H5Screate_simple(2, count, nullptr), H5Sclose);
    block.resize(count[0] * width);
    if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, begin, nullptr, count, nullptr) < 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT, block.data()) < 0)
      throw Unreadable{fmt::format("its values cannot be read from row {} on", row + 1)};
    for (std::size_t i = 0; i < block.size(); ++i) table.columns[i % width].push_back(block[i]);
  }
}

/// Whole numbers that doubles hold stay.
Table without_rounded(Table table) {
  constexpr double held = 9007199254740992.0;  // 2^53
  Table kept;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto large = std::ranges::find_if(table.columns[i], [](double number) { return std::abs(number) >= held; });
    if (large != table.columns[i].end()) {
      if (i == time_column(table)) throw Unreadable{"its times are whole numbers beyond 2^53, which no double holds"};
      kept.leave_out(table.names[i], not_held(number_text(*large)));
      continue;
    }
    kept.names.push_back(table.names[i]);
    kept.units.push_back(table.units[i]);
    kept.columns.push_back(std::move(table.columns[i]));
  }
  return kept;
}

/// A file that a writer has open, or had when it was killed, opens for readers that ask for SWMR alone.
Hdf5Handle open_file(const std::string& path) {
  const Hdf5Handle access = hdf5_access();
  for (const unsigned mode : {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ}) {
    Hdf5Handle file(H5Fopen(path.c_str(), mode, access.id()), H5Fclose);
    if (file) return file;
  }
  throw Unreadable{"it is no HDF5 file, or it is damaged"};
}

Table read_open(hid_t file) {
  const Hdf5Handle set = open_set(file, "values");
  const std::vector<hsize_t> extent = extent_of(set.id());
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  const H5T_class_t kind = type ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  if (extent.size() != 2 || (kind != H5T_FLOAT && kind != H5T_INTEGER))
    throw Unreadable{"its \"values\" are not a table of numbers"};
  if (extent[1] < 1 || extent[1] > most_columns || extent[0] > most_numbers / extent[1])
    throw Unreadable{fmt::format("{} columns of {} rows are too many to be read at once", extent[1], extent[0])};
  Table table;
  table.names = texts_of(file, "names", extent[1]);
  table.units = texts_of(file, "units", extent[1]);
  std::unordered_set<std::string> seen;
  for (const std::string& name : table.names) {
    if (name.empty() || find_bad_byte(name)) throw Unreadable{"a column has no name"};
    if (!seen.insert(name).second) throw Unreadable{fmt::format("\"{}\" names two columns", name)};
  }
  table.columns.resize(table.names.size());
  read_values(set.id(), extent[0], table);
  return kind == H5T_INTEGER ? without_rounded(std::move(table)) : table;
}

}  // namespace

Table read_hdf5(const std::string& path, base::Problems& problems) {
  begin_hdf5();
  try {
    OpenFile(path, OpenFile::For::reading).close();  // the system's reason, if it cannot be read
    const Hdf5Handle file = open_file(path);
    return read_open(file.id());
  } catch (const base::Error& error) {
    problems.add({}, error.what());
  } catch (const Unreadable& reason) {
    problems.add({}, fmt::format("\"{}\" cannot be read: {}", path, reason.what),
                 "results have a table \"values\", and a text a column in \"names\" and \"units\"");
  }
  return {};
}

}  // namespace seam::formats
