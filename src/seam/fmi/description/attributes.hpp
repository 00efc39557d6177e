// The attributes of an element as values of the types XML Schema gives them; what cannot be read is noted and left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/fmi/description/notes.hpp"
#include "seam/fmi/description/words.hpp"
#include "seam/formats/xml_values.hpp"

namespace seam::fmi {

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
  std::optional<double> number(const char* name) const { return value(name, "a number", formats::read_double); }
  double number_or(const char* name, double otherwise) const { return number(name).value_or(otherwise); }
  bool flag(const char* name) const { return optional_flag(name).value_or(false); }
  std::optional<bool> optional_flag(const char* name) const {
    return value(name, "true or false", formats::read_boolean);
  }
  template <class Integer>
  std::optional<Integer> integer(const char* name) const {
    return value(name, "a whole number in the range of its type", formats::read_integer<Integer>);
  }

  /// A list of value references or indices; none if it is not there or one of them is unreadable.
  std::optional<std::vector<std::uint32_t>> references(const char* name) const;

  template <class Enumerator>
  std::optional<Enumerator> choice(const char* name) const {
    const std::optional<std::string_view> written = find(name);
    if (!written) return std::nullopt;
    const std::optional<Enumerator> known = from_word<Enumerator>(*written);
    if (!known) note_unknown_word(name, *written, {words_of<Enumerator>.begin(), words_of<Enumerator>.end()});
    return known;
  }

  int line() const { return element_.line(); }

 private:
  /// What `read` makes of the attribute; noted if it is there and cannot be read.
  template <class Value>
  std::optional<Value> value(const char* name, std::string_view wanted,
                             std::optional<Value> (*read)(std::string_view)) const {
    const std::optional<std::string_view> written = find(name);
    if (!written) return std::nullopt;
    const std::optional<Value> result = read(*written);
    if (!result) note_unreadable(name, *written, wanted);
    return result;
  }
  std::optional<std::string_view> find(const char* name) const;
  void note_unreadable(const char* name, std::string_view written, std::string_view wanted) const;
  void note_unknown_word(const char* name, std::string_view written, const std::vector<std::string>& known) const;

  formats::XmlElement element_;
  std::optional<formats::XmlElement> defaults_;
  Notes& notes_;
};

}  // namespace seam::fmi
