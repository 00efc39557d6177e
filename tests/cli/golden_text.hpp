// Texts that must stay as approved, numbers within a tolerance.
#pragma once

#include <string>

namespace seam::cli {

/// Where two texts differ, in words; empty if they agree. Runs of blanks count as one; numbers agree to 1e-6 of the
/// larger, or to 1e-12 where both are nothing but rounding.
std::string difference(const std::string& approved, const std::string& now);

}  // namespace seam::cli
