// Matrices with names as a MATLAB level 4 file.
#pragma once

#include <string>
#include <vector>

namespace seam::formats {

/// `name` is one that MATLAB takes: a letter, then letters, digits and _.
struct MatMatrix {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  ///< column by column
};

/// One text a row.
struct MatTexts {
  std::string name;
  std::vector<std::string> rows;
};

/// All of them in one file: its bytes.
std::string mat_bytes(const std::vector<MatMatrix>& matrices, const std::vector<MatTexts>& texts);

/// The nearest name that MATLAB takes.
std::string mat_name(const std::string& text);

}  // namespace seam::formats
