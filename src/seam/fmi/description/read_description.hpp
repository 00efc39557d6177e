// modelDescription.xml of FMI 1.0, 2.0 and 3.0 as one ModelDescription.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// None after a problem that cannot be worked around: unreadable XML, another version of FMI, no interface, no
/// identifier. Everything else that is wrong is read as leniently as is safe and kept in found_while_reading.
std::optional<ModelDescription> read_description(std::string bytes, const std::string& source_name,
                                                 base::Problems& problems);

/// Where the archive keeps the terminals: which of the variables form a physical connector together.
inline constexpr const char* terminals_name = "terminalsAndIcons/terminalsAndIcons.xml";

/// Writes the terminal of each variable into the description. A text that cannot be read is an error of the FMU that a
/// run can do without.
void read_terminals(std::string text, ModelDescription& description, std::vector<DescriptionProblem>& found);

}  // namespace seam::fmi
