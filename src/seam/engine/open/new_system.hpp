// A beginning for a system file: the FMUs, the connections their names suggest, and everything else as comments.
#pragma once

#include <string>
#include <vector>

#include "seam/fmi/archive/archive.hpp"

namespace seam::engine {

/// The description of an FMU; its code is not loaded. Throws base::ProblemsFound.
fmi::Fmu open_fmu(const std::string& path);

/// YAML for these FMUs, with paths relative to `folder`, where the file will lie. Throws base::ProblemsFound.
std::string new_system_text(const std::vector<std::string>& fmus, const std::string& folder);

/// Writes a file that does not exist yet; throws base::ProblemsFound if it does.
void write_new_file(const std::string& path, const std::string& text);

}  // namespace seam::engine
