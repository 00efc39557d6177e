// Identifiers of the HDF5 library that close themselves.
#pragma once

#include <hdf5.h>

#include <utility>

namespace seam::formats {

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closing) : id_(id), close_(closing) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  explicit operator bool() const { return id_ >= 0; }
  hid_t id() const { return id_; }
  /// Whether it went well.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  void forget() { id_ = -1; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// To be called before anything else. The library tells errors by return values alone, and does not try at the end of
/// the process to write again what could not be written.
inline void begin_hdf5() {
  static const bool begun = H5dont_atexit() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(begun);
}

/// The settings every file is opened with: no file lock is demanded where the file system has none, and what does not
/// fit its checksum is read again for some 10 ms in case a writer is at it (each time the library waits twice as long;
/// by default for ever).
inline Hdf5Handle hdf5_access() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), true, true);
  H5Pset_metadata_read_attempts(access.id(), 23);
  return access;
}

}  // namespace seam::formats
