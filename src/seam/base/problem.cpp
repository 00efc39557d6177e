#include "seam/base/problem.hpp"

#include <algorithm>

namespace seam::base {
namespace {

std::string place(const Location& where) {
  if (!where.source) return {};
  std::string text = where.source->name + ":";
  if (where.line > 0) {
    text += std::to_string(where.line) + ":";
    if (where.column > 0) text += std::to_string(where.column) + ":";
  }
  return text + " ";
}

// The line itself, cut to a readable width around the column, with a caret under what is meant.
std::string excerpt(const Location& where) {
  if (!where.source || where.line < 1 || where.line > static_cast<int>(where.source->lines.size())) return {};
  constexpr int widest = 120;
  std::string line = where.source->lines[static_cast<std::size_t>(where.line - 1)];
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  int column = std::max(where.column, 1);
  if (column > static_cast<int>(line.size()) + 1) column = static_cast<int>(line.size()) + 1;
  const int first = std::max(0, column - 1 - widest / 2);
  line = line.substr(static_cast<std::size_t>(first), widest);
  column -= first;
  const std::string number = std::to_string(where.line);
  std::string text = "   " + number + " | " + line + "\n";
  if (where.column < 1) return text;
  const int room = std::max(1, static_cast<int>(line.size()) - column + 1);
  const int carets = std::clamp(where.length, 1, room);
  text += "   " + std::string(number.size(), ' ') + " | " + std::string(static_cast<std::size_t>(column - 1), ' ') +
          std::string(static_cast<std::size_t>(carets), '^') + "\n";
  return text;
}

bool before(const Problem& a, const Problem& b) {
  const std::string file_a = a.where.source ? a.where.source->name : std::string{};
  const std::string file_b = b.where.source ? b.where.source->name : std::string{};
  if (file_a != file_b) return file_a < file_b;
  if (a.where.line != b.where.line) return a.where.line < b.where.line;
  return a.where.column < b.where.column;
}

}  // namespace

void Problems::add(Location where, std::string what, std::string mend) {
  problems_.push_back({std::move(where), std::move(what), std::move(mend)});
}

void Problems::add(Problem problem) { problems_.push_back(std::move(problem)); }

void Problems::append(const Problems& other) {
  problems_.insert(problems_.end(), other.problems_.begin(), other.problems_.end());
}

std::string Problems::text(std::size_t limit) const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), before);
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < limit; ++i) {
    if (i > 0) text += "\n";
    text += place(sorted[i].where) + sorted[i].what + "\n" + excerpt(sorted[i].where);
    if (!sorted[i].mend.empty()) text += "   " + sorted[i].mend + "\n";
  }
  if (sorted.size() > limit) text += "\nand " + std::to_string(sorted.size() - limit) + " more\n";
  return text;
}

ProblemsFound::ProblemsFound(Problems problems) : std::runtime_error(problems.text()), problems_(std::move(problems)) {}

void require_none(const Problems& problems) {
  if (!problems.empty()) throw ProblemsFound(problems);
}

}  // namespace seam::base
