// Texts of strangers made safe to show on a terminal; the text itself is kept as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace seam::formats {

/// Control characters, marks that turn the writing direction and bytes that are no UTF-8 become \xNN;
/// what is longer than `limit` bytes is cut and ends in "…".
std::string printable(std::string_view text, std::size_t limit = 200);

/// Whether a terminal would obey the character (of well-formed UTF-8) instead of showing it.
bool is_obeyed(std::string_view character);

}  // namespace seam::formats
