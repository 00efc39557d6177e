// Observers that keep a run: in a file as it goes, or in memory.
#pragma once

#include <string>
#include <vector>

#include "seam/formats/csv.hpp"
#include "seam/stepping/run.hpp"

namespace seam::record {

/// Streams time and columns into a CSV file; what was written is on disk when the run is over, however it ended.
class CsvRecorder final : public stepping::Observer {
 public:
  CsvRecorder(const std::string& path, const std::vector<stepping::Column>& columns);
  void sample(double t, const stepping::Row& row) override;
  void finish() override;
  std::size_t rows() const { return writer_.rows(); }

 private:
  formats::CsvWriter writer_;
  std::vector<system::PortType> parcel_types_;
  std::vector<double> line_;         // time and the numbers
  std::vector<std::string> fields_;  // of the parcels
};

/// Keeps every number, of parcels those that are whole; the first column is the time.
class TableRecorder final : public stepping::Observer {
 public:
  explicit TableRecorder(const std::vector<stepping::Column>& columns);
  void sample(double t, const stepping::Row& row) override;
  const formats::CsvTable& table() const { return table_; }

 private:
  std::vector<system::PortType> parcel_types_;
  formats::CsvTable table_;
};

}  // namespace seam::record
