#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "seam/base/error.hpp"
#include "seam/formats/csv.hpp"
#include "seam/formats/emergency.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"
#include "seam/formats/open_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

bool has_blank_ends(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
}

// In quotes where a reader would take the name for something else: blanks that are no part of it, a mark, a number.
std::string header_field(const std::string& name, const std::string& unit) {
  // A name that ends like a unit gets an empty one, so that it is read back whole.
  const bool looks_like_unit = !name.empty() && name.back() == ']' && name.find(" [") != std::string::npos;
  std::string field = name;
  if (!unit.empty() || looks_like_unit) field += " [" + unit + "]";
  const bool plain = field.find_first_of(",;\"\r\n") == std::string::npos && !has_blank_ends(name) &&
                     !has_blank_ends(unit) && field.rfind("\xEF\xBB\xBF", 0) != 0 && !is_csv_number(field);
  return plain ? field : csv_quoted(field);
}

}  // namespace

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, std::max<std::size_t>(character_length(text, at), 1));
    if (find_bad_byte(character)) {
      quoted += '?';
    } else {
      quoted += character == "\"" ? "\"\"" : character;
    }
    at += character.size();
  }
  return quoted + "\"";
}

CsvWriter::CsvWriter(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units)
    : path_(std::move(path)),
      file_(std::make_unique<OpenFile>(path_, OpenFile::For::writing)),
      buffer_(std::make_unique<char[]>(buffer_size)),
      width_(names.size()) {
  if (names.empty() || (!units.empty() && units.size() != names.size())) {
    throw base::Error(base::Failure::internal, "a CSV file needs names, and as many units or none");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) put(",");
    put(header_field(names[i], units.empty() ? std::string{} : units[i]));
  }
  put("\n");
  row_is_complete();
  emergency_ = std::make_unique<EmergencyBuffer>(file_->descriptor(), buffer_.get(), complete_);
}

void CsvWriter::row_is_complete() { complete_.store(used_, std::memory_order_release); }

CsvWriter::~CsvWriter() {
  try {
    close();
  } catch (const base::Error&) {
    // Nobody is left to tell; close() is there for whoever wants to know.
  }
}

void CsvWriter::put(std::string_view text) {
  while (!text.empty()) {
    if (used_ == buffer_size) flush();
    const std::size_t part = std::min(text.size(), buffer_size - used_);
    std::memcpy(buffer_.get() + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
}

void CsvWriter::row(std::span<const double> numbers, std::span<const std::string> fields) {
  if (!file_) throw base::Error(base::Failure::internal, fmt::format("\"{}\" is closed", path_));
  if (numbers.size() + fields.size() != width_) {
    throw base::Error(base::Failure::internal, fmt::format("a row of {} values for the {} columns of \"{}\"",
                                                           numbers.size() + fields.size(), width_, path_));
  }
  // A row that fits the buffer is never torn by a flush.
  std::size_t longest = numbers.size() * (longest_number + 1) + 1;
  for (const std::string& field : fields) longest += field.size() + 1;
  if (buffer_size - used_ < longest) flush();
  char separator = '\0';
  for (const double number : numbers) {
    if (buffer_size - used_ < longest_number + 2) flush();
    if (separator != '\0') buffer_[used_++] = separator;
    used_ = static_cast<std::size_t>(write_number(buffer_.get() + used_, number) - buffer_.get());
    separator = ',';
  }
  for (const std::string& field : fields) {
    put(",");
    put(field);
  }
  put("\n");
  ++rows_;
  row_is_complete();
}

void CsvWriter::flush() {
  if (!file_) return;
  complete_.store(0, std::memory_order_release);  // from here on the bytes are the file's
  try {
    file_->write({buffer_.get(), used_});
  } catch (const base::Error& error) {
    used_ = 0;  // a second attempt in the destructor would only fail again
    throw base::Error(base::Failure::file, fmt::format("{}; {} rows were safely written", error.what(), safe_rows_));
  }
  used_ = 0;
  safe_rows_ = rows_;
}

void CsvWriter::close() {
  if (!file_) return;
  flush();
  emergency_.reset();
  const std::unique_ptr<OpenFile> closing = std::move(file_);
  closing->close();
}

}  // namespace seam::formats
