// The attributes of an element as values of the types XML Schema gives them; what cannot be read is noted and left out.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/fmi/description/notes.hpp"
#include "seam/fmi/description/words.hpp"
#include "seam/formats/xml.hpp"

namespace seam::fmi {

std::string_view without_blanks(std::string_view text);
/// The items of an XML Schema list: parts between white space.
std::vector<std::string_view> list_items(std::string_view text);

/// xs:double: decimal numbers, INF, -INF and NaN.
std::optional<double> read_double(std::string_view text);
/// xs:boolean: true, false, 1, 0.
std::optional<bool> read_boolean(std::string_view text);
/// xs:hexBinary: an even number of hexadecimal digits.
bool is_hexadecimal(std::string_view text);

/// xs:int, xs:unsignedInt, …: digits that fit into the type.
template <class Integer>
std::optional<Integer> read_integer(std::string_view text) {
  text = without_blanks(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Integer integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return integer;
}

class Attributes {
 public:
  /// `defaults`: the type definition to look in for what the element does not say.
  Attributes(const formats::XmlElement& element, Notes& notes, std::optional<formats::XmlElement> defaults = {})
      : element_(element), defaults_(defaults), notes_(notes) {}

  bool has(const char* name) const { return element_.attribute(name).has_value(); }
  /// Empty if it is not there.
  std::string text(const char* name) const;
  /// Noted if it is not there or empty.
  std::string required_text(const char* name) const;
  std::optional<double> number(const char* name) const;
  double number_or(const char* name, double otherwise) const { return number(name).value_or(otherwise); }
  bool flag(const char* name) const;
  std::optional<bool> optional_flag(const char* name) const;

  template <class Integer>
  std::optional<Integer> integer(const char* name) const {
    const std::optional<std::string_view> written = find(name);
    if (!written) return std::nullopt;
    const std::optional<Integer> integer = read_integer<Integer>(*written);
    if (!integer) note_unreadable(name, *written, "a whole number in the range of its type");
    return integer;
  }

  /// A list of value references or indices; none if it is not there or one of them is unreadable.
  std::optional<std::vector<std::uint32_t>> references(const char* name) const;

  template <class Enumerator>
  std::optional<Enumerator> choice(const char* name, const Words<Enumerator>& words) const {
    const std::optional<std::string_view> written = find(name);
    if (!written) return std::nullopt;
    const std::optional<Enumerator> known = from_word(words, *written);
    if (known) return known;
    std::vector<std::string> names;
    for (const auto& [word, enumerator] : words) names.emplace_back(word);
    note_unknown_word(name, *written, names);
    return std::nullopt;
  }

  int line() const { return element_.line(); }

 private:
  std::optional<std::string_view> find(const char* name) const;
  void note_unreadable(const char* name, std::string_view written, std::string_view wanted) const;
  void note_unknown_word(const char* name, std::string_view written, const std::vector<std::string>& known) const;

  formats::XmlElement element_;
  std::optional<formats::XmlElement> defaults_;
  Notes& notes_;
};

}  // namespace seam::fmi
