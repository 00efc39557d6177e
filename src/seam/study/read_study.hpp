// A study file (YAML) becomes a Study.
#pragma once

#include <optional>
#include <string>

#include "seam/study/study.hpp"

namespace seam::study {

/// None after a problem that leaves nothing to go on with. Files that the study names are looked for beside it.
std::optional<Study> read_study(const std::string& path, base::Problems& problems);
std::optional<Study> read_study_text(const std::string& text, const std::string& path, base::Problems& problems);

}  // namespace seam::study
