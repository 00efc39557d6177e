#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "seam/base/error.hpp"
#include "seam/formats/csv.hpp"
#include "seam/formats/emergency.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t smallest_buffer = std::size_t{1} << 20;

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
  const bool plain = field.find_first_of(",;\t\"\r\n") == std::string::npos && !has_blank_ends(name) &&
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
      room_(std::max(smallest_buffer, 2 * names.size() * (longest_number + 1))),
      buffer_(std::make_unique<char[]>(room_)),
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
  for (std::size_t i = 0; i < width_; ++i) columns_.emplace_back().twin = i;
  emergency_ = std::make_unique<EmergencyBuffer>(file_->descriptor(), buffer_.get(), complete_);
}

void CsvWriter::row_is_complete() { complete_.store(used_, std::memory_order_release); }

CsvWriter::~CsvWriter() {
  try {
    close();
  } catch (const base::Error&) {
    // A destructor cannot report it; callers that need the error call close().
  }
}

void CsvWriter::put(std::string_view text) {
  while (!text.empty()) {
    if (used_ == room_) flush();
    const std::size_t part = std::min(text.size(), room_ - used_);
    std::memcpy(buffer_.get() + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
}

// Writing a number takes longer than copying one. Which column is whose twin is learned from the first rows.
void CsvWriter::put_number(std::span<const double> numbers, std::size_t column) {
  constexpr std::size_t rows_to_learn = 8, most_columns = 4096;
  const auto same = [&](std::size_t other) {
    return std::bit_cast<std::uint64_t>(numbers[other]) == std::bit_cast<std::uint64_t>(numbers[column]);
  };
  Written& written = columns_[column];
  if (rows_ < rows_to_learn && width_ <= most_columns && (written.twin == column || !same(written.twin))) {
    written.twin = 0;
    while (!same(written.twin)) ++written.twin;  // at the latest it finds itself
  }
  char* const first = buffer_.get() + used_;
  if (written.twin != column && same(written.twin)) {
    written.length = columns_[written.twin].length;
    std::array<char, longest_number> whole;  // a fixed size is copied at once; what is too much is overwritten
    std::memcpy(whole.data(), buffer_.get() + columns_[written.twin].offset, whole.size());
    std::memcpy(first, whole.data(), whole.size());
  } else {
    written.length = static_cast<std::size_t>(write_number(first, numbers[column]) - first);
  }
  written.offset = used_;
  used_ += written.length;
}

void CsvWriter::row(std::span<const double> numbers, std::span<const std::string> fields) {
  if (!file_) throw base::Error(base::Failure::internal, fmt::format("\"{}\" is closed", path_));
  if (numbers.size() + fields.size() != width_) {
    throw base::Error(base::Failure::internal, fmt::format("a row of {} values for the {} columns of \"{}\"",
                                                           numbers.size() + fields.size(), width_, path_));
  }
  // A row that fits the buffer is never torn by a flush; its numbers always fit.
  std::size_t longest = numbers.size() * (longest_number + 1) + 1;
  for (const std::string& field : fields) longest += field.size() + 1;
  if (room_ - used_ < longest) flush();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) buffer_[used_++] = ',';
    put_number(numbers, i);
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
  const std::size_t whole = complete_.exchange(0, std::memory_order_acq_rel);  // from here on the bytes are the file's
  try {
    file_->write({buffer_.get(), used_});
  } catch (const base::Error& error) {
    used_ = 0;                  // a second attempt in the destructor would only fail again
    file_->cut_to(safe_size_);  // no torn row
    throw base::Error(base::Failure::file, fmt::format("{}; {} rows were safely written", error.what(), safe_rows_));
  }
  if (whole > 0) safe_size_ = written_ + whole;
  written_ += used_;
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
