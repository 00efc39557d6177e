// What the user gave and what is wrong with it: collected, all at once, each with where, what and how to mend it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace seam::base {

/// A text the user wrote, kept so that a problem can show the line it is about.
struct Source {
  std::string name;                ///< file name as the user gave it
  std::vector<std::string> lines;  ///< without line ends
};

/// A place in a source; line and column count from 1, 0 means "not known".
struct Location {
  std::shared_ptr<const Source> source;
  int line = 0;
  int column = 0;
  int length = 1;
};

struct Problem {
  Location where;
  std::string what;
  std::string mend;  ///< may be empty
};

/// Whether what breaks a rule, and can be read nevertheless, is read.
enum class Strictness { lenient, strict };

class Problems {
 public:
  Problems() = default;
  explicit Problems(Strictness strictness) : strictness_(strictness) {}

  /// The same thing at the same place is said once; what is longer than a paragraph is cut in its middle.
  void add(Location where, std::string what, std::string mend = {});
  void add(Problem problem);
  void append(const Problems& other);

  /// A rule was broken, and what was meant was taken: one word of it is enough ("../a.fmu"), or none. To the strict it
  /// is a problem.
  void mended(Location where, const std::string& what, const std::string& example = {});
  /// All of that in one line; empty if there is nothing.
  std::string mended_words() const;

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  const std::vector<Problem>& all() const { return problems_; }

  /// Every problem as "file:line:column: what", the line with a caret, how to mend it; at most `limit`, then a count.
  /// Ordered by place, so that the reader goes through the file once.
  std::string text(std::size_t limit = 20) const;

 private:
  struct Mended {
    std::string what;
    int times = 0;
    std::vector<std::string> examples;  ///< each once
  };

  Strictness strictness_ = Strictness::lenient;
  std::vector<Problem> problems_;
  std::vector<Mended> mended_;
};

/// Thrown where a result cannot be had because of problems; caught once, at the edge.
class ProblemsFound : public std::runtime_error {
 public:
  explicit ProblemsFound(Problems problems);
  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

/// Throws ProblemsFound if there are any.
void require_none(const Problems& problems);

}  // namespace seam::base
