#include "seam/fmi/instance/call_log.hpp"

#include <fmt/format.h>

namespace seam::fmi {

void CallLog::write(std::string_view instance, std::string_view function, std::string_view arguments,
                    std::string_view result) {
  const std::string line =
      fmt::format("{} {}({}){}{}", instance, function, arguments, result.empty() ? "" : " -> ", result);
  const std::lock_guard lock(one_at_a_time_);
  sink_(line);
}

std::string_view status_name(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "OK";
    case Severity::warning:
      return "Warning";
    case Severity::discard:
      return "Discard";
    case Severity::error:
      return "Error";
    case Severity::fatal:
      return "Fatal";
  }
  return "";
}

}  // namespace seam::fmi
