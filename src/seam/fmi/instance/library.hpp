// The shared library of an FMU: loaded so that it uses its own symbols, and asked only for the functions it needs to
// have.
#pragma once

#include <filesystem>
#include <string>

namespace seam::fmi {

class Library {
 public:
  /// Throws base::Error(subsystem) with the loader's reason; a missing library that it needs is named.
  explicit Library(const std::filesystem::path& path);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// The function, or null if the library has none of that name.
  void* find(const char* name) const;
  /// The function; throws base::Error(subsystem) naming it if it is missing.
  void* require(const char* name) const;

  /// The same into a pointer of the function's type.
  template <class Function>
  void require(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(require(name));
  }
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(find(name));
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  void* handle_ = nullptr;
};

}  // namespace seam::fmi
