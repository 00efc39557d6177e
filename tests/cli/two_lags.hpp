// The system most tests of the command line begin with: two first-order lags that feed each other.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace seam::cli {

inline const std::string two_lags =
    "seam: 1\n"
    "subsystems:\n"
    "  a:\n"
    "    model: state-space\n"
    "    set: {A: [[-1]], B: [[1]], C: [[1]], x0: [1]}\n"
    "  b:\n"
    "    model: state-space\n"
    "    set: {A: [[-2]], B: [[1]], C: [[1]]}\n"
    "connections:\n"
    "  - a.y -> b.u\n"
    "  - b.y -> a.u\n"
    "experiment: {stop: 1 s}\n"
    "plan:\n"
    "  step: 100 ms\n"
    "  coupling: zoh\n";

/// The text with the first `old` replaced.
inline std::string with(const std::string& old, const std::string& now, std::string text = two_lags) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

/// Lines of the system with more at its end.
inline std::string and_then(const std::string& lines) { return two_lags + lines; }

}  // namespace seam::cli
