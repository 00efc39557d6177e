// What the standards object to in a description that could be read.
#pragma once

#include "seam/fmi/description/model_description.hpp"
#include "seam/fmi/description/notes.hpp"

namespace seam::fmi {

/// Each variable by itself: combinations, start values, units, ranges, arrays, clocks.
void check_variables(const ModelDescription& description, Notes& notes);
/// What concerns them together: unique names and references, aliases, the independent variable.
void check_names(const ModelDescription& description, Notes& notes);
/// The lists of outputs, derivatives and unknowns.
void check_structure(const ModelDescription& description, Notes& notes);

}  // namespace seam::fmi
