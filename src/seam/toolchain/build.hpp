// A source FMU becomes an FMU with a library for this platform.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seam::toolchain {

struct BuildRequest {
  std::string fmu;
  std::string output;  ///< empty: beside the FMU, its name with the platform behind it
  enum class Existing {
    kept,     ///< a file of the new name, or a library for this platform, is a problem
    replaced  ///< it goes
  } existing = Existing::kept;
  const std::atomic<bool>* stop_asked = nullptr;
};

struct Built {
  std::string file;
  std::string platform;                ///< folder below binaries/
  std::vector<std::string> libraries;  ///< names in the new FMU
  std::vector<std::string> notices;
};

/// Compiles, links, loads what came out to see whether its functions are there, and writes the new FMU: everything the
/// old one had, and the libraries. None if it was asked to stop. Throws base::ProblemsFound for what is wrong with
/// the FMU, base::Error(file) with the compiler's words if that fails; then nothing is written.
std::optional<Built> build(const BuildRequest& request);

/// FMI's headers as sources include them, for FMUs that bring none. Made from fmi-headers/ when the project is built.
struct StandardHeader {
  const char* name;
  const char* text;
};
std::span<const StandardHeader> standard_headers();

}  // namespace seam::toolchain
