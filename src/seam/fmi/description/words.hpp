// The words of a model description for our enumerators, both ways.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

/// In the order of the enumerators.
template <class Enumerator>
inline constexpr std::array<std::string_view, 0> words_of{};
template <>
inline constexpr std::array<std::string_view, 7> words_of<Causality>{
    "parameter", "calculatedParameter", "structuralParameter", "input", "output", "local", "independent"};
template <>
inline constexpr std::array<std::string_view, 5> words_of<Variability>{"constant", "fixed", "tunable", "discrete",
                                                                       "continuous"};
template <>
inline constexpr std::array<std::string_view, 3> words_of<Initial>{"exact", "approx", "calculated"};
/// FMI 3; type_word has those of FMI 2.
template <>
inline constexpr std::array<std::string_view, 15> words_of<Type>{
    "Float32", "Float64", "Int8",    "UInt8",  "Int16",  "UInt16",      "Int32", "UInt32",
    "Int64",   "UInt64",  "Boolean", "String", "Binary", "Enumeration", "Clock"};

template <class Enumerator>
constexpr std::string_view word(Enumerator enumerator) {
  return words_of<Enumerator>[static_cast<std::size_t>(enumerator)];
}

template <class Enumerator>
std::optional<Enumerator> from_word(std::string_view word) {
  const auto& words = words_of<Enumerator>;
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<Enumerator>(found - words.begin()));
}

}  // namespace seam::fmi
