// Results as HDF5: a table /values (rows x columns, doubles), beside it /names and /units (texts, one a column).
// Written so that others may read along (SWMR: one writer, many readers).
#pragma once

#include "seam/formats/table.hpp"

namespace seam::formats {

/// Rows are gathered in blocks of one chunk; one that is full is flushed. After a flush readers that ask for SWMR see
/// all rows, also if the process is killed right after it; other readers can open the file when it has been closed.
class Hdf5Writer final : public NumberWriter {
 public:
  /// As many units as names.
  Hdf5Writer(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units);
  ~Hdf5Writer() override;
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void row(std::span<const double> numbers) override;
  void flush() override;
  void close() override;
  std::size_t rows() const override { return rows_; }
  std::size_t safe_rows() const override { return safe_rows_; }

 private:
  struct Handles;
  void write_block();
  void create(const std::vector<std::string>& names, const std::vector<std::string>& units);
  [[noreturn]] void fail();

  std::string path_;
  std::size_t width_ = 0, block_rows_ = 0;
  std::vector<double> block_;  // the rows of the chunk that is being filled
  std::size_t rows_ = 0, safe_rows_ = 0;
  std::unique_ptr<Handles> handles_;
};

/// A file as Hdf5Writer makes it, closed or not, with or without a writer alive. After any problem the table is empty.
Table read_hdf5(const std::string& path, base::Problems& problems);

}  // namespace seam::formats
