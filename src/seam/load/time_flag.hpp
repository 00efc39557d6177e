// A time given on the command line: "0.001", "1ms", "1 ms".
#pragma once

#include <optional>
#include <string>

#include "seam/base/problem.hpp"

namespace seam::load {

struct TimeFlag {
  double seconds = 0.0;
  base::Location where;
};

/// A problem points into the flag's own text.
std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems);

}  // namespace seam::load
