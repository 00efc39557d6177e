// The system file with every default filled in: it loads again to the same system.
#pragma once

#include <string>

#include "seam/formats/value.hpp"
#include "seam/system/description.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// Entry comments say where a value came from. With a complete plan every connection and subsystem is written out;
/// without one (nullptr) the plan is what was asked for.
formats::Value resolved_value(const system::SystemDescription& description, const system::Plan* plan);

/// The same as YAML.
std::string resolved_text(const system::SystemDescription& description, const system::Plan* plan);

/// The declared bonds, each by its two connections: what a plan file says of them.
formats::Value bonds_value(const system::SystemDescription& description);

/// "from the file", "from --step", "default".
std::string origin(const base::Location& where);

/// As a user wrote it, units and digits included.
formats::Value converted(const system::Value& value);

/// Complete, or (nullptr) what was asked for.
formats::Value plan_value(const system::SystemDescription& description, const system::Plan* plan);

}  // namespace seam::load
