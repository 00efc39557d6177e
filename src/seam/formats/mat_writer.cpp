#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "seam/base/error.hpp"
#include "seam/formats/emergency.hpp"
#include "seam/formats/mat.hpp"
#include "seam/formats/mat_parts.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

using namespace mat_parts;

constexpr std::size_t smallest_buffer = std::size_t{1} << 13;  // numbers

/// One column a text, filled up with blanks.
void put_texts(std::string& bytes, const char* name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  put_header(bytes, name, Kind::text, longest, texts.size());
  for (const std::string& text : texts) bytes += text + std::string(longest - text.size(), ' ');
}

/// The only matrix that is never transposed: its rows are texts.
void put_class(std::string& bytes) {
  const std::string rows[] = {"Atrajectory", "1.1        ", "           ", "binTrans   "};
  put_header(bytes, "Aclass", Kind::text, 4, rows[0].size());
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    for (const std::string& row : rows) bytes += row[i];
  }
}

/// Where each variable lies: matrix (0: the abscissa, in data_2), its row there, linear between the points, undefined
/// outside.
void put_places(std::string& bytes, std::size_t width) {
  put_header(bytes, "dataInfo", Kind::integers, 4, width);
  for (std::size_t i = 0; i < width; ++i) {
    const std::int32_t place[] = {i == 0 ? 0 : 2, static_cast<std::int32_t>(i + 1), 0, -1};
    put(bytes, place, sizeof place);
  }
}

std::vector<std::string> descriptions(const std::vector<std::string>& units) {
  std::vector<std::string> texts;
  for (const std::string& unit : units) texts.push_back(unit.empty() ? "" : "[" + unit + "]");
  return texts;
}

}  // namespace

MatWriter::MatWriter(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units)
    : path_(std::move(path)),
      file_(std::make_unique<OpenFile>(path_, OpenFile::For::writing)),
      width_(names.size()),
      room_(std::max<std::size_t>(smallest_buffer / width_, 1) * width_),
      buffer_(std::make_unique<double[]>(room_)) {
  std::string head;
  put_class(head);
  put_texts(head, "name", names);
  put_texts(head, "description", descriptions(units));
  put_places(head, width_);
  put_header(head, "data_1", Kind::doubles, 1, 2);
  times_at_ = head.size();
  const double times[] = {0.0, 0.0};
  put(head, times, sizeof times);
  count_at_ = head.size() + 2 * sizeof(std::int32_t);
  put_header(head, "data_2", Kind::doubles, width_, 0);
  first_row_at_ = head.size();
  file_->write(head);
  emergency_ =
      std::make_unique<EmergencyBuffer>(file_->descriptor(), reinterpret_cast<const char*>(buffer_.get()), complete_,
                                        EmergencyCount{count_at_, width_ * sizeof(double), &safe_rows_});
}

MatWriter::~MatWriter() {
  try {
    close();
  } catch (const base::Error&) {
    // A destructor cannot report it; callers that need the error call close().
  }
}

void MatWriter::row(std::span<const double> numbers) {
  if (!file_) throw base::Error(base::Failure::internal, fmt::format("\"{}\" is closed", path_));
  if (numbers.size() != width_) {
    throw base::Error(base::Failure::internal,
                      fmt::format("a row of {} values for the {} columns of \"{}\"", numbers.size(), width_, path_));
  }
  if (rows_ >= std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    throw base::Error(base::Failure::file, fmt::format("\"{}\" has {} rows, more than a MAT file can say; record less "
                                                       "often, or in HDF5",
                                                       path_, rows_));
  }
  if (used_ == room_) flush();
  std::copy(numbers.begin(), numbers.end(), buffer_.get() + used_);
  used_ += width_;
  ++rows_;
  complete_.store(used_ * sizeof(double), std::memory_order_release);
}

// First the rows, then the stop time, then the count: a reader in between finds the previous content.
void MatWriter::flush() {
  if (!file_ || used_ == 0) return;
  const std::size_t used = std::exchange(used_, 0);  // a second attempt in the destructor would only fail again
  complete_.store(0, std::memory_order_release);     // from here on the bytes are the file's
  const std::uint64_t before = safe_rows();
  try {
    file_->write({reinterpret_cast<const char*>(buffer_.get()), used * sizeof(double)});
    if (before == 0) file_->write_at(times_at_, {reinterpret_cast<const char*>(buffer_.get()), sizeof(double)});
    const double* last = buffer_.get() + used - width_;
    file_->write_at(times_at_ + sizeof(double), {reinterpret_cast<const char*>(last), sizeof(double)});
    const auto count = static_cast<std::int32_t>(rows_);
    file_->write_at(count_at_, {reinterpret_cast<const char*>(&count), sizeof count});
  } catch (const base::Error& error) {
    file_->cut_to(first_row_at_ + before * width_ * sizeof(double));
    throw base::Error(base::Failure::file, fmt::format("{}; {} rows were safely written", error.what(), before));
  }
  safe_rows_.store(static_cast<std::uint32_t>(rows_), std::memory_order_release);
}

void MatWriter::close() {
  if (!file_) return;
  flush();
  emergency_.reset();
  const std::unique_ptr<OpenFile> closing = std::move(file_);
  closing->close();
}

}  // namespace seam::formats
