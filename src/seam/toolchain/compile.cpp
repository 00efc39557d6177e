#include "seam/toolchain/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "seam/fmi/description/notes.hpp"

namespace seam::toolchain {
namespace {

Words split(std::string_view text) {
  Words words;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(" \t\n", begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

Words from_environment(const char* variable, const char* otherwise) {
  const char* const value = std::getenv(variable);
  Words words = split(value ? value : "");
  return words.empty() ? Words{otherwise} : words;
}

// GNU's dialects: sources of FMUs use M_PI and the like, whatever language they say they are in.
constexpr std::array<std::pair<std::string_view, const char*>, 16> dialects{{{"C", ""},
                                                                             {"C89", "-std=gnu89"},
                                                                             {"C90", "-std=gnu90"},
                                                                             {"C99", "-std=gnu99"},
                                                                             {"C11", "-std=gnu11"},
                                                                             {"C17", "-std=gnu17"},
                                                                             {"C18", "-std=gnu18"},
                                                                             {"C23", "-std=gnu2x"},
                                                                             {"C++", ""},
                                                                             {"C++98", "-std=gnu++98"},
                                                                             {"C++03", "-std=gnu++03"},
                                                                             {"C++11", "-std=gnu++11"},
                                                                             {"C++14", "-std=gnu++14"},
                                                                             {"C++17", "-std=gnu++17"},
                                                                             {"C++20", "-std=gnu++20"},
                                                                             {"C++23", "-std=gnu++23"}}};

bool is_plain(std::string_view text, std::string_view besides) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           besides.find(c) != std::string_view::npos;
  });
}

/// Options that name files, run programs or talk to the linker are a stranger's way into the system: they never pass.
bool is_harmless(std::string_view option) {
  if (option == "-pthread" || option == "-g" || option == "-ansi") return true;
  if (option.size() < 3 || option[0] != '-') return false;
  const std::string_view rest = option.substr(2);
  switch (option[1]) {
    case 'O':
      return is_plain(rest, "");
    case 'f':
      return is_plain(rest, "") ||
             ((rest.starts_with("fp-contract=") || rest.starts_with("visibility=")) && is_plain(rest, "="));
    case 'm':
      return is_plain(rest, "=.+");
    case 's':
      return option.starts_with("-std=") && is_plain(rest, "=+");
    case 'W':
      return is_plain(rest, "=");  // no comma: -Wl, -Wa, and -Wp, hand words on
    case 'D':
    case 'U':
      return true;  // one word, whatever it holds
    default:
      return false;
  }
}

bool is_meant_for_us(std::string_view compiler) {
  return compiler.empty() || compiler.find("gcc") != std::string_view::npos ||
         compiler.find("GCC") != std::string_view::npos || compiler.find("lang") != std::string_view::npos;
}

}  // namespace

Compilers compilers_of_environment() { return {from_environment("CC", "cc"), from_environment("CXX", "c++")}; }

Language Dialect::of(const std::string& file) const {
  if (!by_name) return set;
  return file.ends_with(".c") ? Language::c : Language::cxx;
}

std::optional<Dialect> dialect_of(const fmi::SourceSet& set, const base::Location& where, base::Problems& problems) {
  Dialect dialect;
  const bool meant_for_us = is_meant_for_us(set.compiler);
  for (const std::string& option : split(set.options))
    (meant_for_us && is_harmless(option) ? dialect.options : dialect.left).push_back(option);
  if (set.language.empty()) return dialect;
  const auto known = std::ranges::find_if(dialects, [&](const auto& d) { return d.first == set.language; });
  if (known == dialects.end()) {
    problems.add(where, fmt::format("sources in {} cannot be compiled; C and C++ can", fmi::in_quotes(set.language)));
    return std::nullopt;
  }
  dialect.by_name = false;
  dialect.set = set.language.starts_with("C++") ? Language::cxx : Language::c;
  dialect.standard = known->second;
  return dialect;
}

// Every name of the FMU follows "./": it can be no option and no @file. FMI's prefix of the functions is for sources
// that are linked into something larger; a library has none.
Words words_to_compile(const Compilation& compilation) {
  const std::string sources = "./sources/";
  Words words{"-O2", "-fPIC", "-w"};
  if (!compilation.dialect.standard.empty()) words.push_back(compilation.dialect.standard);
  words.insert(words.end(), compilation.dialect.options.begin(), compilation.dialect.options.end());
  words.emplace_back(compilation.version == fmi::Version::fmi2 ? "-DFMI2_OVERRIDE_FUNCTION_PREFIX"
                                                               : "-DFMI3_OVERRIDE_FUNCTION_PREFIX");
  for (const fmi::Definition& definition : compilation.set.definitions)
    words.push_back("-D" + definition.name + (definition.value ? "=" + *definition.value : ""));
  words.push_back("-I" + sources);
  for (const std::string& folder : compilation.set.include_folders) words.push_back("-I" + sources + folder);
  words.push_back("-I" + compilation.headers.string());
  words.insert(words.end(), {"-c", sources + compilation.file, "-o", compilation.object.string()});
  return words;
}

}  // namespace seam::toolchain
