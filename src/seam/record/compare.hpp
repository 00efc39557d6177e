// How far a result is from a reference, variable by variable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/table.hpp"

namespace seam::record {

struct VariableError {
  std::string name;
  std::string reference_name;  ///< in the reference, where it may have another one
  double rms = 0.0;            ///< root of the mean square of result - reference over all samples
  double largest = 0.0;        ///< of |result - reference|
  double largest_at = 0.0;
  /// Normalised by the reference's range: Chen et al. 2021, eq. 15, with the mean over samples ("/T" is a
  /// misprint). None if the reference is constant and the error is not zero.
  std::optional<double> nrmse_range;
  /// Normalised by the reference's standard deviation, both over the samples after the first: Haid et al. 2019,
  /// eq. 32, read as the rms of (y - y*)/std(y*) (as printed it fits no row of the paper).
  std::optional<double> nrmse_deviation;
};

struct Comparison {
  std::vector<VariableError> variables;
  std::optional<double> overall_range;      ///< largest over the variables
  std::optional<double> overall_deviation;  ///< rms over the variables: eq. 32 over all outputs
  std::size_t samples = 0;
  double from = 0.0, to = 0.0;  ///< common time
  bool interpolated = false;    ///< the reference has other times: taken by linear interpolation
  std::vector<std::string> only_in_result, only_in_reference;
  // Of both, and not compared, by the names of the result:
  std::vector<std::string> texts;      ///< in one of the files
  std::vector<std::string> not_asked;  ///< no pattern matches them
  std::vector<std::string> ambiguous;  ///< in words: several could be meant
};

/// Of one variable of a reference, from its row `shift` on.
struct ReferenceScale {
  std::size_t shift = 0, count = 0;
  double range = 0.0;
  double deviation = 0.0;  ///< over all samples but the first
};

/// What was found of a reference and can be used again as long as it stays the same.
struct ReferenceFacts {
  std::optional<double> instant;         ///< times that differ by less are the same
  std::vector<double> times{};           ///< of a result, which increase
  std::size_t first = 0, last = 0;       ///< its rows that are, one after the other, at times of the reference
  std::size_t shift = 0;                 ///< whose row that is first
  std::vector<ReferenceScale> scales{};  ///< one a column
};

/// Compares the variables that both have, over the time that both have. Two rows at one time are a jump: the first
/// holds the values before it, the last those after it. Where one table has a jump and the other a single row, the
/// nearer side counts.
Comparison compare(const formats::Table& result, const formats::Table& reference, base::Problems& problems);
/// The same for a reference that several results are compared with; the facts begin empty.
Comparison compare(const formats::Table& result, const formats::Table& reference, ReferenceFacts& facts,
                   base::Problems& problems);

/// Of several pairs of tables with variables of their own: as if they were one.
Comparison together(const std::vector<Comparison>& parts);

/// The time first, in seconds; names and units as the tool that wrote it meant them. `which` is for messages.
formats::Table read_timed_table(const std::string& path, const char* which, base::Problems& problems);

/// The result in the units of the reference, column by column, where both are known and of one dimension.
void convert_units(formats::Table& result, const formats::Table& reference);

struct FileComparison {
  std::string result, reference;
  std::vector<std::string> variables = {};  ///< patterns of the result's names; none: all
  std::vector<std::string> map = {};        ///< RESULT=REFERENCE, where names are not found
};

/// The same for two files, whose names may differ by the names of models and instances before them (a.y, y,
/// model.root.a.y). Times become seconds, and the result gets the units of the reference.
Comparison compare_files(const FileComparison& files, base::Problems& problems);

}  // namespace seam::record
