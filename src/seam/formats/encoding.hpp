// UTF-8, and texts that are safe to show.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "seam/base/problem.hpp"

namespace seam::formats {

/// Without the byte order mark, and with every line end (CR LF, CR) as one LF.
std::string with_plain_line_ends(std::string_view text);

std::shared_ptr<const base::Source> make_source(std::string name, std::string_view text);

/// Bytes of the character of well-formed UTF-8 that begins at `at`, 0 if none does.
std::size_t character_length(std::string_view text, std::size_t at);

/// A byte that is neither text nor UTF-8: where it is and what is wrong with it.
struct BadByte {
  std::size_t offset = 0;
  std::string what;
};
std::optional<BadByte> find_bad_byte(std::string_view text);

/// Line and column of a byte, counted from 1.
base::Location locate(std::shared_ptr<const base::Source> source, std::string_view text, std::size_t offset);

/// Control characters, marks that turn the writing direction and bytes that are no UTF-8 become \xNN;
/// what is longer than `limit` bytes is cut and ends in "…".
std::string printable(std::string_view text, std::size_t limit = 200);

/// Whether a terminal would obey the character (of well-formed UTF-8) instead of showing it.
bool is_obeyed(std::string_view character);

}  // namespace seam::formats
