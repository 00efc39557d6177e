// Numbers as text, the same in every locale: the shortest form that reads back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace seam::formats {

/// Enough for every double that write_number writes.
inline constexpr std::size_t longest_number = 32;

/// Writes to [first, first + longest_number) and returns the end; `nan`, `inf` and `-inf` are written so.
char* write_number(char* first, double number);
std::string number_text(double number);

/// How many leading characters are a decimal number: sign, digits with at most one point, exponent; 0 if none.
std::size_t number_length(std::string_view text);

enum class Reading { number, not_a_number, out_of_range };
struct NumberRead {
  Reading reading = Reading::not_a_number;
  double number = 0.0;
};

/// The whole text as a decimal number; nothing else (no hexadecimal, no comma, no blanks) is one.
NumberRead read_number(std::string_view text);

/// Whether `number` is what is left of a whole number of 64 bits that no double holds. Written with a point or an
/// exponent it is meant to be rounded.
bool is_rounded_whole(std::string_view text, double number);

}  // namespace seam::formats
