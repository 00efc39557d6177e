// A path as FMI 2 wants it: file:///…, percent-encoded.
#pragma once

#include <filesystem>
#include <string>

namespace seam::fmi {

std::string file_uri(const std::filesystem::path& path);

}  // namespace seam::fmi
