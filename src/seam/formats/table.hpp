// Tables of numbers from files of every format, and how they are streamed into one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"

namespace seam::formats {

struct Table {
  std::vector<std::string> names, units;  ///< a unit is empty if none was given
  std::vector<std::vector<double>> columns;
  std::vector<std::string> left_out = {};      ///< names of columns that hold no numbers, or none that a double holds
  std::vector<std::string> why_left_out = {};  ///< as long: "its column holds texts"

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// The column of that name, or nullptr.
  const std::vector<double>* find(std::string_view name) const;
  void leave_out(std::string name, std::string why);
};

inline constexpr const char* holds_texts = "its column holds texts";
/// Why a column with this whole number is left out.
std::string not_held(std::string_view whole_number);

/// The column that is called `time`, in any case; the first one if none is.
std::size_t time_column(const Table& table);

enum class TableFormat { csv, mat, hdf5 };

/// By how the name ends: .mat, .h5 and .hdf5 in any case; everything else is CSV.
TableFormat table_format(std::string_view path);

/// In the format that `table_format` finds. After any problem the table is empty.
Table read_table(const std::string& path, base::Problems& problems);

/// Streams rows of numbers through a fixed buffer into a file that is readable, and complete up to the last flush, at
/// any time. base::Error names the path and how many rows are safely in the file.
class NumberWriter {
 public:
  virtual ~NumberWriter() = default;
  /// One number a column.
  virtual void row(std::span<const double> numbers) = 0;
  virtual void flush() = 0;
  /// Flushes; errors appear here rather than vanish in the destructor.
  virtual void close() = 0;
  virtual std::size_t rows() const = 0;
  virtual std::size_t safe_rows() const = 0;  ///< up to the last flush
};

/// MAT or HDF5 (a CSV file has fields that are no numbers: CsvWriter). The first column is the time.
std::unique_ptr<NumberWriter> make_number_writer(const std::string& path, const std::vector<std::string>& names,
                                                 const std::vector<std::string>& units);

}  // namespace seam::formats
