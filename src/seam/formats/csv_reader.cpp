#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
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
  return {};
}

enum class After { field, row, text };

struct Field {
  std::string_view text;
  std::size_t offset = 0;  ///< of its first character in the text
  bool quoted = false;
  After after = After::text;
};

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string name, TextColumns texts, base::Problems& problems)
      : text_(text), name_(std::move(name)), texts_(texts), problems_(problems) {}

  Table read() {
    text_ = text_.substr(0, text_.find_last_not_of(" \t\n") + 1);  // blank lines at the end are no rows
    if (text_.empty()) {
      note({}, "the file is empty", "the first line must name the columns");
      return {};
    }
    separator_ = detect_separator();
    read_header();
    if (noted_ > 0) return {};
    while (at_ < text_.size() && noted_ < most_problems) read_row();
    leave_out_texts();
    return noted_ > 0 ? Table{} : std::move(table_);
  }

 private:
  // Commas and semicolons of the first line, outside quotes: the more frequent one separates.
  char detect_separator() const {
    std::size_t commas = 0, semicolons = 0;
    bool inside = false;
    for (const char c : text_) {
      if (c == '"') inside = !inside;
      if (c == '\n' && !inside) break;
      if (!inside && c == ',') ++commas;
      if (!inside && c == ';') ++semicolons;
    }
    return semicolons > commas ? ';' : ',';
  }

  Field next() {
    Field field;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    field.offset = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      field.text = quoted();
      field.quoted = true;
      const std::size_t end = std::min(text_.find_first_of(std::string{separator_, '\n'}, at_), text_.size());
      if (!trimmed(text_.substr(at_, end - at_)).empty())
        note(at_, "text after a closing quote", "double the quote inside a quoted field");
      at_ = end;
    } else {
      const std::size_t end = std::min(text_.find_first_of(std::string_view(ends(), 2), at_), text_.size());
      field.text = trimmed(text_.substr(at_, end - at_));
      at_ = end;
    }
    if (at_ < text_.size()) {
      field.after = text_[at_] == '\n' ? After::row : After::field;
      ++at_;
    }
    return field;
  }

  const char* ends() const { return separator_ == ',' ? ",\n" : ";\n"; }

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

  void read_header() {
    std::unordered_set<std::string> seen;
    std::size_t numbers = 0;
    for (After after = After::field; after == After::field;) {
      const Field field = next();
      after = field.after;
      if (!field.quoted && is_csv_number(field.text)) ++numbers;
      add_column(field);
      if (table_.names.back().empty())
        note(field.offset, fmt::format("column {} has no name", table_.names.size()));
      else if (!seen.insert(table_.names.back()).second)
        note(field.offset, fmt::format("\"{}\" names two columns", table_.names.back()));
    }
    table_.columns.resize(table_.names.size());
    holds_text_.resize(table_.names.size());
    if (numbers == table_.names.size())
      note(0, "the first line holds numbers, not names", "the first line must name the columns");
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
    const std::size_t start = at_;
    std::size_t column = 0;
    for (After after = After::field; after == After::field; ++column) {
      const Field field = next();
      after = field.after;
      if (column >= table_.columns.size()) continue;
      if (texts_ == TextColumns::left_out && table_.columns[column].empty() && field.quoted) holds_text_[column] = true;
      const NumberRead read = read_field(field.text);
      if (read.reading != Reading::number && !holds_text_[column]) bad_number(field, column, read.reading);
      table_.columns[column].push_back(read.number);
    }
    if (column != table_.columns.size()) {
      note(start, fmt::format("this row has {} fields, the header has {}", column, table_.columns.size()));
    }
  }

  void leave_out_texts() {
    Table kept;
    for (std::size_t i = 0; i < table_.names.size(); ++i) {
      if (holds_text_[i]) {
        kept.left_out.push_back(std::move(table_.names[i]));
        continue;
      }
      kept.names.push_back(std::move(table_.names[i]));
      kept.units.push_back(std::move(table_.units[i]));
      kept.columns.push_back(std::move(table_.columns[i]));
    }
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
         comma ? "write the decimal point as a point" : "");
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
  TextColumns texts_;
  base::Problems& problems_;
  Table table_;
  std::vector<bool> holds_text_;
  std::string unquoted_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t noted_ = 0;
};

}  // namespace

bool is_csv_number(std::string_view field) { return read_field(field).reading == Reading::number; }

Table read_csv_text(std::string_view text, const std::string& source_name, base::Problems& problems,
                    TextColumns texts) {
  if (const auto bad = find_bad_byte(text)) {
    const auto source = std::make_shared<base::Source>(base::Source{source_name, {}});
    problems.add(locate(source, text, bad->offset), bad->what, "save the file as plain text in UTF-8");
    return {};
  }
  const std::string plain = with_plain_line_ends(text);
  return CsvReader(plain, source_name, texts, problems).read();
}

Table read_csv(const std::string& path, base::Problems& problems, TextColumns texts) {
  try {
    return read_csv_text(read_text(path, largest_table), path, problems, texts);
  } catch (const base::Error& error) {
    problems.add(base::Location{}, error.what());
    return {};
  }
}

}  // namespace seam::formats
