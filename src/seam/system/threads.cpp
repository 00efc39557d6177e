#include "seam/system/threads.hpp"

#include <charconv>

namespace seam::system {
namespace {

std::optional<int> parse_count(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || count < 1 || count > most_threads) return std::nullopt;
  return count;
}

}  // namespace

std::optional<Threads> parse_threads(std::string_view text) {
  constexpr std::string_view always = "always:";
  Threads threads;
  if (text == "auto") {
    threads.most = std::nullopt;
    return threads;
  }
  if (text.starts_with(always)) {
    threads.use = Threads::Use::always;
    text.remove_prefix(always.size());
  }
  threads.most = parse_count(text);
  if (!threads.most) return std::nullopt;
  return threads;
}

std::string words(const Threads& threads) {
  if (!threads.most) return "auto";
  return (threads.use == Threads::Use::always ? "always:" : "") + std::to_string(*threads.most);
}

}  // namespace seam::system
