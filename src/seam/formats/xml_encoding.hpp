// The bytes of an XML file as UTF-8, from every encoding that is supported.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace seam::formats {

/// By byte order mark, by the look of the first bytes, or by the XML declaration; without a byte order mark.
/// None, with the reason, if the encoding is not one of UTF-8, UTF-16 and ISO-8859-1, or if UTF-16 is broken.
std::optional<std::string> xml_as_utf8(std::string bytes, std::string& reason);

/// Writes one Unicode scalar value.
void append_utf8(std::string& text, char32_t character);

}  // namespace seam::formats
