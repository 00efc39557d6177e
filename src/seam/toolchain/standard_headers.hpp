// FMI's headers as sources include them, for FMUs that bring none. Made from fmi-headers/ when the project is built.
#pragma once

#include <span>

namespace seam::toolchain {

struct StandardHeader {
  const char* name;
  const char* text;
};
std::span<const StandardHeader> standard_headers();

}  // namespace seam::toolchain
