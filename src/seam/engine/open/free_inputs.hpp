// Values for inputs that nothing is connected to: the columns of a table, or constants.
#pragma once

#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

/// The table that a user named by a flag, wherever it lies.
void take_input_file(const std::string& file, system::SystemDescription& description);

/// Constants become an event at the start. The start time is known.
void set_free_inputs(system::SystemDescription& description);

/// The table becomes a subsystem, and each of its columns a connection to the input it is named after:
/// `subsystem.port`, an input of the whole system, or `port` of the first of several FMUs. Ports are known.
void feed_free_inputs(system::SystemDescription& description, base::Problems& problems);

}  // namespace seam::engine
