#include "seam/record/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace seam::record {
namespace {

using formats::Table;

/// One value of the result and one of the reference. Where one of them has a jump and the other a single row, the jump
/// has a second row, and the nearer one counts.
struct Sample {
  std::size_t row = 0, second_row = 0;    ///< of the result
  std::size_t left = 0, second_left = 0;  ///< of the reference, at or before the time
  double share = 0.0;                     ///< of the row after it
};

/// The reference at the times of the result, both limited to the common time.
struct Overlap {
  std::size_t first = 0, last = 0;  ///< rows of the result, one past the end
  bool aligned = false;             ///< row after row is at the times of the reference from its row `shift` on
  std::size_t shift = 0;
  std::vector<Sample> samples;  ///< not aligned
  bool interpolated = false;

  std::size_t size() const { return aligned ? last - first : samples.size(); }
};

/// Of rows at different times.
double smallest_spacing(const std::vector<double>& times) {
  constexpr std::size_t at_once = 4;  // that do not wait for each other
  double smallest[at_once];
  std::fill_n(smallest, at_once, std::numeric_limits<double>::infinity());
  std::size_t i = 1;
  for (; i + at_once <= times.size(); i += at_once) {
    for (std::size_t k = 0; k < at_once; ++k) smallest[k] = std::min(smallest[k], times[i + k] - times[i + k - 1]);
  }
  for (; i < times.size(); ++i) smallest[0] = std::min(smallest[0], times[i] - times[i - 1]);
  const double all = *std::min_element(smallest, smallest + at_once);
  if (all > 0.0) return all;
  double between = std::numeric_limits<double>::infinity();
  for (i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) between = std::min(between, times[i] - times[i - 1]);
  }
  return between;
}

/// Times that differ by less than this are one instant: far below the spacing of rows, and above the rounding of large
/// times.
double instant(const std::vector<double>& times) {
  const double scale = std::max(std::abs(times.front()), std::abs(times.back()));
  return std::min(std::max(1e-9 * (times.back() - times.front()), 4e-16 * scale), 1e-3 * smallest_spacing(times));
}

/// Whether both have the same times from here on, up to the end of one of them.
bool are_aligned(std::span<const double> result, std::span<const double> reference, double tolerance) {
  const std::size_t count = std::min(result.size(), reference.size());
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) same &= std::abs(reference[i] - result[i]) <= tolerance;
  return same;
}

/// The last of the rows at the time of this one.
std::size_t last_at_time(std::span<const double> times, std::size_t row, double tolerance) {
  while (row + 1 < times.size() && times[row + 1] - times[row] <= tolerance) ++row;
  return row;
}

void find_rows(std::span<const double> result, std::span<const double> reference, double tolerance, Overlap& common) {
  std::size_t row = 0;  // of the reference: the first at its time
  for (common.last = common.first; common.last < result.size();) {
    const double t = result[common.last];
    if (t > reference.back() + tolerance) break;
    const std::size_t begin = common.last, end = last_at_time(result, begin, tolerance);
    common.last = end + 1;
    std::size_t left = last_at_time(reference, row, tolerance);
    while (left + 1 < reference.size() && reference[left + 1] <= t + tolerance)
      left = last_at_time(reference, row = left + 1, tolerance);
    if (std::abs(reference[row] - t) > tolerance && left + 1 < reference.size()) {
      const double share = (t - reference[left]) / (reference[left + 1] - reference[left]);
      common.interpolated = true;
      common.samples.push_back({begin, begin, left, left, share});
      if (end > begin) common.samples.push_back({end, end, left, left, share});
    } else if (end > begin && left > row) {
      common.samples.push_back({begin, begin, row, row});
      common.samples.push_back({end, end, left, left});
    } else {
      common.samples.push_back({begin, end, row, left});
    }
  }
}

Overlap overlap(const std::vector<double>& result, const std::vector<double>& reference, double reference_instant) {
  Overlap common;
  const double same = std::min(instant(result), reference_instant);
  const double scale = std::max({1e-300, std::abs(reference.back()), std::abs(reference.front())});
  const double tolerance = result.size() > 1 || reference.size() > 1 ? same : 1e-9 * scale;
  const auto begin = std::ranges::find_if(result, [&](double t) { return t >= reference.front() - tolerance; });
  common.first = static_cast<std::size_t>(begin - result.begin());
  const std::span<const double> rest(begin, result.end());
  const auto start =
      std::ranges::find_if(reference, [&](double t) { return !rest.empty() && t >= rest.front() - tolerance; });
  const std::span<const double> other(start, reference.end());
  common.aligned = !rest.empty() && !other.empty() && are_aligned(rest, other, tolerance);
  if (!common.aligned) {
    find_rows(result, reference, tolerance, common);
    return common;
  }
  common.shift = static_cast<std::size_t>(start - reference.begin());
  common.last = common.first + std::min(rest.size(), other.size());
  return common;
}

std::optional<double> ratio(double error, double scale) {
  if (scale > 0.0) return error / scale;
  if (error == 0.0) return 0.0;
  return std::nullopt;
}

