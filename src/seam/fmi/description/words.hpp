// The words of a model description for our enumerators, both ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seam/fmi/description/model_description.hpp"

namespace seam::fmi {

template <class Enumerator>
using Words = std::vector<std::pair<std::string_view, Enumerator>>;

const Words<Causality>& causality_words();
const Words<Variability>& variability_words();
const Words<Initial>& initial_words();

template <class Enumerator>
std::optional<Enumerator> from_word(const Words<Enumerator>& words, std::string_view word) {
  for (const auto& [known, enumerator] : words) {
    if (known == word) return enumerator;
  }
  return std::nullopt;
}

template <class Enumerator>
std::string_view to_word(const Words<Enumerator>& words, Enumerator wanted) {
  for (const auto& [word, enumerator] : words) {
    if (enumerator == wanted) return word;
  }
  return {};
}

inline std::string_view word(Causality causality) { return to_word(causality_words(), causality); }
inline std::string_view word(Variability variability) { return to_word(variability_words(), variability); }
inline std::string_view word(Initial initial) { return to_word(initial_words(), initial); }

}  // namespace seam::fmi
