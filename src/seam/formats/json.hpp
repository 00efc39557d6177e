// JSON text from a tree of values, and back.
#pragma once

#include <string>
#include <string_view>

#include "seam/formats/value.hpp"

namespace seam::formats {

/// `indent` < 0: one line. Numbers read back to the same bits; NaN and infinity, which JSON lacks, become null.
std::string to_json(const Value& value, int indent = 2);

/// Throws base::Error(Failure::file) with `name`, line and column if the text is not JSON, repeats a key,
/// or is nested too deep.
Value parse_json(std::string_view text, std::string_view name = "JSON");

}  // namespace seam::formats
