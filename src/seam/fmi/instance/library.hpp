// The shared library of an FMU: loaded so that it uses its own symbols, and asked only for the functions it needs to
// have.
#pragma once

#include <filesystem>
#include <string>

#include "seam/fmi/instance/fmu_function.hpp"

namespace seam::fmi {

class Library {
 public:
  /// Gives functions in the place of the library's own, by name.
  using Substitute = void* (*)(const char* name);
  /// Throws base::Error(subsystem) with the loader's reason; a missing library that it needs is named. `identity` names
  /// the FMU whose code runs when the library is loaded and unloaded, and outlives the library.
  Library(const std::filesystem::path& path, const char* identity, Substitute substitute = nullptr);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// The function, or null if the library has none of that name.
  void* find(const char* name) const { return substitute_ ? substitute_(name) : own(name); }
  /// The function; throws base::Error(subsystem) naming it if it is missing.
  void* require(const char* name) const;
  /// Behind a substitute.
  void* own(const char* name) const;
  /// Throws base::Error(subsystem) that names the function.
  [[noreturn]] void lacks(const std::string& function) const;

  /// The same by the function's type.
  template <class Type>
  void require(FmuFunction<Type>& function, const char* name) const {
    function = FmuFunction<Type>(require(name));
  }
  template <class Type>
  void find(FmuFunction<Type>& function, const char* name) const {
    function = FmuFunction<Type>(find(name));
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  const char* identity_;
  Substitute substitute_;
  void* handle_ = nullptr;
};

}  // namespace seam::fmi