/// `expected` is the reference in the rows of the overlap.
ReferenceScale scale_of(std::size_t count, const double* expected) {
  ReferenceScale scale;
  scale.count = count;
  double sum = 0.0, low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < count; ++i) {
    low = std::min(low, expected[i]);
    high = std::max(high, expected[i]);
    if (i > 0) sum += expected[i];
  }
  scale.range = high - low;
  if (count < 2) return scale;
  const double others = static_cast<double>(count) - 1.0, mean = sum / others;
  double variance = 0.0;
  for (std::size_t i = 1; i < count; ++i) variance += (expected[i] - mean) * (expected[i] - mean);
  scale.deviation = std::sqrt(variance / others);
  return scale;
}

/// Two numbers that are computed with at once.
using Two [[gnu::vector_size(2 * sizeof(double))]] = double;
using TwoWords [[gnu::vector_size(2 * sizeof(std::int64_t))]] = std::int64_t;

/// Of their differences.
inline Two sizes(const double* found, const double* expected) {
  Two left, right;
  std::memcpy(&left, found, sizeof left);
  std::memcpy(&right, expected, sizeof right);
  const auto words = std::bit_cast<TwoWords>(left - right) & std::numeric_limits<std::int64_t>::max();
  return std::bit_cast<Two>(words);  // without their signs
}

inline Two larger(Two one, Two other) { return one > other ? one : other; }

/// The squares of differences are added up, and the largest difference is looked for.
class Differences {
 public:
  Differences(const double* found, const double* expected) : found_(found), expected_(expected) {}

  /// Of the rows from `begin` on.
  double squares(std::size_t begin, std::size_t end) {
    constexpr std::size_t block = 64;  // in which it is looked for one by one only if there is a larger one
    Two all{};
    std::size_t i = begin;
    for (; i + block <= end; i += block) {
      Two even{}, odd{}, most{}, more{};  // that do not wait for each other
      for (std::size_t k = i; k < i + block; k += 4) {
        const Two first = sizes(found_ + k, expected_ + k), second = sizes(found_ + k + 2, expected_ + k + 2);
        even += first * first;
        odd += second * second;
        most = larger(first, most);
        more = larger(second, more);
      }
      const Two here = even + odd, largest = larger(most, more);
      all += here;
      const bool all_numbers = here[0] + here[1] == here[0] + here[1];
      if (!all_numbers || !(std::max(largest[0], largest[1]) <= largest_)) look(i, i + block);
    }
    double rest = 0.0;
    for (std::size_t k = i; k < end; ++k) rest += (found_[k] - expected_[k]) * (found_[k] - expected_[k]);
    look(i, end);
    return all[0] + all[1] + rest;
  }
  double largest() const { return largest_; }
  std::size_t largest_at() const { return at_; }

 private:
  /// The first of the largest; what is no number is the largest of all.
  void look(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double size = std::abs(found_[i] - expected_[i]);
      if (!(size <= largest_) && !std::isnan(largest_)) {
        largest_ = size;
        at_ = i;
      }
    }
  }

  const double *found_, *expected_;
  double largest_ = 0.0;
  std::size_t at_ = 0;
};

/// `found`, `expected` and `times` begin where the overlap does.
VariableError error_of(const double* found, const double* expected, const double* times, const ReferenceScale& scale) {
  VariableError error;
  Differences differences(found, expected);
  const double first = differences.squares(0, 1), others = differences.squares(1, scale.count);
  error.largest = differences.largest();
  if (error.largest != 0.0) error.largest_at = times[differences.largest_at()];
  const auto n = static_cast<double>(scale.count);
  error.rms = std::sqrt((first + others) / n);
  error.nrmse_range = ratio(error.rms, scale.range);
  if (scale.count > 1) error.nrmse_deviation = ratio(std::sqrt(others / (n - 1.0)), scale.deviation);
  return error;
}

VariableError error_of(const Table& result, std::size_t column, const std::vector<double>& reference,
                       const Overlap& common, ReferenceScale& known) {
  VariableError error;
  if (common.aligned) {
    const double* const found = result.columns[column].data() + common.first;
    const double* const times = result.columns[0].data() + common.first;
    const double* const rows = reference.data() + common.shift;
    if (known.count != common.size() || known.shift != common.shift) {
      known = scale_of(common.size(), rows);
      known.shift = common.shift;
    }
    error = error_of(found, rows, times, known);
  } else {
    const std::vector<double>& values = result.columns[column];
    std::vector<double> ours, expected, at;
    for (const Sample& sample : common.samples) {
      double own = values[sample.row], other = reference[sample.left];
      if (sample.share != 0.0) other += sample.share * (reference[sample.left + 1] - other);
      const double second = values[sample.second_row], second_other = reference[sample.second_left];
      if (std::abs(second - other) < std::abs(own - other)) own = second;
      if (std::abs(own - second_other) < std::abs(own - other)) other = second_other;
      ours.push_back(own);
      expected.push_back(other);
      at.push_back(result.columns[0][sample.row]);
    }
    error = error_of(ours.data(), expected.data(), at.data(), scale_of(common.size(), expected.data()));
  }
  error.name = error.reference_name = result.names[column];
  return error;
}

