#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "seam/base/error.hpp"
#include "seam/formats/csv.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t largest_table = std::size_t{1} << 30;
constexpr std::size_t most_problems = 10;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

NumberRead read_field(std::string_view text) {
  if (const NumberRead read = read_number(text); read.reading != Reading::not_a_number) return read;
  std::string folded;
  for (const char c : text.substr(0, 10)) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const double infinity = std::numeric_limits<double>::infinity();
  if (folded == "nan") return {Reading::number, std::numeric_limits<double>::quiet_NaN()};
  if (folded == "inf" || folded == "+inf" || folded == "infinity") return {Reading::number, infinity};
  if (folded == "-inf" || folded == "-infinity") return {Reading::number, -infinity};
  if (folded == "true") return {Reading::number, 1.0};
  if (folded == "false") return {Reading::number, 0.0};
  return {};
}

/// The numbers of a field such as `1 2.5 3`, as FMPy and fmusim write an array; empty if it is none.
std::vector<double> read_list(std::string_view text) {
  std::vector<double> numbers;
  while (!(text = trimmed(text)).empty()) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    const NumberRead read = read_field(word);
    if (read.reading != Reading::number || is_rounded_whole(word, read.number)) return {};
    numbers.push_back(read.number);
    text.remove_prefix(word.size());
  }
  return numbers;
}

/// Without the brackets around it.
std::string_view bare_unit(std::string_view text) {
  const bool around =
      text.size() > 1 && ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
  return around ? trimmed(text.substr(1, text.size() - 2)) : text;
}

enum class After { field, row, text };

enum class Holds {
  numbers,
  lists,    ///< of numbers: one column for each element
  texts,    ///< it is left out
  rounded,  ///< whole numbers that no double holds: it is left out
  unnamed   ///< such as the numbers of rows, or nothing behind a last separator: it is not looked at
};

