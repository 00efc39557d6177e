// Elements of XML by their names without prefix, and what XML Schema calls double, boolean and integer as values; what
// is wrong is a problem at the element.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/xml.hpp"

namespace seam::formats {

/// With any prefix for the namespace.
std::string_view local_name(const XmlElement& element);
std::vector<XmlElement> children(const XmlElement& element, std::string_view name);
std::optional<XmlElement> child(const XmlElement& element, std::string_view name);

/// Empty if it is not there.
std::string text(const XmlElement& element, const char* name);
/// A problem if it is not there.
std::string required(const XmlElement& element, const char* name, base::Problems& problems);
/// xs:double; none if it is not there, or after a problem.
std::optional<double> number(const XmlElement& element, const char* name, base::Problems& problems);
/// xs:boolean; false if it is not there.
bool flag(const XmlElement& element, const char* name, base::Problems& problems);
/// A list of numbers counted from 1.
std::vector<std::uint64_t> indices(const XmlElement& element, const char* name, base::Problems& problems);

/// Without the white space around it.
std::string_view trimmed(std::string_view text);
/// xs:double as text: decimal numbers, INF and NaN.
std::optional<double> read_double(std::string_view text);
std::optional<bool> read_boolean(std::string_view text);
/// xs:int, xs:unsignedInt, …: digits that fit into the type.
template <class Integer = std::int64_t>
std::optional<Integer> read_integer(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Integer integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return integer;
}
/// The items of an XML Schema list: the parts between white space.
std::vector<std::string_view> list_items(std::string_view text);

}  // namespace seam::formats
