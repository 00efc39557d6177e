// A protocol of the calls into FMUs, one line a call, for people who look for the guilty one.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "seam/fmi/instance/messages.hpp"

namespace seam::fmi {

/// May be shared by instances on several threads: a line is always whole.
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

/// The status as the standard spells it: OK, Warning, Discard, Error, Fatal.
std::string_view status_name(Severity severity);

}  // namespace seam::fmi
