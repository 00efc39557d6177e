#include "seam/formats/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/encoding.hpp"

namespace seam::formats {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

void escape(std::string& result, std::string_view bytes) {
  for (const char c : bytes) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

// Controls of ASCII, C1 controls (U+0080…9F), and U+200E/F, U+2028…E, U+2066…9, which turn the direction or end the
// line.
bool is_obeyed(std::string_view character) {
  const unsigned first = byte_at(character, 0), second = byte_at(character, 1), third = byte_at(character, 2);
  if (first < 0x20 || first == 0x7F) return true;
  if (first == 0xC2) return second <= 0x9F;
  if (first != 0xE2) return false;
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

std::string printable(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) {
    std::size_t end = limit;
    while (end > 0 && (byte_at(text, end) & 0xC0u) == 0x80u) --end;  // not inside a character
    text = text.substr(0, end);
  }
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
    if (length == 0 || is_obeyed(character)) {
      escape(result, character);
    } else {
      result += character;
    }
    at += character.size();
  }
  return cut ? result + "…" : result;
}

}  // namespace seam::formats
