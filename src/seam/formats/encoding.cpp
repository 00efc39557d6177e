#include "seam/formats/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace seam::formats {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
}

/// Whether all eight bytes from here on are printable ASCII: none is 0x80 or more, less than 0x20, or 0x7F.
bool are_plain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
  if (at + 8 > text.size()) return false;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + at, 8);
  const std::uint64_t deletes = bytes ^ (0x7F * ones);
  return ((bytes | (bytes - 0x20 * ones) | (deletes - ones)) & tops) == 0;
}

void escape(std::string& result, std::string_view bytes) {
  for (const char c : bytes) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

// The Unicode Standard, table 3-7: well-formed UTF-8 byte sequences.
std::size_t character_length(std::string_view text, std::size_t at) {
  const std::uint8_t lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  std::uint8_t low = 0x80, high = 0xBF;
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (length == 0 || byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte_at(text, at + i) < 0x80 || byte_at(text, at + i) > 0xBF) return 0;
  }
  return length;
}

std::string with_plain_line_ends(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
    } else {
      plain += '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    }
  }
  return plain;
}

std::shared_ptr<const base::Source> make_source(std::string name, std::string_view text) {
  auto source = std::make_shared<base::Source>();
  source->name = std::move(name);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    source->lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return source;
}

std::optional<BadByte> find_bad_byte(std::string_view text) {
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    return BadByte{0, "this is UTF-16; only UTF-8 is read"};
  }
  for (std::size_t at = 0; at < text.size();) {
    if (are_plain(text, at)) {
      at += 8;
      continue;
    }
    const std::uint8_t byte = byte_at(text, at);
    if (byte == 0) return BadByte{at, "not a text file: it holds a zero byte"};
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      return BadByte{at, fmt::format("not a text file: it holds the control character 0x{:02x}", byte)};
    }
    const std::size_t length = character_length(text, at);
    if (length == 0)
      return BadByte{at, fmt::format("not a text file in UTF-8: the byte 0x{:02x} is out of place", byte)};
    at += length;
  }
  return std::nullopt;
}

base::Location locate(std::shared_ptr<const base::Source> source, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column = line_start == std::string_view::npos ? before.size() : before.size() - line_start - 1;
  return {std::move(source), static_cast<int>(line) + 1, static_cast<int>(column) + 1, 1};
}

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
