#include "seam/fmi/instance/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "seam/formats/encoding.hpp"

namespace seam::fmi {
namespace {

constexpr std::array<std::string_view, 5> status_names{"OK", "Warning", "Discard", "Error", "Fatal"};

std::mutex one_at_a_time;  // for all instances: messages are rare, and a mutex is not small

}  // namespace

std::string harmless(std::string_view text) {
  constexpr std::size_t longest = 1000;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = formats::character_length(text, at);
    if (result.size() + length > longest) return result + "…";
    const std::string_view character = text.substr(at, length);
    if (length == 0) {
      result += '?';
    } else if (formats::is_obeyed(character)) {
      result += ' ';
    } else {
      result += character;
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

Message Messages::add(Severity severity, std::string_view category, std::string_view text) {
  Message message{severity, harmless(category), harmless(text)};
  const std::lock_guard lock(one_at_a_time);
  if (!messages_) messages_ = std::make_unique<std::deque<Message>>();
  if (messages_->size() == kept) messages_->pop_front();
  messages_->push_back(message);
  return message;
}

std::deque<Message> Messages::all() const {
  const std::lock_guard lock(one_at_a_time);
  return messages_ ? *messages_ : std::deque<Message>();
}

std::string Messages::last(std::size_t count) const {
  constexpr std::array words{"ok", "warning", "discard", "error", "fatal"};
  std::string text;
  const std::deque<Message> messages = all();
  const std::size_t first = messages.size() > count ? messages.size() - count : 0;
  for (std::size_t i = first; i < messages.size(); ++i) {
    text += fmt::format("{}[{}] {}\n", i == first ? "   last messages: " : "                  ",
                        words[static_cast<std::size_t>(messages[i].severity)], messages[i].text);
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
    const auto read = closed ? std::from_chars(text.data() + at + 2, last, reference)
                             : std::from_chars_result{last, std::errc::invalid_argument};
    if (read.ec == std::errc() && read.ptr == last) {
      result += name_of(text[at + 1], reference);
      at = end + 1;
    } else {
      result += text[at++];
    }
  }
  return result;
}

void CallLog::write(std::string_view instance, std::string_view function, std::string_view arguments,
                    std::string_view result) {
  const std::string line =
      fmt::format("{} {}({}){}{}", instance, function, arguments, result.empty() ? "" : " -> ", result);
  const std::lock_guard lock(one_at_a_time_);
  sink_(line);
}

std::string_view status_name(Severity severity) { return status_names[static_cast<std::size_t>(severity)]; }

}  // namespace seam::fmi
