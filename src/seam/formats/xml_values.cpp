#include "seam/formats/xml_values.hpp"

#include <fmt/format.h>

#include <limits>

#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"

namespace seam::formats {
namespace {

constexpr std::string_view white = " \t\r\n";

void unreadable(const XmlElement& element, const char* name, std::string_view wanted, base::Problems& problems) {
  problems.add(element.where(), fmt::format("{} of <{}> must be {}, and it is \"{}\"", name, local_name(element),
                                            wanted, printable(text(element, name), 60)));
}

}  // namespace

std::string_view local_name(const XmlElement& element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::vector<XmlElement> children(const XmlElement& element, std::string_view name) {
  std::vector<XmlElement> found;
  for (const XmlElement& each : element.children()) {
    if (local_name(each) == name) found.push_back(each);
  }
  return found;
}

std::optional<XmlElement> child(const XmlElement& element, std::string_view name) {
  for (const XmlElement& each : element.children()) {
    if (local_name(each) == name) return each;
  }
  return std::nullopt;
}

std::string text(const XmlElement& element, const char* name) {
  return std::string(element.attribute(name).value_or(""));
}

std::string required(const XmlElement& element, const char* name, base::Problems& problems) {
  std::string found = text(element, name);
  if (found.empty())
    problems.add(element.where(), fmt::format("<{}> needs the attribute {}", local_name(element), name));
  return found;
}

std::optional<double> number(const XmlElement& element, const char* name, base::Problems& problems) {
  const auto written = element.attribute(name);
  if (!written) return std::nullopt;
  const auto read = read_double(*written);
  if (read && *read - *read == 0.0) return read;
  unreadable(element, name, "a finite number", problems);
  return std::nullopt;
}

bool flag(const XmlElement& element, const char* name, base::Problems& problems) {
  const auto written = element.attribute(name);
  if (!written) return false;
  const auto read = read_boolean(*written);
  if (!read) unreadable(element, name, "true or false", problems);
  return read.value_or(false);
}

std::vector<std::uint64_t> indices(const XmlElement& element, const char* name, base::Problems& problems) {
  std::vector<std::uint64_t> found;
  for (const std::string_view item : list_items(element.attribute(name).value_or(""))) {
    const auto index = read_integer(item);
    if (index && *index >= 1) {
      found.push_back(static_cast<std::uint64_t>(*index));
      continue;
    }
    unreadable(element, name, "a list of indices counted from 1", problems);
    return {};
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::optional<double> read_double(std::string_view text) {
  text = trimmed(text);
  if (text == "INF" || text == "+INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const NumberRead read = read_number(text);
  return read.reading == Reading::number ? std::optional(read.number) : std::nullopt;
}

std::optional<bool> read_boolean(std::string_view text) {
  text = trimmed(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::vector<std::string_view> list_items(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t at = text.find_first_not_of(white); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(white, at), text.size());
    items.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(white, end);
  }
  return items;
}

}  // namespace seam::formats
