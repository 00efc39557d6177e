#include "seam/formats/printable.hpp"

#include <fmt/format.h>

#include "seam/formats/encoding.hpp"

namespace seam::formats {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// How many bytes at `at` are a character of well-formed UTF-8 that a terminal would obey instead of showing: C1
// controls (U+0080…9F), and U+200E/F, U+2028…E, U+2066…9, which turn the direction or end the line.
std::size_t obeyed_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at), second = byte_at(text, at + 1), third = byte_at(text, at + 2);
  if (first == 0xC2 && second >= 0x80 && second <= 0x9F) return 2;
  if (first != 0xE2) return 0;
  if (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE))) return 3;
  if (second == 0x81 && third >= 0xA6 && third <= 0xA9) return 3;
  return 0;
}

void escape(std::string& result, std::string_view bytes) {
  for (const char c : bytes) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

void append_foreign(std::string& result, std::string_view run) {
  if (find_bad_byte(run)) return escape(result, run);
  for (std::size_t at = 0; at < run.size();) {
    const std::size_t obeyed = obeyed_length(run, at);
    if (obeyed > 0) {
      escape(result, run.substr(at, obeyed));
      at += obeyed;
    } else {
      result += run[at++];
    }
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) {
    std::size_t end = limit;
    while (end > 0 && (byte_at(text, end) & 0xC0u) == 0x80u) --end;  // not inside a character
    text = text.substr(0, end);
  }
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii(text[at])) {
      const unsigned byte = byte_at(text, at);
      if (byte < 0x20 || byte == 0x7F) {
        escape(result, text.substr(at, 1));
      } else {
        result += text[at];
      }
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && !is_ascii(text[end])) ++end;
      append_foreign(result, text.substr(at, end - at));
      at = end;
    }
  }
  return cut ? result + "…" : result;
}

}  // namespace seam::formats
