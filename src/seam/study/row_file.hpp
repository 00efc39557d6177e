// The rows of a study on disk: written in order, point by point, and taken up again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seam/formats/text_file.hpp"
#include "seam/formats/value.hpp"
#include "seam/study/prepare.hpp"

namespace seam::study {

/// What a result rests on, for the summary file: a study is not resumed with other numbers.
formats::Value identity_value(const Prepared& prepared);

/// Throws base::ProblemsFound naming what is no longer the same.
void require_same_identity(const Prepared& prepared, const std::string& summary_file);

/// The rows of all whole points in a file that a study has left.
std::vector<Row> rows_left(const Prepared& prepared, const std::string& file);

/// Appends whole points.
class RowFile {
 public:
  /// Begins the file anew with these rows.
  RowFile(const Sheet& sheet, const std::string& path, const std::vector<Row>& rows);
  void add(const std::vector<Row>& rows);
  void close() { file_->close(); }

 private:
  const Sheet& sheet_;
  std::unique_ptr<formats::OpenFile> file_;
};

/// The numbers alone, for formats without texts: methods, endings and texts that vary become numbers.
void write_numbers(const Prepared& prepared, const std::string& path, const std::vector<Row>& rows);

}  // namespace seam::study
