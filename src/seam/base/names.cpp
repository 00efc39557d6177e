#include "seam/base/names.hpp"

#include <algorithm>
#include <cctype>

namespace seam::base {
namespace {

std::string folded(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Optimal string alignment distance: insert, delete, replace, swap neighbours, each at cost 1.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // the table is quadratic, and longer names are not typed by hand
  if (name.size() > longest) return {};
  const std::string wanted = folded(name);
  // One letter wrong in a name of one letter is another name.
  const std::size_t allowed = wanted.size() < 2 ? 0 : std::max<std::size_t>(1, wanted.size() / 3);
  std::string best;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t d = distance(wanted, folded(candidate));
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string near = nearest(name, candidates);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  constexpr std::size_t readable = 16;
  if (candidates.empty() || candidates.size() > readable) return {};
  std::string text = "known:";
  for (std::size_t i = 0; i < candidates.size(); ++i) text += (i ? ", " : " ") + candidates[i];
  return text;
}

// One row a character of the pattern, one column a character of the name: whether the beginnings match. Never more than
// their product.
bool matches(std::string_view pattern, std::string_view name) {
  if (!is_pattern(pattern)) return pattern == name;
  std::vector<char> row(name.size() + 1, 0);
  row[0] = 1;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p] == '*') {
      const bool across = p + 1 < pattern.size() && pattern[p + 1] == '*';
      if (across) ++p;
      for (std::size_t n = 0; n < name.size(); ++n) {
        if (row[n] && (across || name[n] != '.')) row[n + 1] = 1;
      }
    } else {
      for (std::size_t n = name.size(); n > 0; --n) row[n] = static_cast<char>(row[n - 1] && name[n - 1] == pattern[p]);
      row[0] = 0;
    }
  }
  return row[name.size()] != 0;
}

bool is_element_of(std::string_view name, std::string_view array) {
  if (name.size() < array.size() + 3 || !name.starts_with(array) || name[array.size()] != '[' || !name.ends_with(']'))
    return false;
  bool digit = false;  // before each comma and at the end
  for (const char c : name.substr(array.size() + 1)) {
    const bool ends = c == ',' || c == ']';
    if (ends != (digit && ends) || (!ends && (c < '0' || c > '9'))) return false;
    digit = !ends;
  }
  return true;
}

bool is_pattern(std::string_view text) { return text.find('*') != std::string_view::npos; }

std::size_t literal_characters(std::string_view pattern) {
  return static_cast<std::size_t>(std::ranges::count_if(pattern, [](char c) { return c != '*'; }));
}

}  // namespace seam::base
