// Runs the built program in a folder of its own and keeps what it said.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "formats/temporary_folder.hpp"
#include "seam/formats/csv.hpp"
#include "seam/formats/value.hpp"

namespace seam::cli {

using Words = std::vector<std::string>;

struct Ran {
  int exit_code = 0;  ///< minus the signal that ended it, if one did
  std::string out, err;
};

/// A fresh folder with files in it; the program runs there. What it prints is kept elsewhere, so that the folder shows
/// what was written.
class Folder {
 public:
  Folder() = default;
  /// With one file.
  Folder(const std::string& name, const std::string& text) { write(name, text); }

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;
  std::string path(const std::string& name) const { return files_.file(name); }
  /// What lies in the folder, sorted.
  Words names() const;
  formats::Table table(const std::string& name) const;
  /// Of a file that holds JSON.
  formats::Value json(const std::string& name) const;

  /// A run that takes more than 20 s is ended by SIGALRM.
  Ran seam(const Words& arguments) const;
  /// The same without waiting; `wait` gives what became of it.
  pid_t start(const Words& arguments, unsigned longest = 20) const;
  Ran wait(pid_t process) const;

 private:
  formats::TemporaryFolder files_, printed_;
};

/// The whole text as one JSON value; a test failure and null if it is not that.
formats::Value json(const std::string& text);

/// A number of an object; a test failure and NaN if it has none of that name.
double number(const formats::Value& object, const std::string& key);

std::size_t count(const std::string& text, const std::string& part);

/// Whether the program refuses the text of system.yaml: exit code 1, the place and all words on standard error, nothing
/// on standard output, and nothing written.
::testing::AssertionResult refused(const std::string& text, const std::string& place, const Words& words,
                                   const Words& flags = {});

}  // namespace seam::cli
