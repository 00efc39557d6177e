// How many threads a run may use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace seam::system {

struct Threads {
  std::optional<int> most = 1;  ///< none: as many as there are processors
  enum class Use {
    when_they_gain,  ///< measured in the first steps
    always           ///< so many, unasked
  } use = Use::when_they_gain;
};

inline constexpr int most_threads = 256;

/// "4", "auto" or "always:4"; none if it is neither of these.
std::optional<Threads> parse_threads(std::string_view text);
/// The same the other way round.
std::string words(const Threads& threads);

/// What to write, for the message to a user who wrote something else.
inline constexpr const char* threads_mend =
    "write how many at most (1 to 256), auto for as many as there are processors, or always:4 for 4 in any case";

}  // namespace seam::system
