#include "seam/report/build_report.hpp"

#include <fmt/format.h>

namespace seam::report {

std::string build_text(const engine::Built& built) {
  std::string text;
  for (const std::string& notice : built.notices) text += notice + "\n";
  return text + fmt::format("wrote {} with {}\n", built.file, fmt::join(built.libraries, ", "));
}

formats::Value build_value(const engine::Built& built) {
  using formats::Value;
  return Value::object({{"file", built.file},
                        {"platform", built.platform},
                        {"libraries", Value::array(built.libraries)},
                        {"notices", Value::array(built.notices)}});
}

}  // namespace seam::report
