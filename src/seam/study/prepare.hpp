// A study is read from its file and checked, before its first point is made.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/formats/hdf5_matrices.hpp"
#include "seam/study/sheet.hpp"
#include "seam/study/study.hpp"

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
  std::vector<formats::Hdf5Matrices::Variable>
      trajectories;                                        ///< time and what is kept of every case; empty: nothing is
  std::vector<std::pair<std::string, std::string>> files;  ///< name and hash of what the system is read from
};

/// Throws base::ProblemsFound if no point can be opened, a method fits nowhere, or the summary asks for what is not
/// there.
Prepared prepare(Study study);
/// The same from a file.
Prepared prepare(const std::string& path);

/// None after a problem that leaves nothing to go on with. Files that the study names are looked for beside it.
std::optional<Study> read_study(const std::string& path, base::Problems& problems);
std::optional<Study> read_study_text(const std::string& text, const std::string& path, base::Problems& problems);

}  // namespace seam::study
