#include "seam/formats/xml_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "seam/formats/encoding.hpp"

namespace seam::formats {
namespace {

enum class ByteOrder { little, big };

char32_t unit_at(std::string_view bytes, std::size_t at, ByteOrder order) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  return order == ByteOrder::little ? char32_t{first} | char32_t{second} << 8 : char32_t{second} | char32_t{first} << 8;
}

// The Unicode Standard, 3.9, D91: a high surrogate and a low one make one character beyond U+FFFF.
std::optional<std::string> from_utf16(std::string_view bytes, ByteOrder order, std::string& reason) {
  reason = "the UTF-16 text is broken";
  if (bytes.size() % 2 != 0) return std::nullopt;
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    const char32_t unit = unit_at(bytes, at, order);
    if (unit < 0xD800 || unit > 0xDFFF) {
      append_utf8(text, unit);
      continue;
    }
    if (unit > 0xDBFF || at + 4 > bytes.size()) return std::nullopt;
    at += 2;
    const char32_t low = unit_at(bytes, at, order);
    if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
    append_utf8(text, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
  }
  return text;
}

std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

// The encoding named by <?xml … encoding="…"?>, in lower case; empty if none is.
std::string declared_encoding(std::string_view bytes) {
  if (bytes.substr(0, 5) != "<?xml") return {};
  const std::string_view declaration = bytes.substr(0, std::min(bytes.find("?>"), std::size_t{400}));
  const std::size_t key = declaration.find("encoding");
  const std::size_t open = key == std::string_view::npos ? key : declaration.find_first_of("\"'", key);
  if (open == std::string_view::npos) return {};
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  std::string name(declaration.substr(open + 1, close - open - 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace

void append_utf8(std::string& text, char32_t character) {
  const auto last = [character](int shift) { return static_cast<char>(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | (character >> 6));
    text += last(0);
  } else if (character < 0x10000) {
    text += static_cast<char>(0xE0 | (character >> 12));
    text += last(6);
    text += last(0);
  } else {
    text += static_cast<char>(0xF0 | (character >> 18));
    text += last(12);
    text += last(6);
    text += last(0);
  }
}

std::optional<std::string> xml_as_utf8(std::string bytes, std::string& reason) {
  using namespace std::string_view_literals;
  const std::string_view all = bytes;
  const std::string_view mark = all.substr(0, 2);
  if (all.substr(0, 4) == "\xFF\xFE\0\0"sv || all.substr(0, 4) == "\0\0\xFE\xFF"sv || all.substr(0, 4) == "<\0\0\0"sv) {
    reason = "it is written in UTF-32; UTF-8, UTF-16 and ISO-8859-1 are read";
    return std::nullopt;
  }
  if (mark == "\xFF\xFE") return from_utf16(all.substr(2), ByteOrder::little, reason);
  if (mark == "\xFE\xFF") return from_utf16(all.substr(2), ByteOrder::big, reason);
  if (mark == "<\0"sv) return from_utf16(all, ByteOrder::little, reason);
  if (mark == "\0<"sv) return from_utf16(all, ByteOrder::big, reason);
  if (all.substr(0, 3) == "\xEF\xBB\xBF") return bytes.substr(3);
  const std::string encoding = declared_encoding(all);
  if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "latin-1") return from_latin1(all);
  // A text declared as UTF-16 that is plainly not may still be UTF-8: the bytes decide, not the label.
  const bool known = encoding.empty() || encoding == "utf-8" || encoding == "utf8" || encoding == "utf-16";
  const bool ascii = std::ranges::all_of(all, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (known || ascii) return bytes;
  reason = fmt::format("it is written in {}; UTF-8, UTF-16 and ISO-8859-1 are read", printable(encoding, 40));
  return std::nullopt;
}

}  // namespace seam::formats
