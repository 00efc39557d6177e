#include "seam/ssp/xml_text.hpp"

namespace seam::ssp {
namespace {

/// Line ends as references: in an attribute they would be read as blanks.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\r':
        result += "&#13;";
        break;
      case '\t':
        result += "&#9;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

void XmlText::begin(std::string_view name, const Attributes& attributes) {
  text_ += std::string(2 * names_.size(), ' ') + "<" + std::string(name);
  for (const auto& [key, value] : attributes) {
    if (!value.empty() || key == "value") text_ += " " + key + "=\"" + escaped(value) + "\"";
  }
}

void XmlText::open(std::string_view name, const Attributes& attributes) {
  begin(name, attributes);
  text_ += ">\n";
  names_.emplace_back(name);
  last_opened_ = text_.size();
}

void XmlText::close() {
  const std::string name = names_.back();
  names_.pop_back();
  if (text_.size() == last_opened_) {  // nothing is in it
    text_.replace(text_.size() - 2, 2, "/>\n");
    return;
  }
  text_ += std::string(2 * names_.size(), ' ') + "</" + name + ">\n";
}

void XmlText::single(std::string_view name, const Attributes& attributes) {
  begin(name, attributes);
  text_ += "/>\n";
}

}  // namespace seam::ssp
