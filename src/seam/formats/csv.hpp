// Tables of numbers as CSV (RFC 4180): one header line, a unit as `name [unit]`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/table.hpp"

namespace seam::formats {

/// Comma, semicolon or tab, whichever the header uses or a line `sep=;` before it says; behind the latter two also
/// decimal commas; CR LF and a byte order mark are accepted; `nan`, `inf`, `true` and `false` are numbers. A second
/// line without numbers holds units. A column of texts (its first field is none of these, or one is quoted) is left
/// out, and so are one without a name and one with a whole number that a double would round. Problems carry line and
/// column; reading stops after a few. After any, the table is empty.
Table read_csv(const std::string& path, base::Problems& problems);
Table read_csv_text(std::string_view text, const std::string& source_name, base::Problems& problems);

/// Whether a field that is not quoted is read as a number: decimal, `nan`, `inf`, `infinity`, `true`, `false`, in any
/// case.
bool is_csv_number(std::string_view field);

/// A text as a field in quotes; bytes that a text file cannot hold become question marks.
std::string csv_quoted(std::string_view text);

class OpenFile;
class EmergencyBuffer;

/// Streams rows through one fixed buffer; numbers in the shortest form that reads back to the same bits.
/// base::Error names the path and how many rows are safely in the file. A crash of the process loses no whole row that
/// fits the buffer (see emergency.hpp).
class CsvWriter {
 public:
  /// `units` is empty or as long as `names`.
  CsvWriter(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units = {});
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// One number a name; the last names may have fields instead, written as they are (whole numbers, or csv_quoted).
  void row(std::span<const double> numbers, std::span<const std::string> fields = {});
  void flush();
  /// Flushes; errors appear here rather than vanish in the destructor.
  void close();

  std::size_t rows() const { return rows_; }
  std::size_t safe_rows() const { return safe_rows_; }  ///< up to the last flush

 private:
  void put(std::string_view text);
  void put_number(std::span<const double> numbers, std::size_t column);
  void row_is_complete();

  std::string path_;
  std::unique_ptr<OpenFile> file_;
  std::size_t room_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::size_t width_ = 0;
  /// Ports that are connected hold the same number: columns that had the number of another one before them, and where
  /// that is written in the buffer.
  struct Written {
    std::size_t twin = 0;  ///< the column itself if there is none
    std::size_t offset = 0, length = 0;
  };
  std::vector<Written> columns_;
  std::size_t rows_ = 0;
  std::size_t safe_rows_ = 0;
  std::uint64_t written_ = 0, safe_size_ = 0;  // bytes in the file, and up to its last whole row
  std::atomic<std::size_t> complete_{0};       // bytes of the buffer up to the last whole row
  std::unique_ptr<EmergencyBuffer> emergency_;
};

}  // namespace seam::formats
