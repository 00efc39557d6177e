// Lines of a width that a terminal has, and columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace seam::report {

/// How many characters a terminal shows.
std::size_t width(const std::string& text);
/// With blanks behind it.
std::string padded(const std::string& text, std::size_t columns);

/// What stands at the start of a line that goes on, and how wide that is.
struct Indent {
  std::string text;
  std::size_t columns = 0;
};
Indent blanks(std::size_t columns);

/// Joined by commas, in lines of about 100 columns; the first one begins where the text stands.
std::string wrapped(const std::vector<std::string>& words, const Indent& indent);

}  // namespace seam::report
