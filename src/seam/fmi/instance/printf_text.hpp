// printf for the format string of an FMU: FMI 2's logger is variadic, and not every FMU gives it the arguments it
// promises.
#pragma once

#include <cstdarg>
#include <string>

namespace seam::fmi {

/// Formats into a bounded text. A string that cannot be read is shown as "?", %n writes nothing.
std::string printf_text(const char* format, std::va_list arguments);

}  // namespace seam::fmi
