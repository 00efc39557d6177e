#include "seam/base/problem.hpp"

#include <algorithm>

namespace seam::base {
namespace {

// Names and texts come from strangers: nothing in them may steer a terminal. Line ends are ours.
std::string harmless(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }, ' ');
  return text;
}

// The nearest place at or before `at` where a UTF-8 letter begins.
int letter_begin(const std::string& text, int at) {
  while (at > 0 && at < static_cast<int>(text.size()) &&
         (static_cast<unsigned char>(text[static_cast<std::size_t>(at)]) & 0xc0) == 0x80)
    --at;
  return at;
}

// A field of megabytes is not repeated: its begin and its end say which one it is.
std::string shortened(std::string text) {
  constexpr int longest = 1000, end_shown = 200;
  const int size = static_cast<int>(text.size());
  if (size <= longest) return text;
  const int first = letter_begin(text, longest - end_shown), last = letter_begin(text, size - end_shown);
  return text.replace(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first), " … ");
}

// How many places on the screen a part of a line takes: bytes that go on with a letter take none.
std::size_t letters(std::string::const_iterator begin, std::string::const_iterator end) {
  return static_cast<std::size_t>(
      std::count_if(begin, end, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string place(const Location& where) {
  if (!where.source) return {};
  std::string text = harmless(where.source->name) + ":";
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
  line = harmless(std::move(line));
  int column = std::max(where.column, 1);
  if (column > static_cast<int>(line.size()) + 1) column = static_cast<int>(line.size()) + 1;
  const int first = letter_begin(line, std::max(0, column - 1 - widest / 2));
  const int last = letter_begin(line, std::min(static_cast<int>(line.size()), first + widest));
  line = line.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  column -= first;
  const std::string number = std::to_string(where.line);
  std::string text = "   " + number + " | " + line + "\n";
  if (where.column < 1) return text;
  const int room = std::max(1, static_cast<int>(line.size()) - column + 1);
  const int carets = std::clamp(where.length, 1, room);
  const auto begin = line.begin() + std::min(column - 1, static_cast<int>(line.size()));
  const auto end = line.begin() + std::min(column - 1 + carets, static_cast<int>(line.size()));
  text += "   " + std::string(number.size(), ' ') + " | " + std::string(letters(line.begin(), begin), ' ') +
          std::string(std::max<std::size_t>(1, letters(begin, end)), '^') + "\n";
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
  add({std::move(where), std::move(what), std::move(mend)});
}

void Problems::add(Problem problem) {
  problem.what = shortened(std::move(problem.what));
  problem.mend = shortened(std::move(problem.mend));
  const auto same = [&](const Problem& known) {
    return known.what == problem.what && known.where.source == problem.where.source &&
           known.where.line == problem.where.line && known.where.column == problem.where.column;
  };
  constexpr std::ptrdiff_t near =
      200;  // repeated problems stand close together; a huge broken file must not cost a square
  const auto first = problems_.end() - std::min<std::ptrdiff_t>(near, std::ssize(problems_));
  if (std::none_of(first, problems_.end(), same)) problems_.push_back(std::move(problem));
}

void Problems::append(const Problems& other) {
  for (const Problem& problem : other.problems_) add(problem);
}

void Problems::mended(Location where, const std::string& what, const std::string& example) {
  if (strictness_ == Strictness::strict) {
    add(std::move(where), example.empty() ? what : what + ": " + example, "without --strict it is read");
    return;
  }
  auto known = std::ranges::find(mended_, what, &Mended::what);
  if (known == mended_.end()) known = mended_.insert(known, Mended{what, 0, {}});
  ++known->times;
  const bool is_new = std::ranges::find(known->examples, example) == known->examples.end();
  if (is_new && !example.empty()) known->examples.push_back(example);
}

std::string Problems::mended_words() const {
  constexpr std::size_t shown = 5;
  std::string words;
  for (const Mended& one : mended_) {
    words += (words.empty() ? "read leniently (--strict refuses it): " : "; ") + one.what;
    if (one.examples.empty() && one.times > 1) words += " (" + std::to_string(one.times) + " times)";
    for (std::size_t i = 0; i < one.examples.size() && i < shown; ++i) words += (i ? ", " : ": ") + one.examples[i];
    if (one.examples.size() > shown) words += " and " + std::to_string(one.examples.size() - shown) + " more";
  }
  return harmless(words);
}

std::string Problems::text(std::size_t limit) const {
  std::vector<Problem> sorted = problems_;
  std::ranges::stable_sort(sorted, before);
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < limit; ++i) {
    if (i > 0) text += "\n";
    text += place(sorted[i].where) + harmless(sorted[i].what) + "\n" + excerpt(sorted[i].where);
    if (!sorted[i].mend.empty()) text += "   " + harmless(sorted[i].mend) + "\n";
  }
  if (sorted.size() > limit) text += "\nand " + std::to_string(sorted.size() - limit) + " more\n";
  return text;
}

ProblemsFound::ProblemsFound(Problems problems) : std::runtime_error(problems.text()), problems_(std::move(problems)) {}

void require_none(const Problems& problems) {
  if (!problems.empty()) throw ProblemsFound(problems);
}

}  // namespace seam::base
