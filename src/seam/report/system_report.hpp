// What a system is made of, and where every value came from; and what a conversion wrote.
#pragma once

#include <string>

#include "seam/engine/open/convert.hpp"
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

}  // namespace seam::report
