#include "seam/report/progress_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace seam::report {

std::string duration_words(double seconds) {
  if (seconds < 10.0) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e9) return "years";
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_words(const std::string& name, const stepping::Progress& progress, double elapsed) {
  const double done = progress.time - progress.start, all = progress.stop - progress.start;
  const double fraction = all > 0.0 ? std::clamp(done / all, 0.0, 1.0) : 1.0;
  constexpr std::size_t width = 20;
  const auto full = static_cast<std::size_t>(width * fraction);
  std::string words = fmt::format("{} [{}{}] {:3.0f} %  {:.6g} of {:.6g} s", name, std::string(full, '#'),
                                  std::string(width - full, '.'), 100.0 * fraction, progress.time, progress.stop);
  if (elapsed <= 0.0 || done <= 0.0) return words;
  const double rate = done / elapsed;
  return words + fmt::format(", {:.3g} times real time, {} left", rate, duration_words((all - done) / rate));
}

}  // namespace seam::report
