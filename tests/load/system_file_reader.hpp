// Reads a system file from a text for the tests, and says what it complained about.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "seam/load/system_file.hpp"

namespace seam::load {

struct ReadFile {
  std::optional<system::SystemDescription> description;
  base::Problems problems;
};

inline ReadFile read_whole(const std::string& text) {
  ReadFile result;
  result.description = read_system_text(text, "folder/two.yaml", result.problems);
  return result;
}

/// Behind the least a file needs (3 lines).
inline ReadFile read_with(const std::string& rest) {
  return read_whole("seam: 1\nsubsystems: {a: {model: m}, b: {model: m}}\n\n" + rest);
}

inline system::SystemDescription read_sound(const std::string& text) {
  const ReadFile file = read_whole(text);
  EXPECT_TRUE(file.problems.empty()) << file.problems.text();
  return file.description.value_or(system::SystemDescription{});
}

/// Exactly one problem, at this place, that says this.
inline void expect_problem(const ReadFile& file, int line, int column, const std::string& what) {
  ASSERT_EQ(file.problems.size(), 1u) << file.problems.text();
  const base::Problem& problem = file.problems.all()[0];
  EXPECT_EQ(problem.where.line, line) << file.problems.text();
  EXPECT_EQ(problem.where.column, column) << file.problems.text();
  EXPECT_NE(problem.what.find(what), std::string::npos) << file.problems.text();
}

}  // namespace seam::load
