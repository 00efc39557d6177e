// What an FMU says, and what it is asked. The last messages are kept and shown with an error, even if logging was off.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace seam::fmi {

enum class Severity { ok, warning, discard, error, fatal };

/// The status as the standard spells it: OK, Warning, Discard, Error, Fatal.
std::string_view status_name(Severity severity);

struct Message {
  Severity severity = Severity::ok;
  std::string category;
  std::string text;
};

/// An FMU may speak from threads of its own while another thread reads.
class Messages {
 public:
  static constexpr std::size_t kept = 100;

  /// The message as it is kept.
  Message add(Severity severity, std::string_view category, std::string_view text);
  /// The last few, one a line, for an error; empty if there are none.
  std::string last(std::size_t count = 5) const;
  std::deque<Message> all() const;

 private:
  std::unique_ptr<std::deque<Message>> messages_;  // most FMUs say nothing, and an empty deque is not small
};

/// A protocol of the calls into FMUs, one line a call. May be shared by instances on several threads: a line is always
/// whole.
class CallLog {
 public:
  using Sink = std::function<void(const std::string& line)>;

  explicit CallLog(Sink sink) : sink_(std::move(sink)) {}

  /// `wheel fmi2SetReal(u=1.5, v=2) -> OK`; nothing after the bracket for a function that returns no status.
  void write(std::string_view instance, std::string_view function, std::string_view arguments, std::string_view result);

 private:
  std::mutex one_at_a_time_;
  Sink sink_;
};

/// A text that cannot harm a terminal: control characters and escapes become spaces, the length is bounded.
std::string harmless(std::string_view text);

/// FMI 2's "#r123#" replaced by what `name_of` gives for (type letter, value reference); "##" is "#".
std::string expand_references(std::string_view text, const std::function<std::string(char, unsigned)>& name_of);

}  // namespace seam::fmi
