#include "seam/ssp/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "seam/formats/printable.hpp"

namespace seam::ssp {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool has_scheme(std::string_view text) {
  const std::size_t end = text.find_first_of(":/#?");
  return end != std::string_view::npos && text[end] == ':' && end > 0 && is_letter(text[0]);
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// %20 and the like; none if one is malformed or means a zero byte.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1, low = high >= 0 ? digit(text[i + 2]) : -1;
    if (low < 0 || (high == 0 && low == 0)) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

/// Why the path is refused; empty if it is not. Then `path` has its plain form.
std::string plain_path(std::string text, std::string& path) {
  std::replace(text.begin(), text.end(), '\\', '/');  // some tools write it so
  if (!text.empty() && text.front() == '/') return "is absolute";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return "leads upwards";
    path += (path.empty() ? "" : "/") + part;
  }
  return {};
}

}  // namespace

std::optional<Reference> read_reference(const std::string& written, const base::Location& where,
                                        base::Problems& problems) {
  const auto refuse = [&](std::string_view why) {
    problems.add(where, fmt::format("the source \"{}\" {}", formats::printable(written, 200), why),
                 "sources lie inside the package, below the file that names them: resources/name.fmu");
    return std::nullopt;
  };
  if (has_scheme(written)) return refuse("is an absolute URI; nothing is fetched from elsewhere");
  const std::size_t hash = std::min(written.find('#'), written.size());
  if (written.substr(0, hash).find('?') != std::string::npos) return refuse("has a query; nothing answers it");
  const auto path = decoded(std::string_view(written).substr(0, hash));
  const auto fragment = decoded(std::string_view(written).substr(std::min(hash + 1, written.size())));
  if (!path || !fragment) return refuse("cannot be decoded");
  Reference reference;
  reference.fragment = *fragment;
  const std::string why = plain_path(*path, reference.path);
  if (!why.empty()) return refuse(why);
  return reference;
}

}  // namespace seam::ssp
