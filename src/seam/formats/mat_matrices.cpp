#include "seam/formats/mat.hpp"

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/formats/mat_parts.hpp"

namespace seam::formats {

using namespace mat_parts;

std::string mat_bytes(const std::vector<MatMatrix>& matrices, const std::vector<MatTexts>& texts) {
  std::string bytes;
  for (const MatMatrix& matrix : matrices) {
    if (matrix.values.size() != matrix.rows * matrix.columns)
      throw base::Error(base::Failure::internal, "a matrix with another number of values than its size says");
    put_header(bytes, matrix.name.c_str(), Kind::doubles, matrix.rows, matrix.columns);
    put(bytes, matrix.values.data(), matrix.values.size() * sizeof(double));
  }
  for (const MatTexts& list : texts) {
    std::size_t longest = 0;
    for (const std::string& text : list.rows) longest = std::max(longest, text.size());
    put_header(bytes, list.name.c_str(), Kind::text, list.rows.size(), longest);
    for (std::size_t i = 0; i < longest; ++i) {
      for (const std::string& text : list.rows) bytes += i < text.size() ? text[i] : ' ';
    }
  }
  return bytes;
}

std::string mat_name(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string name(text.empty() || !is_letter(text.front()) ? "m" : "");
  for (const char c : text) name += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  constexpr std::size_t longest = 63;  // of MATLAB
  return name.substr(0, longest);
}

}  // namespace seam::formats
