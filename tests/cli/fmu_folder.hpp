// A folder with FMUs of our own in it, and an FMU cache that no other test shares.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace seam::cli {

/// Of FMI 2 or 3, as it was built.
inline std::string built_fmu(int version, const std::string& name) {
  return std::string(SEAM_BINARY_DIR) + "/fmus/fmi" + std::to_string(version) + "/" + name + ".fmu";
}

class FmuFolder : public Folder {
 public:
  FmuFolder() { ::setenv("XDG_CACHE_HOME", cache_.file("").c_str(), 1); }
  ~FmuFolder() { ::unsetenv("XDG_CACHE_HOME"); }
  FmuFolder(int version, const std::string& name) : FmuFolder() { add(version, name); }

  /// Copies it here as NAME.fmu, or under another name.
  void add(int version, const std::string& name, const std::string& as = {}) const {
    std::filesystem::copy_file(built_fmu(version, name), path((as.empty() ? name : as) + ".fmu"));
  }
  std::string cache() const { return cache_.file(""); }

 private:
  formats::TemporaryFolder cache_;
};

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A column of a result; a test failure and nothing if there is none of that name.
inline std::vector<double> column(const formats::Table& table, const std::string& name) {
  const std::vector<double>* found = table.find(name);
  if (found) return *found;
  ADD_FAILURE() << "no column \"" << name << "\"";
  return {};
}

/// Refused with exit code 1, and all words are said on standard error.
inline ::testing::AssertionResult refuses(const Folder& folder, const Words& arguments, const Words& words) {
  const Ran ran = folder.seam(arguments);
  const auto failure = [&] { return ::testing::AssertionFailure() << "standard error:\n" << ran.err << "\n"; };
  if (ran.exit_code != 1) return failure() << "exit code " << ran.exit_code;
  for (const std::string& word : words) {
    if (!says(ran.err, word)) return failure() << "not said: " << word;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace seam::cli
