#include "seam/load/time_flag.hpp"

#include <memory>

#include "seam/load/system_values.hpp"

namespace seam::load {

std::optional<TimeFlag> read_time_flag(const std::string& flag, const std::string& text, base::Problems& problems) {
  const std::string bare(trimmed(text));
  const base::Location where{std::make_shared<base::Source>(base::Source{flag, {text}}), 1,
                             static_cast<int>(text.find(bare)) + 1, static_cast<int>(bare.size())};
  const auto seconds = read_time(scalar_value(bare, where), flag, problems);
  if (!seconds) return std::nullopt;
  return TimeFlag{*seconds, where};
}

}  // namespace seam::load
