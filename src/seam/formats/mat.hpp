// Results as MATLAB level 4 files in the layout that Dymola and OpenModelica write and read: six matrices, Aclass,
// name, description, dataInfo, data_1, data_2 ("trajectory", version 1.1).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "seam/formats/table.hpp"

namespace seam::formats {

class OpenFile;
class EmergencyBuffer;

/// Transposed ("binTrans"): one column of data_2 a row of the table, so that rows are appended and only the number of
/// columns in the header of data_2 and the stop time in data_1 are written again at a flush. A crash of the process
/// loses no row (see emergency.hpp).
class MatWriter final : public NumberWriter {
 public:
  /// As many units as names; the first is the time.
  MatWriter(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units);
  ~MatWriter() override;
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;

  void row(std::span<const double> numbers) override;
  void flush() override;
  void close() override;
  std::size_t rows() const override { return rows_; }
  std::size_t safe_rows() const override { return safe_rows_.load(std::memory_order_relaxed); }

 private:
  std::string path_;
  std::unique_ptr<OpenFile> file_;
  std::size_t width_ = 0, room_ = 0, used_ = 0;  // numbers
  std::unique_ptr<double[]> buffer_;
  std::size_t rows_ = 0;
  std::atomic<std::uint32_t> safe_rows_{0};
  std::uint64_t times_at_ = 0, count_at_ = 0, first_row_at_ = 0;  // places in the file
  std::atomic<std::size_t> complete_{0};                          // bytes of the buffer
  std::unique_ptr<EmergencyBuffer> emergency_;
};

/// Files of seam, OpenModelica and Dymola: normal or transposed, single or double precision; aliases and constants get
/// columns. The time comes first. Bytes behind the declared matrices do not matter. After any problem the table is
/// empty.
Table read_mat(const std::string& path, base::Problems& problems);
Table read_mat_bytes(std::string_view bytes, const std::string& source_name, base::Problems& problems);

/// `name` is one that MATLAB takes: a letter, then letters, digits and _.
struct MatMatrix {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  ///< column by column
};

/// One text a row.
struct MatTexts {
  std::string name;
  std::vector<std::string> rows;
};

/// All of them in one file: its bytes.
std::string mat_bytes(const std::vector<MatMatrix>& matrices, const std::vector<MatTexts>& texts);

/// The nearest name that MATLAB takes.
std::string mat_name(const std::string& text);

}  // namespace seam::formats
