// A package (.ssp) or a bare description (.ssd) as the system description that a system file gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/load/plan_file.hpp"
#include "seam/load/reach.hpp"
#include "seam/system/description.hpp"

namespace seam::ssp {

struct ReadOptions {
  std::string ssd;  ///< which of several descriptions in a package; empty: SystemStructure.ssd
  enum class EmbeddedPlan { used, ignored } embedded_plan = EmbeddedPlan::used;
  load::PlanSections plan = {};                          ///< wins over the embedded one
  std::vector<std::string> opened_folders = {};          ///< sources may lead there too
  load::Elsewhere elsewhere = load::Elsewhere::refused;  ///< or anywhere, those of a bare description
};

/// By the name of the file.
bool names_a_package(const std::string& path);

/// None if nothing can be read at all. No code of an FMU is loaded.
std::optional<system::SystemDescription> read_system(const std::string& path, const ReadOptions& options,
                                                     base::Problems& problems);

}  // namespace seam::ssp
