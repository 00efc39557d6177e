// The card of an FMU: what it is, what it can do, and its variables.
#pragma once

#include <string>

#include "seam/engine/open/build_fmu.hpp"
#include "seam/fmi/archive/archive.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

enum class Extent {
  first_lines,  ///< long lists end in a count of what was left out
  all
};

std::string fmu_text(const fmi::Fmu& fmu, Extent extent);
/// Always with all variables.
formats::Value fmu_value(const fmi::Fmu& fmu);

/// What `seam check` says of an FMU: one line a problem, errors and warnings counted at the end.
std::string fmu_check_text(const fmi::Fmu& fmu, Extent extent);
formats::Value fmu_check_value(const fmi::Fmu& fmu);
/// Whether the standard forbids anything of it; warnings do not count.
bool fmu_has_errors(const fmi::Fmu& fmu);

std::string build_text(const engine::Built& built);
formats::Value build_value(const engine::Built& built);

}  // namespace seam::report
