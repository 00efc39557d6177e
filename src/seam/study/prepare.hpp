// A study before its first case: whether it can be run at all, which columns it fills and which files it rests on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "seam/study/sheet.hpp"

namespace seam::study {

enum class Kind {
  native,    ///< only models of our own: threads share the work
  with_fmus  ///< a stranger's code: every worker is a process of its own
};

struct Prepared {
  Study study;
  Sheet sheet;
  std::size_t points = 0;
  Kind kind = Kind::native;
  std::vector<std::pair<std::string, std::string>> files;  ///< name and hash of what the system is read from
};

/// Throws base::ProblemsFound if no point can be opened, a method fits nowhere, or the summary asks for what is not
/// there.
Prepared prepare(Study study);
/// The same from a file.
Prepared prepare(const std::string& path);

}  // namespace seam::study
