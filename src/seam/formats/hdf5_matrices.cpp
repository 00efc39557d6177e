#include "seam/formats/hdf5_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "seam/base/error.hpp"
#include "seam/formats/hdf5_handle.hpp"
#include "seam/formats/text_file.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t numbers_in_a_block = std::size_t{1} << 20, most_runs_in_a_block = 32;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool write_unit(hid_t set, const std::string& unit) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(unit.size(), 1));
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(set, "unit", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.id(), type.id(), unit.c_str()) >= 0;
}

}  // namespace

struct Hdf5Matrices::Handles {
  Hdf5Handle file;
  std::vector<Hdf5Handle> sets;
};

Hdf5Matrices::Hdf5Matrices(std::string path, const std::vector<Variable>& variables, Kept kept)
    : path_(std::move(path)), variables_(variables), runs_(kept.runs), handles_(std::make_unique<Handles>()) {
  for (Variable& variable : variables_) std::ranges::replace(variable.name, '/', '_');
  begin_hdf5();
  const Hdf5Handle access = hdf5_access();
  if (kept.runs > 0) {
    handles_->file = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose);
    if (!handles_->file) fail("it cannot be opened, or was not closed");
    open_sets();
    return;
  }
  OpenFile(path_, OpenFile::For::writing).close();  // the system's reason, if it cannot be written
  handles_->file = Hdf5Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  if (!handles_->file) fail();
}

void Hdf5Matrices::open_sets() {
  for (const Variable& variable : variables_) {
    Hdf5Handle set(H5Dopen2(handles_->file.id(), variable.name.c_str(), H5P_DEFAULT), H5Dclose);
    hsize_t extent[2] = {0, 0}, chunk[2] = {0, 0};
    const Hdf5Handle space(set ? H5Dget_space(set.id()) : -1, H5Sclose);
    if (!space || H5Sget_simple_extent_dims(space.id(), extent, nullptr) != 2 || extent[1] < runs_)
      fail(fmt::format("it does not hold {} runs of \"{}\"", runs_, variable.name));
    const Hdf5Handle creation(H5Dget_create_plist(set.id()), H5Pclose);
    if (H5Pget_chunk(creation.id(), 2, chunk) != 2) fail();
    rows_ = extent[0];
    block_runs_ = chunk[1];
    handles_->sets.push_back(std::move(set));
  }
}

void Hdf5Matrices::create_sets(std::size_t rows) {
  block_runs_ = std::clamp<std::size_t>(numbers_in_a_block / std::max<std::size_t>(1, rows * variables_.size()), 1,
                                        most_runs_in_a_block);
  const hsize_t none[] = {0, 0}, unlimited[] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const hsize_t chunk[] = {std::clamp<std::size_t>(rows, 64, 1024), block_runs_};
  const Hdf5Handle space(H5Screate_simple(2, none, unlimited), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), 2, chunk);
  H5Pset_fill_value(creation.id(), H5T_NATIVE_DOUBLE, &nothing);
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), 1);
  for (const Variable& variable : variables_) {
    Hdf5Handle set(H5Dcreate2(handles_->file.id(), variable.name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                              creation.id(), H5P_DEFAULT),
                   H5Dclose);
    if (!set || !write_unit(set.id(), variable.unit)) fail();
    handles_->sets.push_back(std::move(set));
  }
}

Hdf5Matrices::~Hdf5Matrices() {
  try {
    close();
  } catch (const base::Error&) {
    // A destructor cannot report it; callers that need the error call close().
  }
}

// As Hdf5Writer: closing would write the end of a file that could not be written.
void Hdf5Matrices::fail(const std::string& why) {
  const int reason = errno;
  for (Hdf5Handle& set : handles_->sets) set.forget();
  handles_->file.forget();
  handles_.reset();
  const char* const system = reason != 0 ? std::strerror(reason) : "the HDF5 library gives no reason";
  throw base::Error(base::Failure::file, fmt::format("cannot write \"{}\": {}", path_, why.empty() ? system : why));
}

void Hdf5Matrices::add(const std::vector<std::vector<double>>& run) {
  if (handles_->sets.empty()) create_sets(run.front().size());
  block_.push_back(run);
  if (block_.size() == block_runs_) write_block();
}

void Hdf5Matrices::write_block() {
  errno = 0;
  std::size_t rows = 0;
  for (const auto& run : block_) rows = std::max(rows, run.front().size());
  rows_ = std::max(rows_, rows);
  const hsize_t extent[] = {rows_, runs_ + block_.size()}, begin[] = {0, runs_}, count[] = {rows, block_.size()};
  const Hdf5Handle in_memory(H5Screate_simple(2, count, nullptr), H5Sclose);
  std::vector<double> numbers(rows * block_.size());
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    std::ranges::fill(numbers, nothing);
    for (std::size_t run = 0; run < block_.size(); ++run) {
      const std::vector<double>& column = block_[run][variable];
      for (std::size_t row = 0; row < column.size(); ++row) numbers[row * block_.size() + run] = column[row];
    }
    const hid_t set = handles_->sets[variable].id();
    if (H5Dset_extent(set, extent) < 0) fail();
    const Hdf5Handle in_file(H5Dget_space(set), H5Sclose);
    if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, begin, nullptr, count, nullptr) < 0 ||
        H5Dwrite(set, H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT, numbers.data()) < 0)
      fail();
  }
  runs_ += block_.size();
  block_.clear();
  if (H5Fflush(handles_->file.id(), H5F_SCOPE_LOCAL) < 0) fail();
}

void Hdf5Matrices::close() {
  if (!handles_) return;
  if (!block_.empty()) write_block();
  errno = 0;
  for (Hdf5Handle& set : handles_->sets) {
    if (!set.close()) fail();
  }
  if (!handles_->file.close()) fail();
  handles_.reset();
}

}  // namespace seam::formats
