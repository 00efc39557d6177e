#include "seam/fmi/printf_text.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace seam::fmi {
namespace {

constexpr std::size_t longest = 4096;

/// The text at an address that may be none: the kernel copies it and says where reading ends.
std::string text_at(const char* address, std::size_t most) {
  constexpr std::size_t page = 4096;
  std::string text;
  while (text.size() < most) {
    std::array<char, 256> part;
    // Not across a page: the next one may not exist.
    const std::size_t to_page_end = page - reinterpret_cast<std::uintptr_t>(address) % page;
    iovec to{part.data(), std::min({part.size(), to_page_end, most - text.size()})};
    iovec from{const_cast<char*>(address), to.iov_len};
    const ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    if (got <= 0) return text.empty() ? "?" : text;
    const std::string_view bytes(part.data(), static_cast<std::size_t>(got));
    const std::size_t end = bytes.find('\0');
    text += bytes.substr(0, end);
    if (end != std::string_view::npos) return text;
    address += got;
  }
  return text;
}

/// One conversion: everything from % to its letter, with the length modifiers apart.
struct Conversion {
  std::string flags;  ///< flags, width and precision, stars resolved
  int longs = 0;      ///< l: 1, ll: 2, z, t and j: 2
  bool long_double = false;
  char letter = '\0';
};

template <class Number>
std::string number_text(const Conversion& c, const char* modifier, Number number) {
  std::array<char, 512> buffer;
  const std::string format = "%" + c.flags + modifier + c.letter;
  const int length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), number);
  if (length < 0) return "?";
  return {buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1)};
}

/// Reads one conversion that begins behind %; `at` is left behind its letter.
Conversion read_conversion(std::string_view format, std::size_t& at, std::va_list* arguments) {
  Conversion c;
  for (; at < format.size(); ++at) {
    const char letter = format[at];
    if (letter == '*') {
      c.flags += std::to_string(std::clamp(va_arg(*arguments, int), -200, 200));
    } else if (std::string_view("-+ #0123456789.").find(letter) != std::string_view::npos) {
      if (c.flags.size() < 12) c.flags += letter;
    } else if (letter == 'l') {
      ++c.longs;
    } else if (letter == 'z' || letter == 't' || letter == 'j') {
      c.longs = 2;
    } else if (letter == 'L') {
      c.long_double = true;
    } else if (letter != 'h') {
      c.letter = letter;
      ++at;
      break;
    }
  }
  return c;
}

/// A string with its width and precision; with a precision no more than that is read, for it may have no end.
std::string padded(const Conversion& c, const char* address) {
  const std::size_t dot = c.flags.find('.');
  std::size_t most = longest;
  if (dot != std::string::npos) {
    most = 0;
    std::from_chars(c.flags.data() + dot + 1, c.flags.data() + c.flags.size(), most);
    most = std::min(most, longest);
  }
  std::string text = most == 0 ? std::string() : text_at(address, most);
  const std::string width_text = c.flags.substr(0, dot);
  const std::size_t digits = width_text.find_first_of("123456789");
  std::size_t width = 0;
  if (digits != std::string::npos)
    std::from_chars(width_text.data() + digits, width_text.data() + width_text.size(), width);
  width = std::min(width, longest);
  if (text.size() >= width) return text;
  const std::string blanks(width - text.size(), ' ');
  return width_text.find('-') != std::string::npos ? text + blanks : blanks + text;
}

std::string convert(const Conversion& c, std::va_list* arguments) {
  switch (c.letter) {
    case 'd':
    case 'i':
      return c.longs > 0 ? number_text(c, "ll", static_cast<long long>(va_arg(*arguments, long)))
                         : number_text(c, "", va_arg(*arguments, int));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return c.longs > 0 ? number_text(c, "ll", static_cast<unsigned long long>(va_arg(*arguments, unsigned long)))
                         : number_text(c, "", va_arg(*arguments, unsigned));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return c.long_double ? number_text(c, "L", va_arg(*arguments, long double))
                           : number_text(c, "", va_arg(*arguments, double));
    case 'c':
      return std::string(1, static_cast<char>(va_arg(*arguments, int)));
    case 's':
      return padded(c, va_arg(*arguments, const char*));
    case 'p':
      return number_text(c, "", va_arg(*arguments, void*));
    case 'n':
      (void)va_arg(*arguments, void*);
      return {};
    case '%':
      return "%";
    default:
      return "?";
  }
}

}  // namespace

std::string printf_text(const char* format, std::va_list arguments) {
  if (!format) return {};
  const std::string pattern = text_at(format, longest);
  std::va_list left;
  va_copy(left, arguments);
  std::string text;
  for (std::size_t at = 0; at < pattern.size() && text.size() < longest;) {
    const std::size_t percent = std::min(pattern.find('%', at), pattern.size());
    text += pattern.substr(at, percent - at);
    at = percent;
    if (at >= pattern.size()) break;
    ++at;
    const Conversion conversion = read_conversion(pattern, at, &left);
    if (conversion.letter != '\0') text += convert(conversion, &left);
  }
  va_end(left);
  if (text.size() > longest) text.resize(longest);
  return text;
}

}  // namespace seam::fmi
