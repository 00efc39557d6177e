#include "seam/formats/yaml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seam/formats/number.hpp"

namespace seam::formats {
namespace {

constexpr std::size_t widest = 100;

bool reads_as_something_else(std::string_view text) {
  // Words of YAML 1.2 and, for other readers, of YAML 1.1.
  constexpr std::array words{"null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"};
  std::string folded(text);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::ranges::find(words, folded) != words.end()) return true;
  if (folded == ".nan" || folded == ".inf" || folded == "-.inf" || folded == "+.inf") return true;
  // Hexadecimal, octal, digits with underscores, times: every text that starts like a number and has no blank in it.
  const std::size_t length = number_length(text);
  return length == text.size() || (length > 0 && text.find(' ') == std::string_view::npos);
}

bool plain_is_safe(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  constexpr std::string_view never_first = "-?:,[]{}#&*!|>'\"%@`<=";
  if (never_first.find(text.front()) != std::string_view::npos) return false;
  constexpr std::string_view never_inside = ",[]{}\"\\";  // legal in block style, not in flow style
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F || never_inside.find(text[i]) != std::string_view::npos) return false;
    if (text[i] == ':' && i + 1 < text.size() && text[i + 1] == ' ') return false;
    if (text[i] == '#' && i > 0 && text[i - 1] == ' ') return false;
  }
  return !reads_as_something_else(text);
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string real_text(const Value& value) {
  if (!value.writing().empty()) return value.writing();
  if (std::isnan(value.number())) return ".nan";
  if (std::isinf(value.number())) return value.number() > 0 ? ".inf" : "-.inf";
  return number_text(value.number());
}

std::string scalar_text(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return std::to_string(value.integer());
    case Value::Kind::real:
      return real_text(value);
    case Value::Kind::string:
      return yaml_scalar(value.string());
    default:
      return "null";
  }
}

// On one line, or empty if it must not be: an object with entries, or a text that grows too long.
std::string one_line(const Value& value) {
  if (value.is(Value::Kind::object)) return value.entries().empty() ? "{}" : "";
  if (!value.is(Value::Kind::array)) return scalar_text(value);
  std::string text = "[";
  for (const Value& item : value.items()) {
    const std::string part = one_line(item);
    if (part.empty()) return {};
    text += (text.size() > 1 ? ", " : "") + part;
    if (text.size() > widest) return {};
  }
  return text + "]";
}

class Writer {
 public:
  std::string take() { return std::move(text_); }

  // Writes what follows "key:" or "-": on the same line, or indented below it.
  void content(const Value& value, const std::string& comment, std::size_t indent) {
    const std::string line = one_line(value);
    const std::string remark = comment.empty() ? "" : "  # " + one_line_comment(comment);
    if (!line.empty()) {
      text_ += " " + line + remark + "\n";
      return;
    }
    text_ += remark + "\n";
    block(value, indent);
  }

  void block(const Value& value, std::size_t indent) {
    if (value.is(Value::Kind::object)) {
      for (const auto& entry : value.entries()) {
        text_ += std::string(indent, ' ') + yaml_scalar(entry.key) + ":";
        content(entry.value, entry.comment, indent + 2);
      }
      return;
    }
    for (const Value& item : value.items()) {
      text_ += std::string(indent, ' ') + "-";
      if (item.is(Value::Kind::object) && !item.entries().empty()) {
        // The first entry stands behind the dash, the others below it.
        const std::size_t dash = text_.size() - 1;
        text_.resize(dash - indent);
        block(item, indent + 2);
        text_[dash] = '-';
      } else {
        content(item, {}, indent + 2);
      }
    }
  }

 private:
  static std::string one_line_comment(std::string comment) {
    std::ranges::replace(comment, '\n', ' ');
    return comment;
  }

  std::string text_;
};

}  // namespace

std::string yaml_scalar(std::string_view text) { return plain_is_safe(text) ? std::string(text) : quoted(text); }

std::string to_yaml(const Value& value) {
  if (const std::string line = one_line(value); !line.empty()) return line + "\n";
  Writer writer;
  writer.block(value, 0);
  return writer.take();
}

}  // namespace seam::formats
