// The plan of a system file as a tree, and what the rest of the file is written with.
#pragma once

#include <string>

#include "seam/formats/value.hpp"
#include "seam/system/description.hpp"
#include "seam/system/plan.hpp"

namespace seam::load {

/// "from the file", "from --step", "default".
std::string origin(const base::Location& where);

/// As a user wrote it, units and digits included.
formats::Value converted(const system::Value& value);

/// Complete, or (nullptr) what was asked for.
formats::Value plan_value(const system::SystemDescription& description, const system::Plan* plan);

}  // namespace seam::load
