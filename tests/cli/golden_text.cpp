#include "cli/golden_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

namespace seam::cli {
namespace {

/// A piece of a text: a number, or one character that is none (a blank stands for any run of them).
struct Piece {
  std::optional<double> number;
  char character = 0;
};

bool is_blank(char c) { return c == ' '; }
bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Piece> pieces(const std::string& line) {
  std::vector<Piece> result;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end) {
    const bool inside_word = at != line.data() && is_part_of_word(at[-1]);
    double number = 0.0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (!inside_word && error == std::errc{} && std::isfinite(number)) {
      result.push_back({number, 0});
      at = after;
    } else {
      if (!(is_blank(*at) && (result.empty() || is_blank(result.back().character)))) result.push_back({{}, *at});
      ++at;
    }
  }
  while (!result.empty() && is_blank(result.back().character)) result.pop_back();
  return result;
}

bool agree(const Piece& a, const Piece& b) {
  if (a.number.has_value() != b.number.has_value()) return false;
  if (!a.number) return a.character == b.character;
  return std::abs(*a.number - *b.number) <= 1e-6 * std::max(std::abs(*a.number), std::abs(*b.number)) + 1e-12;
}

}  // namespace

std::string difference(const std::string& approved, const std::string& now) {
  std::istringstream expected(approved), found(now);
  std::string a, b;
  for (int line = 1;; ++line) {
    const bool has_a = static_cast<bool>(std::getline(expected, a));
    const bool has_b = static_cast<bool>(std::getline(found, b));
    if (!has_a && !has_b) return {};
    const auto pieces_a = pieces(a), pieces_b = pieces(b);
    const bool same =
        has_a == has_b && std::equal(pieces_a.begin(), pieces_a.end(), pieces_b.begin(), pieces_b.end(), agree);
    if (!same) {
      return "line " + std::to_string(line) + "\n  approved: " + (has_a ? a : "(none)") +
             "\n  now:      " + (has_b ? b : "(none)");
    }
  }
}

}  // namespace seam::cli
