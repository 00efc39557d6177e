// What an FMU gives FMI 2's variadic logger: a format, and arguments that need not fit it.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstring>
#include <string>
#include <string_view>

#include "fuzz/harness.hpp"
#include "seam/fmi/instance/messages.hpp"
#include "seam/fmi/instance/printf_text.hpp"
#include "seam/formats/encoding.hpp"

namespace seam::fuzz {
namespace {

// Reading more arguments than there are is the FMU's fault, and a sanitizer would say so: never more than are given.
constexpr std::size_t most_conversions = 12;

std::string formatted(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::string text = fmi::printf_text(format, arguments);
  va_end(arguments);
  return text;
}

/// Words that a conversion may take for a number, a text or an address: what the input says, and a text of its own.
std::array<std::uint64_t, 8> words_from(std::string_view bytes, const std::string& text) {
  std::array<std::uint64_t, 8> words{};
  std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), sizeof words));
  for (std::uint64_t& word : words) {
    if (word % 3 == 0) word = reinterpret_cast<std::uintptr_t>(text.c_str());
  }
  return words;
}

std::string formatted(const std::string& format, const std::array<std::uint64_t, 8>& w) {
  std::array<double, 8> d{};
  std::memcpy(d.data(), w.data(), sizeof d);
  // A long double takes two words and may skip one.
  return formatted(format.c_str(), d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], w[0], w[1], w[2], w[3], w[4], w[5],
                   w[6], w[7], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[0], w[1], w[2], w[3], w[4], w[5], w[6],
                   w[7], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7],
                   w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

void log(std::string_view bytes) {
  const std::size_t arguments = std::min<std::size_t>(bytes.size(), 64);
  const std::string format(bytes.substr(arguments));
  const auto takes = std::count_if(format.begin(), format.end(), [](char c) { return c == '%' || c == '*'; });
  if (static_cast<std::size_t>(takes) > most_conversions) return;
  const std::string text = formatted(format, words_from(bytes.substr(0, arguments), format));
  must(text.size() <= 4096, "a message is bounded");
  const std::string named = fmi::expand_references(text, [](char type, unsigned) { return std::string(1, type); });
  fmi::Messages messages;
  messages.add(fmi::Severity::error, format, named);
  const std::string kept = messages.all().back().text;
  must(!formats::find_bad_byte(kept), "a message that is kept is harmless text");
  must(messages.last().size() < 1100, "what is shown with an error is short");
}

}  // namespace
}  // namespace seam::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  seam::fuzz::log({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
