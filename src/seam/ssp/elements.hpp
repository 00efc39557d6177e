// Elements of the standard's XML by their names without prefix, and attributes as values; what is wrong is a problem at
// the element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/xml.hpp"

namespace seam::ssp {

/// Whatever prefix a file chose for the namespace.
std::string_view local_name(const formats::XmlElement& element);
std::vector<formats::XmlElement> children(const formats::XmlElement& element, std::string_view name);
std::optional<formats::XmlElement> child(const formats::XmlElement& element, std::string_view name);

/// Empty if it is not there.
std::string text(const formats::XmlElement& element, const char* name);
/// A problem if it is not there.
std::string required(const formats::XmlElement& element, const char* name, base::Problems& problems);
/// xs:double; none if it is not there, or after a problem.
std::optional<double> number(const formats::XmlElement& element, const char* name, base::Problems& problems);
/// xs:boolean; false if it is not there.
bool flag(const formats::XmlElement& element, const char* name, base::Problems& problems);
/// A list of numbers counted from 1.
std::vector<std::uint64_t> indices(const formats::XmlElement& element, const char* name, base::Problems& problems);

/// xs:double as text: decimal numbers, INF and NaN.
std::optional<double> read_double(std::string_view text);
std::optional<bool> read_boolean(std::string_view text);
std::optional<std::int64_t> read_integer(std::string_view text);
/// The parts between white space.
std::vector<std::string> list_items(std::string_view text);

}  // namespace seam::ssp
