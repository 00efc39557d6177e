// Names a person typed, and the ones that were probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seam::base {

/// The candidate nearest to `name` (case folded, transpositions count once), or empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `did you mean "x"?`, or `known: a, b, c` if nothing is near and the list is short, or empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// `*` matches within one part of a dotted name, `**` across parts; everything else is literal.
bool matches(std::string_view pattern, std::string_view name);

/// Whether `name` is the array's name and an index for each dimension: u[2] of u, M[1,2] of M.
bool is_element_of(std::string_view name, std::string_view array);

bool is_pattern(std::string_view text);

/// How many characters of a pattern are literal: the more, the more specific.
std::size_t literal_characters(std::string_view pattern);

}  // namespace seam::base
