// Observers that keep a run: in a file as it goes, or in memory.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "seam/base/error.hpp"
#include "seam/formats/csv.hpp"
#include "seam/stepping/run.hpp"

namespace seam::record {

/// Keeps time and columns. What went into a file is on disk when the run is over, however it ended.
class Recorder : public stepping::Observer {
 public:
  virtual std::size_t rows() const = 0;
  /// How many variables it keeps beside the time.
  virtual std::size_t variables() const = 0;
  /// What it could not keep as it is, to be said once.
  virtual std::vector<std::string> notices() const { return {}; }
  /// Flushes if the last time was half a second ago: for callers that step without stepping::run.
  void flush_if_due();

 private:
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

/// In the format that the name of the file asks for. A base::Error while it writes says how many rows are safe and up
/// to which time.
std::unique_ptr<Recorder> make_recorder(const std::string& path, const std::vector<stepping::Column>& columns);

/// Which time is safe: the one of the last row before those that wait for a flush.
class SafeTime {
 public:
  /// Something was written or flushed; how many rows are safe now.
  void look(std::size_t safe_rows);
  /// After look(): a row at time t is there.
  void row(double t) { last_ = t; }
  /// Throws the error again with the time in it.
  [[noreturn]] void say(const base::Error& error) const;

 private:
  std::size_t safe_rows_ = 0;
  double last_ = 0.0, safe_ = 0.0;
};

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::string& path, const std::vector<stepping::Column>& columns);
  void sample(double t, const stepping::Row& row) override;
  void flush() override;
  void finish() override;
  std::size_t rows() const override { return writer_.rows(); }
  std::size_t variables() const override { return line_.size() - 1 + fields_.size(); }

 private:
  formats::CsvWriter writer_;
  std::vector<system::PortType> discrete_types_;
  std::vector<double> line_;         // time and the numbers
  std::vector<std::string> fields_;  // of the discrete values
  SafeTime safe_;
};

/// For formats that hold nothing but doubles: whole numbers become such, texts are left out.
class NumberRecorder final : public Recorder {
 public:
  NumberRecorder(const std::string& path, const std::vector<stepping::Column>& columns);
  void sample(double t, const stepping::Row& row) override;
  void flush() override;
  void finish() override;
  std::size_t rows() const override { return writer_->rows(); }
  std::size_t variables() const override { return line_.size() - 1; }
  std::vector<std::string> notices() const override;

 private:
  /// A discrete value that is a whole number.
  struct Whole {
    std::size_t discrete_value = 0;  ///< number in the row
    system::PortType type{};
    std::string name;
    bool rounded = false;  ///< once at least, because a double cannot hold it
  };
  std::unique_ptr<formats::NumberWriter> writer_;
  std::vector<Whole> wholes_;
  std::vector<std::string> texts_;  // names of what is left out
  std::size_t numbers_ = 0;
  std::vector<double> line_;
  SafeTime safe_;
};

/// Keeps every number, of discrete values those that are whole; the first column is the time.
class TableRecorder final : public Recorder {
 public:
  /// `room` is a table that is no longer used: its memory is reused.
  explicit TableRecorder(const std::vector<stepping::Column>& columns, formats::Table room = {});
  /// Makes room for so many rows.
  void expect(std::size_t rows);
  void sample(double t, const stepping::Row& row) override;
  void sample_all(const stepping::Rows& rows) override;
  std::size_t rows() const override { return table_.rows(); }
  std::size_t variables() const override { return table_.names.size() - 1; }
  const formats::Table& table() const { return table_; }
  /// It keeps nothing.
  formats::Table take() { return std::move(table_); }

 private:
  std::vector<system::PortType> discrete_types_;
  formats::Table table_;
};

}  // namespace seam::record
