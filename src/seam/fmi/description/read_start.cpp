#include "seam/fmi/description/read_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/fmi/description/values.hpp"

namespace seam::fmi {
namespace {

using formats::XmlElement;

bool is_text(Type type) { return type == Type::string || type == Type::binary; }

// FMI 2: one value in the attribute. FMI 3: a list in it, but one <Start value> each for strings and binaries.
std::vector<std::string> written_starts(const XmlElement& typed, Type type, Version version) {
  std::vector<std::string> texts;
  if (version == Version::fmi3 && is_text(type)) {
    for (const XmlElement& child : typed.children("Start")) texts.emplace_back(child.attribute("value").value_or(""));
    return texts;
  }
  const std::optional<std::string_view> written = typed.attribute("start");
  if (!written) return texts;
  if (version == Version::fmi2) {
    texts.emplace_back(type == Type::string ? *written : without_blanks(*written));
  } else {
    const std::vector<std::string_view> items = list_items(*written);
    texts.assign(items.begin(), items.end());
  }
  return texts;
}

// Why the texts are no values of the type, or empty.
std::string unreadable(Type type, Version version, const std::vector<std::string>& texts) {
  if (type == Type::binary) {
    const auto bad =
        std::find_if_not(texts.begin(), texts.end(), [](const std::string& text) { return is_hexadecimal(text); });
    return bad == texts.end() ? std::string{} : fmt::format("{} is not hexadecimal", in_quotes(*bad));
  }
  if (type == Type::string) return {};
  for (const std::string& text : texts) {
    std::string reason;
    if (!parse_values(type, {text}, reason))
      return fmt::format("{} is no {}", in_quotes(text), type_word(type, version));
  }
  return {};
}

}  // namespace

void read_start(Draft& draft, const XmlElement& typed, Variable& variable) {
  const Version version = draft.description.version;
  const auto refuse = [&](std::string_view reason) {
    draft.notes.error(typed.line(), fmt::format("variable {}: start {}", in_quotes(variable.name), reason));
    variable.start.clear();
    variable.start_readable = false;
  };
  if (version == Version::fmi3 && typed.attribute("start") && is_text(variable.type)) {
    return refuse("of strings and binaries is written as <Start value=\"…\"/>");
  }
  variable.start = written_starts(typed, variable.type, version);
  const bool is_empty_list = variable.start.empty() && typed.attribute("start");
  if (is_empty_list || variable.type == Type::clock) {
    if (typed.attribute("start")) refuse(is_empty_list ? "is empty" : "must not be given for a clock");
    return;
  }
  if (!draft.budget.take(Budget::start * variable.start.size())) return refuse("has too many elements");
  const std::string reason = unreadable(variable.type, version, variable.start);
  if (!reason.empty()) refuse(reason);
}

}  // namespace seam::fmi
