// The table a study fills: one row a case, as a value and as a line of a CSV file, which reads back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/study/points.hpp"

namespace seam::study {

enum class Ending {
  done,
  ended,     ///< a subsystem asked to end early: compared up to there
  diverged,  ///< its errors are infinite
  failed,    ///< there are no numbers, and the reason says why
  excluded   ///< as the study asks: it does not count
};
const std::vector<std::string>& ending_words();

/// The number in a field of the sheet, nan and inf included.
std::optional<double> number_in(const std::string& field);

/// One case: a point coupled by one method.
struct Row {
  std::size_t point = 0;            ///< from 0
  std::size_t method = 0;           ///< number among those of the study
  std::vector<std::string> varied;  ///< as a user writes them
  Ending ending = Ending::done;
  std::vector<double> metrics;                         ///< NaN: not known
  std::string reason;                                  ///< why it is not done, or why a number is not known; one line
  std::vector<std::vector<double>> trajectories = {};  ///< times and the variables that are kept; not in the sheet
};

struct VariedColumn {
  std::string name, unit;
  bool numeric = false;  ///< every value is a number, in this unit
};

struct Sheet {
  std::vector<std::string> methods;
  std::vector<VariedColumn> varied;
  std::vector<std::string> metrics;
  std::vector<std::string> units;     ///< of the metrics
  std::vector<std::string> compared;  ///< variables with columns of their own

  std::size_t metric(std::string_view name) const;  ///< its number, or how many there are
  std::string header() const;
  std::string line(const Row& row) const { return line(row, varied_fields(row.varied)); }
  /// By what `varied_fields` says of its varied values.
  std::string line(const Row& row, std::string_view varied_fields) const;
  std::string varied_fields(const std::vector<std::string>& texts) const;
  /// None if the line is not one of these.
  std::optional<Row> row(std::string_view line) const;
  /// The number of a varied value; NaN where it is none.
  double number(std::size_t column, const std::string& text) const;
};

Sheet make_sheet(const Study& study, std::vector<std::string> compared);

}  // namespace seam::study
