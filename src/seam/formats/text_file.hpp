// Whole files as text. A base::Error names the path and the reason.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace seam::formats {

inline constexpr std::size_t largest_text_file = std::size_t{16} << 20;

/// Throws base::Error(Failure::file) if the file cannot be read or is larger than `limit` bytes.
std::string read_text(const std::string& path, std::size_t limit = largest_text_file);

/// All or nothing: the text goes to a temporary file beside the target, which then takes its name.
/// A target that is no ordinary file (a pipe, /dev/stdout) is written directly.
void write_text(const std::string& path, std::string_view text);

}  // namespace seam::formats
