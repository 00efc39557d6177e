#include "seam/fmi/instance/printf_text.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
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

/// One conversion: what stands between % and its letter, stars resolved.
struct Conversion {
  std::string flags;
  std::optional<std::size_t> width, precision;
  int longs = 0;  ///< l: 1, ll: 2, z, t and j: 2
  bool long_double = false;
  char letter = '\0';
};

/// Reads one conversion that begins behind %; `at` is left behind its letter.
class ConversionReader {
 public:
  ConversionReader(std::string_view format, std::size_t& at, std::va_list* arguments)
      : format_(format), at_(at), arguments_(arguments) {}

  Conversion read() {
    for (; is_one_of("-+ #0"); ++at_) add_flag(format_[at_]);
    if (is_one_of("*0123456789")) conversion_.width = read_size(Negative::is_left_justified);
    if (is_one_of(".")) {
      ++at_;
      conversion_.precision = read_size(Negative::is_missing);
    }
    for (; is_one_of("hlLqjzt"); ++at_) add_length(format_[at_]);
    if (at_ < format_.size()) conversion_.letter = format_[at_++];
    return std::move(conversion_);
  }

 private:
  enum class Negative { is_left_justified, is_missing };  // what a negative star means

  bool is_one_of(std::string_view letters) const {
    return at_ < format_.size() && letters.find(format_[at_]) != std::string_view::npos;
  }

  void add_flag(char flag) {
    if (conversion_.flags.find(flag) == std::string::npos) conversion_.flags += flag;
  }

  void add_length(char letter) {
    if (letter == 'l') ++conversion_.longs;
    if (letter == 'q' || letter == 'j' || letter == 'z' || letter == 't') conversion_.longs = 2;
    if (letter == 'L') conversion_.long_double = true;
  }

  // A number or a star, never more than a text may have.
  std::optional<std::size_t> read_size(Negative negative) {
    if (is_one_of("*")) {
      ++at_;
      const long long given = va_arg(*arguments_, int);
      if (given < 0 && negative == Negative::is_missing) return std::nullopt;
      if (given < 0) add_flag('-');
      return std::min(static_cast<std::size_t>(given < 0 ? -given : given), longest);
    }
    std::size_t size = 0;
    for (; is_one_of("0123456789"); ++at_) {
      size = std::min(10 * size + static_cast<std::size_t>(format_[at_] - '0'), longest);
    }
    return size;
  }

  std::string_view format_;
  std::size_t& at_;
  std::va_list* arguments_;
  Conversion conversion_;
};

// printf would count the blanks of any width one by one and allocate for every digit of a precision: both are cut.
template <class Number>
std::string number_text(const Conversion& c, const char* modifier, Number number) {
  constexpr std::size_t widest = 200;
  std::string format = "%" + c.flags;
  if (c.width) format += std::to_string(std::min(*c.width, widest));
  if (c.precision) format += "." + std::to_string(std::min(*c.precision, widest));
  format += modifier;
  format += c.letter;
  std::array<char, 512> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), number);
  if (length < 0) return "?";
  return {buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1)};
}

/// A string with its width and precision; with a precision no more than that is read, for it may have no end.
std::string padded(const Conversion& c, const char* address) {
  const std::size_t most = c.precision.value_or(longest);
  const std::string text = most == 0 ? std::string() : text_at(address, most);
  const std::size_t width = c.width.value_or(0);
  if (text.size() >= width) return text;
  const std::string blanks(width - text.size(), ' ');
  return c.flags.find('-') != std::string::npos ? text + blanks : blanks + text;
}

std::string convert(const Conversion& c, std::va_list* arguments) {
  const auto is_one_of = [&](std::string_view letters) { return letters.find(c.letter) != std::string_view::npos; };
  if (is_one_of("di"))
    return c.longs > 0 ? number_text(c, "ll", static_cast<long long>(va_arg(*arguments, long)))
                       : number_text(c, "", va_arg(*arguments, int));
  if (is_one_of("uxXo"))
    return c.longs > 0 ? number_text(c, "ll", static_cast<unsigned long long>(va_arg(*arguments, unsigned long)))
                       : number_text(c, "", va_arg(*arguments, unsigned));
  if (is_one_of("fFeEgGaA"))
    return c.long_double ? number_text(c, "L", va_arg(*arguments, long double))
                         : number_text(c, "", va_arg(*arguments, double));
  if (c.letter == 'c') return std::string(1, static_cast<char>(va_arg(*arguments, int)));
  if (c.letter == 's') return padded(c, va_arg(*arguments, const char*));
  if (c.letter == 'p') return number_text(c, "", va_arg(*arguments, void*));
  if (c.letter == 'n') (void)va_arg(*arguments, void*);
  if (c.letter == 'n') return {};
  return c.letter == '%' ? "%" : "?";
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
    const Conversion conversion = ConversionReader(pattern, at, &left).read();
    if (conversion.letter != '\0') text += convert(conversion, &left);
  }
  va_end(left);
  if (text.size() > longest) text.resize(longest);
  return text;
}

}  // namespace seam::fmi
