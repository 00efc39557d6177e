// Where every parameter and start value of a system came from.
#pragma once

#include <string>
#include <vector>

#include "seam/engine/open/parameter_origins.hpp"
#include "seam/formats/value.hpp"
#include "seam/report/fmu_report.hpp"

namespace seam::report {

/// "system.yaml:7", or "values.ssv:12 by map.ssm:4", or "--set a.k=2", or "default of the FMU".
std::string origin_text(const engine::ParameterOrigin& origin);

/// One line each, aligned; with Extent::first_lines at most 40 defaults of a subsystem.
std::string parameters_text(const engine::System& system, Extent extent);
formats::Value parameters_value(const engine::System& system);

}  // namespace seam::report