bool check_times(const Table& table, const char* which, base::Problems& problems) {
  if (table.rows() == 0) {
    problems.add({}, std::string("the ") + which + " has no rows");
    return false;
  }
  const std::vector<double>& times = table.columns[0];
  bool rising = !std::isnan(times[0]);
  for (std::size_t i = 1; i < times.size(); ++i) rising &= times[i] >= times[i - 1];
  if (rising) return true;
  std::size_t row = 0;
  while (!std::isnan(times[row]) && row + 1 < times.size() && times[row + 1] >= times[row]) ++row;
  const bool first = row == 0 && std::isnan(times[0]);
  problems.add({},
               std::string("the times of the ") + which + " do not rise at row " + std::to_string(first ? 1 : row + 2),
               "a column called time, or else the first one, must be the time");
  return false;
}

/// Largest range-normalised and rms of deviation-normalised errors; none as soon as one variable has none.
void summarise(Comparison& all) {
  double largest = 0.0, square = 0.0;
  bool range_known = true, deviation_known = true;
  for (const VariableError& error : all.variables) {
    range_known = range_known && error.nrmse_range.has_value();
    deviation_known = deviation_known && error.nrmse_deviation.has_value();
    // A result that is not a number is the worst there is, and stays it.
    if (error.nrmse_range && !(*error.nrmse_range <= largest) && !std::isnan(largest)) largest = *error.nrmse_range;
    square += error.nrmse_deviation.value_or(0.0) * error.nrmse_deviation.value_or(0.0);
  }
  if (range_known) all.overall_range = largest;
  if (deviation_known) all.overall_deviation = std::sqrt(square / static_cast<double>(all.variables.size()));
}

}  // namespace

Comparison together(const std::vector<Comparison>& parts) {
  if (parts.size() == 1) return parts.front();
  Comparison all;
  for (const Comparison& part : parts) {
    all.variables.insert(all.variables.end(), part.variables.begin(), part.variables.end());
    all.samples += part.samples;
    all.from = &part == &parts.front() ? part.from : std::min(all.from, part.from);
    all.to = &part == &parts.front() ? part.to : std::max(all.to, part.to);
    all.interpolated = all.interpolated || part.interpolated;
  }
  summarise(all);
  return all;
}

Comparison compare(const Table& result, const Table& reference, base::Problems& problems) {
  ReferenceFacts facts;
  return compare(result, reference, facts, problems);
}

namespace {

/// Results have often the same times one after the other: then what was found of them holds.
bool are_known(const std::vector<double>& times, const ReferenceFacts& facts) {
  return !times.empty() && times.size() == facts.times.size() &&
         std::memcmp(times.data(), facts.times.data(), times.size() * sizeof(double)) == 0;
}

void keep(const std::vector<double>& times, const Overlap& common, ReferenceFacts& facts) {
  facts.times.clear();
  if (!common.aligned) return;
  facts.times = times;
  facts.first = common.first;
  facts.last = common.last;
  facts.shift = common.shift;
}

}  // namespace

Comparison compare(const Table& result, const Table& reference, ReferenceFacts& facts, base::Problems& problems) {
  Comparison all;
  const bool known = are_known(result.columns[0], facts);
  const bool result_fine = known || check_times(result, "result", problems);
  if (!facts.instant && check_times(reference, "reference", problems)) facts.instant = instant(reference.columns[0]);
  if (!facts.instant || !result_fine) return all;
  facts.scales.resize(reference.columns.size());
  const Overlap common = known ? Overlap{facts.first, facts.last, true, facts.shift, {}, false}
                               : overlap(result.columns[0], reference.columns[0], *facts.instant);
  if (!known) keep(result.columns[0], common, facts);
  if (common.size() == 0) {
    problems.add({}, "the result and the reference have no time in common");
    return all;
  }
  all.samples = common.size();
  all.from = result.columns[0][common.first];
  all.to = result.columns[0][common.last - 1];
  all.interpolated = common.interpolated;
  for (std::size_t c = 1; c < result.names.size(); ++c) {
    if (const std::vector<double>* expected = reference.find(result.names[c])) {
      const std::string& unit = result.units[c];
      const auto number = static_cast<std::size_t>(expected - reference.columns.data());
      const std::string& other = reference.units[number];
      if (unit != other && !unit.empty() && !other.empty()) {
        problems.add(
            {}, "\"" + result.names[c] + "\" is in " + unit + " in the result and in " + other + " in the reference",
            "bring both to one unit first");
        continue;
      }
      all.variables.push_back(error_of(result, c, *expected, common, facts.scales[number]));
    } else {
      all.only_in_result.push_back(result.names[c]);
    }
  }
  for (std::size_t c = 1; c < reference.names.size(); ++c) {
    if (!result.find(reference.names[c])) all.only_in_reference.push_back(reference.names[c]);
  }
  if (all.variables.empty()) {
    problems.add({}, "the result and the reference have no variable in common");
    return all;
  }
  summarise(all);
  return all;
}

}  // namespace seam::record