struct Field {
  std::string_view text;
  std::size_t offset = 0;  ///< of its first character in the text
  bool quoted = false;
  After after = After::text;
};

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string name, base::Problems& problems)
      : text_(text), name_(std::move(name)), problems_(problems) {}

  Table read() {
    text_ = text_.substr(0, text_.find_last_not_of(" \t\n") + 1);  // blank lines at the end are no rows
    if (text_.empty()) {
      note({}, "the file is empty", "the first line must name the columns");
      return {};
    }
    if (!read_separator_line()) separator_ = detect_separator();
    read_header();
    if (noted_ > 0) return {};
    read_units_row();
    while (at_ < text_.size() && noted_ < most_problems) read_row();
    if (first_comma_ && has_points_)
      note(*first_comma_, "this number has a decimal comma, and others in the file have a decimal point",
           "write all of them in one way");
    leave_out_columns();
    return noted_ > 0 ? Table{} : std::move(table_);
  }

 private:
  // A first line `sep=;`, quoted or not, as Excel reads it and OMSimulator writes it.
  bool read_separator_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = trimmed(text_.substr(0, end));
    if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
    const bool names_one = line.size() == 5 && line.substr(0, 4) == "sep=" &&
                           std::string_view(",;\t|").find(line[4]) != std::string_view::npos;
    if (!names_one || end == text_.size()) return false;
    const std::string_view header = text_.substr(end + 1, text_.find('\n', end + 1) - end - 1);
    if (header.find(line[4]) == std::string_view::npos) return false;  // a column of that name
    separator_ = line[4];
    at_ = end + 1;
    return true;
  }

  // Commas, semicolons and tabs of the first line, outside quotes: the most frequent one separates.
  char detect_separator() const {
    constexpr std::string_view known = ",;\t";
    std::size_t counts[known.size()] = {};
    bool inside = false;
    for (const char c : text_) {
      if (c == '"') inside = !inside;
      if (c == '\n' && !inside) break;
      if (const std::size_t which = known.find(c); !inside && which != std::string_view::npos) ++counts[which];
    }
    return known[static_cast<std::size_t>(std::ranges::max_element(counts) - counts)];
  }

  Field next() {
    const char ends[] = {separator_, '\n'};
    Field field;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t') && text_[at_] != separator_) ++at_;
    field.offset = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      field.text = quoted();
      field.quoted = true;
      const std::size_t end = std::min(text_.find_first_of(std::string_view(ends, 2), at_), text_.size());
      if (!trimmed(text_.substr(at_, end - at_)).empty())
        note(at_, "text after a closing quote", "double the quote inside a quoted field");
      at_ = end;
    } else {
      const std::size_t end = std::min(text_.find_first_of(std::string_view(ends, 2), at_), text_.size());
      field.text = trimmed(text_.substr(at_, end - at_));
      at_ = end;
    }
    if (at_ < text_.size()) {
      field.after = text_[at_] == '\n' ? After::row : After::field;
      ++at_;
    }
    return field;
  }

  std::string_view quoted() {
    const std::size_t opening = at_++;
    unquoted_.clear();
    while (at_ < text_.size()) {
      if (text_[at_] != '"') {
        unquoted_ += text_[at_++];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        unquoted_ += '"';
        at_ += 2;
      } else {
        ++at_;
        return unquoted_;
      }
    }
    note(opening, "this quote is never closed");
    return unquoted_;
  }

  // Where a comma does not separate, it may be the decimal comma.
  NumberRead read_value(const Field& field) {
    const NumberRead read = read_field(field.text);
    if (separator_ == ',') return read;
    const std::size_t mark = field.text.find_first_of(",.");
    if (mark == std::string_view::npos) return read;
    if (field.text[mark] == '.') has_points_ |= read.reading == Reading::number;
    if (field.text[mark] == '.' || read.reading == Reading::number) return read;
    std::string pointed(field.text);
    pointed[mark] = '.';
    const NumberRead again = read_field(pointed);
    if (again.reading == Reading::number && !first_comma_) first_comma_ = field.offset;
    return again;
  }

  void read_header() {
    std::unordered_set<std::string> seen;
    std::size_t numbers = 0;
    const std::size_t begin = at_;
    for (After after = After::field; after == After::field;) {
      const Field field = next();
      after = field.after;
      if (!field.quoted && read_value(field).reading == Reading::number) ++numbers;
      add_column(field);
      const std::string& name = table_.names.back();
      holds_.push_back(name.empty() ? Holds::unnamed : Holds::numbers);
      if (!name.empty() && !seen.insert(name).second) note(field.offset, fmt::format("\"{}\" names two columns", name));
    }
    table_.columns.resize(table_.names.size());
    first_comma_.reset();
    has_points_ = false;
    if (holds_.front() == Holds::unnamed && table_.names[time_column(table_)].empty())
      note(begin, "column 1 has no name, and none is called \"time\"");
    if (numbers == table_.names.size())
      note(begin, "the first line holds numbers, not names", "the first line must name the columns");
  }

  // Some tools write the units in a line of their own, below the names: then no number stands in it.
  void read_units_row() {
    const std::size_t begin = at_;
    std::vector<std::string> units;
    bool is_one = true;
    for (After after = After::field; after == After::field;) {
      const Field field = next();
      after = field.after;
      is_one &= read_value(field).reading == Reading::not_a_number;
      units.emplace_back(bare_unit(field.text));
    }
    const std::size_t end = at_;
    is_one = is_one && units.size() == table_.names.size() && end < text_.size() &&
             read_value(next()).reading == Reading::number;
    for (std::size_t i = 0; is_one && i < units.size(); ++i) {
      if (table_.units[i].empty()) table_.units[i] = std::move(units[i]);
    }
    at_ = is_one ? end : begin;
  }

  void add_column(const Field& field) {
    const std::string_view text = field.text;
    const std::size_t bracket = text.rfind(" [");
    if (!text.empty() && text.back() == ']' && bracket != std::string_view::npos) {
      const std::string_view name = text.substr(0, bracket);
      const std::string_view unit = text.substr(bracket + 2, text.size() - bracket - 3);
      table_.names.emplace_back(field.quoted ? name : trimmed(name));
      table_.units.emplace_back(field.quoted ? unit : trimmed(unit));
    } else {
      table_.names.emplace_back(text);
      table_.units.emplace_back();
    }
  }

  void read_row() {
    const std::size_t start = at_, width = table_.columns.size();
    std::size_t column = 0;
    for (After after = After::field; after == After::field; ++column) {
      const Field field = next();
      after = field.after;
      if (column < width) take(field, column);
      if (column == width && field.text.empty() && after != After::field) break;  // behind a last separator
    }
    for (; column < width && holds_[column] == Holds::unnamed; ++column) table_.columns[column].push_back(0.0);
    if (column != width) note(start, fmt::format("this row has {} fields, the header has {}", column, width));
  }

  void take(const Field& field, std::size_t column) {
    const bool unnamed = holds_[column] == Holds::unnamed;
    const NumberRead read = unnamed ? NumberRead{} : read_value(field);
    const bool first = table_.columns[column].empty();
    if (holds_[column] == Holds::lists || (first && !unnamed && read.reading == Reading::not_a_number)) {
      if (take_list(field, column, first)) return;
    }
    if (!unnamed && read.reading == Reading::not_a_number && (field.quoted || (first && !field.text.empty())))
      holds_[column] = Holds::texts;
    if (holds_[column] == Holds::numbers && read.reading != Reading::number) bad_number(field, column, read.reading);
    if (holds_[column] == Holds::numbers && is_rounded_whole(field.text, read.number)) {
      holds_[column] = Holds::rounded;
      first_rounded_.emplace(column, Rounded{field.offset, std::string(field.text)});
    }
    table_.columns[column].push_back(read.number);
  }

  // All rows have as many numbers as the first one.
  bool take_list(const Field& field, std::size_t column, bool first) {
    std::vector<double> numbers = read_list(field.text);
    if (first && numbers.size() < 2) return false;
    holds_[column] = Holds::lists;
    const std::size_t size = first ? lists_.emplace(column, numbers.size()).first->second : lists_[column];
    if (numbers.size() != size)
      note(field.offset, fmt::format("\"{}\" is no list of {} numbers, as the first row of \"{}\" has",
                                     field.text.substr(0, 60), size, table_.names[column]));
    numbers.resize(size);
    auto& values = table_.columns[column];
    values.insert(values.end(), numbers.begin(), numbers.end());
    return true;
  }

  // Elements are counted from 1, as everywhere.
  void add_elements(std::size_t column, Table& kept) {
    const std::size_t size = lists_[column];
    for (std::size_t element = 0; element < size; ++element) {
      kept.names.push_back(fmt::format("{}[{}]", table_.names[column], element + 1));
      kept.units.push_back(table_.units[column]);
      auto& values = kept.columns.emplace_back();
      for (std::size_t at = element; at < table_.columns[column].size(); at += size)
        values.push_back(table_.columns[column][at]);
    }
  }

  void leave_out_columns() {
    Table kept;
    const std::size_t time = time_column(table_);
    if (holds_[time] == Holds::rounded)
      note(first_rounded_[time].offset, not_held(first_rounded_[time].text),
           "write times that a double holds, such as seconds");
    for (std::size_t i = 0; i < table_.names.size(); ++i) {
      if (holds_[i] == Holds::texts) kept.leave_out(std::move(table_.names[i]), holds_texts);
      if (holds_[i] == Holds::rounded) kept.leave_out(std::move(table_.names[i]), not_held(first_rounded_[i].text));
      if (holds_[i] == Holds::lists) add_elements(i, kept);
      if (holds_[i] != Holds::numbers) continue;
      kept.names.push_back(std::move(table_.names[i]));
      kept.units.push_back(std::move(table_.units[i]));
      kept.columns.push_back(std::move(table_.columns[i]));
    }
    if (kept.names.empty()) note(0, "no column holds numbers");
    table_ = std::move(kept);
  }

  void bad_number(const Field& field, std::size_t column, Reading reading) {
    if (reading == Reading::out_of_range) {
      note(field.offset, fmt::format("{} is out of the range of a number", field.text));
      return;
    }
    const std::string& name = table_.names[column];
    if (field.text.empty()) {
      note(field.offset, fmt::format("there is no number for \"{}\"", name), "write nan where there is no value");
      return;
    }
    const bool comma = field.text.find(',') != std::string_view::npos;
    note(field.offset, fmt::format("\"{}\" is not a number (column \"{}\")", field.text.substr(0, 60), name),
         comma && separator_ == ',' ? "write the decimal point as a point" : "");
  }

  // Only the lines that problems show are kept: a table may have millions.
  void note(std::optional<std::size_t> offset, std::string what, std::string mend = {}) {
    if (++noted_ > most_problems) return;
    base::Location where{nullptr, 0, 0, 1};
    auto source = std::make_shared<base::Source>(base::Source{name_, {}});
    if (offset) {
      where = locate(nullptr, text_, *offset);
      constexpr int most_lines = 100'000;
      if (where.line <= most_lines) {
        const std::size_t line_start = *offset - static_cast<std::size_t>(where.column - 1);
        source->lines.resize(static_cast<std::size_t>(where.line));
        source->lines.back() =
            text_.substr(line_start, std::min(text_.find('\n', line_start), text_.size()) - line_start);
      }
    }
    where.source = std::move(source);
    if (noted_ == most_problems) what += " (reading stopped here)";
    problems_.add(std::move(where), std::move(what), std::move(mend));
  }

  std::string_view text_;
  std::string name_;
  base::Problems& problems_;
  Table table_;
  std::vector<Holds> holds_;
  struct Rounded {
    std::size_t offset = 0;
    std::string text;
  };
  std::unordered_map<std::size_t, Rounded> first_rounded_;  ///< of a column that holds such
  std::unordered_map<std::size_t, std::size_t> lists_;      ///< how many numbers each field of a column has
  std::string unquoted_;
  char separator_ = ',';
  std::optional<std::size_t> first_comma_;  ///< where the first decimal comma is
  bool has_points_ = false;
  std::size_t at_ = 0;
  std::size_t noted_ = 0;
};

}  // namespace

bool is_csv_number(std::string_view field) { return read_field(field).reading == Reading::number; }

Table read_csv_text(std::string_view text, const std::string& source_name, base::Problems& problems) {
  if (const auto bad = find_bad_byte(text)) {
    const auto source = std::make_shared<base::Source>(base::Source{source_name, {}});
    problems.add(locate(source, text, bad->offset), bad->what, "save the file as plain text in UTF-8");
    return {};
  }
  const std::string plain = with_plain_line_ends(text);
  return CsvReader(plain, source_name, problems).read();
}

Table read_csv(const std::string& path, base::Problems& problems) {
  try {
    return read_csv_text(read_text(path, largest_table), path, problems);
  } catch (const base::Error& error) {
    problems.add(base::Location{}, error.what());
    return {};
  }
}

}  // namespace seam::formats
