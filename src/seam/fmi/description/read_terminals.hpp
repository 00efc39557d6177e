// The terminals of an FMU: which of its variables form a physical connector together.
#pragma once

#include <string>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// Where the archive keeps them.
inline constexpr const char* terminals_name = "terminalsAndIcons/terminalsAndIcons.xml";

/// Writes the terminal of each variable into the description. A text that cannot be read is an error of the FMU that a
/// run can do without.
void read_terminals(std::string text, ModelDescription& description, std::vector<DescriptionProblem>& found);

}  // namespace seam::fmi
