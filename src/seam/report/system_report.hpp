// What a system is made of, and where every value came from; and what a conversion wrote.
#pragma once

#include <string>
#include <vector>

#include "seam/assembly/initialisation_order.hpp"
#include "seam/engine/open/convert.hpp"
#include "seam/engine/open/parameter_origins.hpp"
#include "seam/engine/open/system.hpp"
#include "seam/formats/value.hpp"
#include "seam/report/fmu_report.hpp"

namespace seam::report {

/// Drawn with lines and arrows: who is connected to whom; with Extent::all, or up to 20 subsystems, every port.
std::string system_text(const engine::System& system, Extent extent);
/// For Graphviz: a box a subsystem, with its connected ports in it.
std::string system_graph(const engine::System& system);
formats::Value system_value(const engine::System& system);

std::string conversion_text(const engine::Converted& converted);
formats::Value conversion_value(const engine::Converted& converted);

/// One line each, aligned; with Extent::first_lines at most 40 defaults of a subsystem.
std::string parameters_text(const engine::System& system, Extent extent);
formats::Value parameters_value(const engine::System& system);

/// In which order the outputs are found at the start, and which of them only together.
std::string initialisation_text(const engine::System& system, const assembly::Assembly& assembly);
formats::Value initialisation_value(const engine::System& system, const assembly::Assembly& assembly);

}  // namespace seam::report
