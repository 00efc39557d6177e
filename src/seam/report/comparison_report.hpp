// A comparison of results for people and for programs.
#pragma once

#include <string>

#include "seam/formats/value.hpp"
#include "seam/record/compare.hpp"

namespace seam::report {

std::string comparison_text(const record::Comparison& comparison);
formats::Value comparison_value(const record::Comparison& comparison);

}  // namespace seam::report
