// YAML text from a tree of values, for people to read and for read_yaml to read back to the same values.
#pragma once

#include <string>
#include <string_view>

#include "seam/formats/value.hpp"

namespace seam::formats {

/// Block style; short arrays without objects on one line; the comments of entries after `#`.
std::string to_yaml(const Value& value);

/// The text as one YAML scalar: plain if YAML reads it as this text, otherwise in double quotes.
std::string yaml_scalar(std::string_view text);

}  // namespace seam::formats
