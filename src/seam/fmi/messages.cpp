#include "seam/fmi/messages.hpp"

#include <algorithm>
#include <charconv>

namespace seam::fmi {
namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::ok: return "ok";
    case Severity::warning: return "warning";
    case Severity::discard: return "discard";
    case Severity::error: return "error";
    case Severity::fatal: return "fatal";
  }
  return "";
}

}  // namespace

std::string harmless(std::string_view text) {
  constexpr std::size_t longest = 1000;
  std::string result(text.substr(0, longest));
  std::replace_if(result.begin(), result.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  if (text.size() > longest) result += "…";
  return result;
}

void Messages::add(Severity severity, std::string_view category, std::string_view text) {
  if (messages_.size() == kept) messages_.pop_front();
  messages_.push_back({severity, harmless(category), harmless(text)});
}

std::string Messages::last(std::size_t count) const {
  std::string text;
  const std::size_t first = messages_.size() > count ? messages_.size() - count : 0;
  for (std::size_t i = first; i < messages_.size(); ++i) {
    text += std::string(i == first ? "   last messages: " : "                  ") + "[" + word(messages_[i].severity) + "] " + messages_[i].text + "\n";
  }
  return text;
}

std::string expand_references(std::string_view text, const std::function<std::string(char, unsigned)>& name_of) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '#') {
      result += text[at++];
      continue;
    }
    if (at + 1 < text.size() && text[at + 1] == '#') {
      result += '#';
      at += 2;
      continue;
    }
    const std::size_t end = text.find('#', at + 1);
    unsigned reference = 0;
    const bool closed = end != std::string_view::npos && end > at + 2;
    const char* last = text.data() + (closed ? end : at);
    if (closed && std::from_chars(text.data() + at + 2, last, reference).ptr == last) {
      result += name_of(text[at + 1], reference);
      at = end + 1;
    } else {
      result += text[at++];
    }
  }
  return result;
}

}  // namespace seam::fmi
