#include "seam/load/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "seam/formats/encoding.hpp"

namespace seam::load {
namespace {

namespace fs = std::filesystem;

constexpr const char* outside = "files outside the folder of the file (--allow-path DIR silences this)";

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

/// The parts between single `/`.
std::string plain_path(const std::string& text) {
  std::string path;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (!part.empty() && part != ".") path += (path.empty() ? "" : "/") + part;
  }
  return path;
}

/// `file:///a/b` is the path /a/b.
std::string without_file_scheme(const std::string& written) {
  for (const std::string_view begin : {"file:///", "file://localhost/", "file:/"}) {
    if (written.compare(0, begin.size(), begin) == 0) return written.substr(begin.size() - 1);
  }
  return written;
}

/// Why the path is refused; empty if it is not. Then `path` has the form that a reference has, and `is_elsewhere` says
/// whether it is read by exception.
std::string settle(std::string text, const Reach& reach, std::string& path, bool& is_elsewhere) {
  std::ranges::replace(text, '\\', '/');  // some tools write it so
  if (stays_below(text)) {
    path = plain_path(text);
    return {};
  }
  const bool absolute = text.front() == '/';
  if (!absolute && reach.folder.empty()) return "leads upwards, out of the package";
  const std::string place = (std::filesystem::path(reach.folder) / text).lexically_normal().string();
  const bool refused = reach.folder.empty() || reach.elsewhere == Elsewhere::refused;
  is_elsewhere = !lies_in(place, reach.opened);
  if (is_elsewhere && refused) return absolute ? "is absolute" : "leads upwards";
  path = std::filesystem::absolute(place).string();
  return {};
}

}  // namespace

bool stays_below(const std::string& written) {
  const fs::path path(written);
  if (path.is_absolute()) return false;
  return std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

bool lies_in(const std::string& file, const std::vector<std::string>& folders) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  if (error) return false;
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
    const fs::path inside = error ? fs::path() : real.lexically_relative(root);
    return !inside.empty() && *inside.begin() != "..";
  });
}

bool may_be_read(const std::string& written, const Reach& reach, const base::Location& where,
                 base::Problems& problems) {
  if (stays_below(written) || lies_in((fs::path(reach.folder) / written).string(), reach.opened)) return true;
  if (reach.elsewhere == Elsewhere::refused) return false;
  problems.mended(where, outside, formats::printable(written));
  return true;
}

std::string why_no_file(const std::string& written) {
  // the scheme of proxyfmu, and that of its predecessor
  if (!written.starts_with("proxyfmu:") && !written.starts_with("fmu-proxy:")) return {};
  return "is an address of proxyfmu, which runs FMUs in processes of its own and is not started here";
}

std::optional<Reference> read_reference(const std::string& written, const Reach& reach, const base::Location& where,
                                        base::Problems& problems) {
  const auto refuse = [&](std::string_view why) {
    problems.add(where, fmt::format("the source \"{}\" {}", formats::printable(written, 200), why),
                 fmt::format("sources lie below the file that names them (resources/name.fmu); {}", how_to_reach));
    return std::nullopt;
  };
  if (const std::string why = why_no_file(written); !why.empty()) {
    problems.add(where, fmt::format("the source \"{}\" {}", formats::printable(written, 200), why),
                 "write the path of the FMU itself");
    return std::nullopt;
  }
  const std::string plain = without_file_scheme(written);
  if (has_scheme(plain)) return refuse("is an absolute URI; nothing is fetched from elsewhere");
  const std::size_t hash = std::min(plain.find('#'), plain.size());
  if (plain.substr(0, hash).find('?') != std::string::npos) return refuse("has a query; nothing answers it");
  const auto path = decoded(std::string_view(plain).substr(0, hash));
  const auto fragment = decoded(std::string_view(plain).substr(std::min(hash + 1, plain.size())));
  if (!path || !fragment) return refuse("cannot be decoded");
  Reference reference;
  reference.fragment = *fragment;
  bool is_elsewhere = false;
  const std::string why = settle(*path, reach, reference.path, is_elsewhere);
  if (!why.empty()) return refuse(why);
  if (is_elsewhere) problems.mended(where, outside, formats::printable(written));
  return reference;
}

}  // namespace seam::load
