#include "seam/load/time_flag.hpp"

#include "seam/load/system_values.hpp"

namespace seam::load {

std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems) {
  const auto node = formats::read_yaml(text, flag, problems);
  if (!node) return std::nullopt;
  const auto seconds = read_time(*node, flag, problems);
  if (!seconds) return std::nullopt;
  return TimeFlag{*seconds, node->where};
}

}  // namespace seam::load
