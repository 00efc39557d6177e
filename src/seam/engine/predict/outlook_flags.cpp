#include "seam/engine/predict/outlook_flags.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/load/system_values.hpp"

namespace seam::engine {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == ':') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::optional<double> number_of(std::string text) {
  if (text.ends_with("Hz")) text.resize(text.size() - 2);
  while (text.ends_with(' ')) text.pop_back();
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<double> read_sweep(const std::string& text, base::Problems& problems) {
  constexpr const char* mend = "write  --sweep step=1ms:10ms:10  (from, to, how many)";
  const std::string name = "step=";
  const std::vector<std::string> parts = parts_of(text.starts_with(name) ? text.substr(name.size()) : "");
  if (parts.size() != 3) {
    problems.add({}, fmt::format("--sweep \"{}\" is not understood", text), mend);
    return {};
  }
  const std::size_t before = problems.size();
  const auto from = load::read_time_flag("--sweep", parts[0], problems);
  const auto to = load::read_time_flag("--sweep", parts[1], problems);
  const auto count = number_of(parts[2]);
  if (problems.size() > before) return {};
  if (!(from->seconds > 0.0) || !(to->seconds > from->seconds) || !count || *count < 2.0 || *count > 10'000.0 ||
      *count != std::floor(*count)) {
    problems.add({}, fmt::format("--sweep \"{}\": two to 10000 steps that grow are needed", text), mend);
    return {};
  }
  std::vector<double> steps;
  for (int i = 0; i < static_cast<int>(*count); ++i)
    steps.push_back(from->seconds + (to->seconds - from->seconds) * i / (*count - 1.0));
  return steps;
}

std::optional<analysis::Band> read_band(const std::string& text, base::Problems& problems) {
  const std::vector<std::string> parts = parts_of(text);
  const auto from = number_of(parts.front()), to = number_of(parts.back());
  if (parts.size() == 2 && from && to && *from >= 0.0 && *to > *from) return analysis::Band{*from, *to};
  problems.add({}, fmt::format("--band \"{}\" is not a band of frequencies", text), "write  --band 0.5Hz:5Hz");
  return std::nullopt;
}

}  // namespace

OutlookRequest read_outlook_flags(const OutlookFlags& flags) {
  base::Problems problems;
  OutlookRequest request;
  if (!flags.sweep.empty()) request.sweep = read_sweep(flags.sweep, problems);
  if (!flags.band.empty()) request.band = read_band(flags.band, problems);
  if (!flags.time.empty()) {
    if (const auto time = load::read_time_flag("--at", flags.time, problems)) request.time = time->seconds;
  }
  base::require_none(problems);
  return request;
}

}  // namespace seam::engine
