#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "seam/base/error.hpp"
#include "seam/formats/hdf5.hpp"
#include "seam/formats/hdf5_handle.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t numbers_in_a_chunk = std::size_t{1} << 15;

/// One text an element, all of one length, filled up with zeros.
bool write_texts(hid_t file, const char* name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string bytes;
  for (const std::string& text : texts) bytes += text + std::string(longest - text.size(), '\0');
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), longest);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  const hsize_t count = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  Hdf5Handle set(H5Dcreate2(file, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return set && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0 && set.close();
}

Hdf5Handle create_values(hid_t file, hsize_t rows_in_a_chunk, hsize_t width) {
  const hsize_t none[] = {0, width}, unlimited[] = {H5S_UNLIMITED, width}, chunk[] = {rows_in_a_chunk, width};
  const Hdf5Handle space(H5Screate_simple(2, none, unlimited), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), 2, chunk);
  H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);  // every number is written
  return {H5Dcreate2(file, "values", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose};
}

}  // namespace

struct Hdf5Writer::Handles {
  Hdf5Handle file, values;
};

Hdf5Writer::Hdf5Writer(std::string path, const std::vector<std::string>& names, const std::vector<std::string>& units)
    : path_(std::move(path)),
      width_(names.size()),
      block_rows_(std::max<std::size_t>(numbers_in_a_chunk / width_, 1)),
      handles_(std::make_unique<Handles>()) {
  OpenFile(path_, OpenFile::For::writing).close();  // the system's reason, if it cannot be written
  block_.reserve(block_rows_ * width_);
  begin_hdf5();
  create(names, units);
}

void Hdf5Writer::create(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  const Hdf5Handle access = hdf5_access();
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);  // SWMR needs it
  handles_->file = Hdf5Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  if (!handles_->file) fail();
  const hid_t file = handles_->file.id();
  handles_->values = create_values(file, block_rows_, width_);
  if (!handles_->values || !write_texts(file, "names", names) || !write_texts(file, "units", units) ||
      H5Fstart_swmr_write(file) < 0)
    fail();
}

Hdf5Writer::~Hdf5Writer() {
  try {
    close();
  } catch (const base::Error&) {
    // A destructor cannot report it; callers that need the error call close().
  }
}

// Closing would write the end of a file that could not be written: the library is left with it, and the file is as it
// was after the last flush.
void Hdf5Writer::fail() {
  const int reason = errno;
  handles_->values.forget();
  handles_->file.forget();
  handles_.reset();
  throw base::Error(base::Failure::file,
                    fmt::format("cannot write \"{}\": {}; {} rows were safely written", path_,
                                reason != 0 ? std::strerror(reason) : "the HDF5 library gives no reason", safe_rows_));
}

void Hdf5Writer::row(std::span<const double> numbers) {
  if (!handles_) throw base::Error(base::Failure::internal, fmt::format("\"{}\" is closed", path_));
  if (numbers.size() != width_) {
    throw base::Error(base::Failure::internal,
                      fmt::format("a row of {} values for the {} columns of \"{}\"", numbers.size(), width_, path_));
  }
  if (block_.size() == block_rows_ * width_) {
    flush();
    block_.clear();
  }
  block_.insert(block_.end(), numbers.begin(), numbers.end());
  ++rows_;
}

// A block that is not full stays, so that the chunk is written whole next time and each chunk has one place.
void Hdf5Writer::write_block() {
  errno = 0;
  const hsize_t rows = block_.size() / width_, first = rows_ - rows;
  const hsize_t extent[] = {rows_, width_}, begin[] = {first, 0}, count[] = {rows, width_};
  const hid_t values = handles_->values.id();
  if (H5Dset_extent(values, extent) < 0) fail();
  const Hdf5Handle in_file(H5Dget_space(values), H5Sclose);
  const Hdf5Handle in_memory(H5Screate_simple(2, count, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, begin, nullptr, count, nullptr) < 0 ||
      H5Dwrite(values, H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT, block_.data()) < 0)
    fail();
}

void Hdf5Writer::flush() {
  if (!handles_ || safe_rows_ == rows_) return;
  write_block();
  errno = 0;
  if (H5Dflush(handles_->values.id()) < 0) fail();
  safe_rows_ = rows_;
}

void Hdf5Writer::close() {
  if (!handles_) return;
  flush();
  errno = 0;
  if (!handles_->values.close() || !handles_->file.close()) fail();
  handles_.reset();
}

}  // namespace seam::formats
