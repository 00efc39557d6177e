#include "seam/fmi/description/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "seam/base/names.hpp"
#include "seam/formats/encoding.hpp"
#include "seam/formats/number.hpp"

namespace seam::fmi {
namespace {

constexpr std::string_view white = " \t\r\n";

// A type definition's text is copied into every variable of the type: a long one would be a bomb, and is no unit.
constexpr std::size_t longest_default = 100;

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::vector<std::string_view> list_items(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t at = text.find_first_not_of(white); at != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(white, at);
    items.push_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(white, end);
  }
  return items;
}

std::optional<double> read_double(std::string_view text) {
  text = without_blanks(text);
  if (text == "INF" || text == "+INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const formats::NumberRead read = formats::read_number(text);
  return read.reading == formats::Reading::number ? std::optional(read.number) : std::nullopt;
}

std::optional<bool> read_boolean(std::string_view text) {
  text = without_blanks(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

bool is_hexadecimal(std::string_view text) {
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), is_digit);
}

std::optional<std::string_view> Attributes::find(const char* name) const {
  std::optional<std::string_view> written = element_.attribute(name);
  if (written || !defaults_) return written;
  written = defaults_->attribute(name);
  return written && written->size() <= longest_default ? written : std::nullopt;
}

std::string Attributes::text(const char* name) const { return std::string(find(name).value_or("")); }

std::string Attributes::required_text(const char* name) const {
  std::string written = text(name);
  if (written.empty()) {
    notes_.error(line(), fmt::format("<{}> needs the attribute {}", element_.name(), name));
  }
  return written;
}

std::optional<double> Attributes::number(const char* name) const {
  const std::optional<std::string_view> written = find(name);
  if (!written) return std::nullopt;
  const std::optional<double> number = read_double(*written);
  if (!number) note_unreadable(name, *written, "a number");
  return number;
}

bool Attributes::flag(const char* name) const { return optional_flag(name).value_or(false); }

std::optional<bool> Attributes::optional_flag(const char* name) const {
  const std::optional<std::string_view> written = find(name);
  if (!written) return std::nullopt;
  const std::optional<bool> flag = read_boolean(*written);
  if (!flag) note_unreadable(name, *written, "true or false");
  return flag;
}

std::optional<std::vector<std::uint32_t>> Attributes::references(const char* name) const {
  const std::optional<std::string_view> written = find(name);
  if (!written) return std::nullopt;
  std::vector<std::uint32_t> references;
  for (const std::string_view item : list_items(*written)) {
    const std::optional<std::uint32_t> reference = read_integer<std::uint32_t>(item);
    if (!reference) {
      note_unreadable(name, item, "a whole number that is not negative");
      return std::nullopt;
    }
    references.push_back(*reference);
  }
  return references;
}

void Attributes::note_unreadable(const char* name, std::string_view written, std::string_view wanted) const {
  notes_.error(line(), fmt::format("{} of <{}> is {}, which is not {}", name, formats::printable(element_.name(), 60),
                                   in_quotes(written), wanted));
}

void Attributes::note_unknown_word(const char* name, std::string_view written,
                                   const std::vector<std::string>& known) const {
  const std::string mend = base::did_you_mean(written, known);
  notes_.error(line(), fmt::format("{} of <{}> is {}, which the standard does not know; {}", name,
                                   formats::printable(element_.name(), 60), in_quotes(written), mend));
}

}  // namespace seam::fmi
