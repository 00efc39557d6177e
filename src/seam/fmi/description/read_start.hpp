// Start values of a variable as texts; what is kept is a value of the variable's type.
#pragma once

#include "seam/fmi/description/description_reader.hpp"

namespace seam::fmi {

void read_start(Draft& draft, const formats::XmlElement& typed, Variable& variable);

}  // namespace seam::fmi
