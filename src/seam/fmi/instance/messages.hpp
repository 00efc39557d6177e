// What an FMU says: the last messages are kept and shown with an error, even if logging was off.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace seam::fmi {

enum class Severity { ok, warning, discard, error, fatal };

struct Message {
  Severity severity = Severity::ok;
  std::string category;
  std::string text;
};

class Messages {
 public:
  static constexpr std::size_t kept = 100;

  void add(Severity severity, std::string_view category, std::string_view text);
  /// The last few, one a line, for an error; empty if there are none.
  std::string last(std::size_t count = 5) const;
  const std::deque<Message>& all() const;

 private:
  std::unique_ptr<std::deque<Message>> messages_;  // most FMUs say nothing, and an empty deque is not small
};

/// A text that cannot harm a terminal: control characters and escapes become spaces, the length is bounded.
std::string harmless(std::string_view text);

/// FMI 2's "#r123#" replaced by what `name_of` gives for (type letter, value reference); "##" is "#".
std::string expand_references(std::string_view text, const std::function<std::string(char, unsigned)>& name_of);

}  // namespace seam::fmi
