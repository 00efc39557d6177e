// The words of enumerators, both ways.
#pragma once

#include <optional>
#include <string_view>

namespace seam::base {

template <class Enumerator>
struct Word {
  Enumerator value;
  const char* text;
};

/// The text of a value, empty if the table has none.
template <class Enumerator, std::size_t count>
constexpr const char* to_word(const Word<Enumerator> (&words)[count], Enumerator wanted) {
  for (const Word<Enumerator>& word : words) {
    if (word.value == wanted) return word.text;
  }
  return "";
}

template <class Enumerator, std::size_t count>
constexpr std::optional<Enumerator> from_word(const Word<Enumerator> (&words)[count], std::string_view text) {
  for (const Word<Enumerator>& word : words) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

}  // namespace seam::base
