#include "seam/report/text_shape.hpp"

#include <algorithm>

namespace seam::report {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t used = width(text);
  return used < columns ? text + std::string(columns - used, ' ') : text;
}

Indent blanks(std::size_t columns) { return {std::string(columns, ' '), columns}; }

std::string wrapped(const std::vector<std::string>& words, const Indent& indent) {
  constexpr std::size_t line = 100;
  std::string text;
  std::size_t column = indent.columns;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (i > 0 && column + 1 + width(word) > line) {
      text += "\n" + indent.text;
      column = indent.columns;
    } else if (i > 0) {
      text += " ";
      ++column;
    }
    text += word;
    column += width(word);
  }
  return text + "\n";
}

}  // namespace seam::report
