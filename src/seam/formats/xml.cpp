#include "seam/formats/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "seam/formats/encoding.hpp"
#include "seam/formats/xml_encoding.hpp"

namespace seam::formats {

struct XmlContent {
  std::string text;                    ///< parsed in place: the tree points into it
  std::vector<std::size_t> line_ends;  ///< offsets, from before it was parsed
  std::shared_ptr<const base::Source> source;
  pugi::xml_document tree;

  base::Location locate(std::ptrdiff_t offset) const {
    if (offset < 0) return {source, 0, 0, 1};
    const auto at = static_cast<std::size_t>(offset);
    const auto end = std::ranges::lower_bound(line_ends, at);
    const std::size_t start = end == line_ends.begin() ? 0 : *(end - 1) + 1;
    return {source, static_cast<int>(end - line_ends.begin()) + 1, static_cast<int>(at - start) + 1, 1};
  }
};

namespace {

constexpr std::size_t largest_shown_text = std::size_t{1} << 20;  // problems in larger texts show no excerpt

// A numeric reference must name a character that text can hold: pugixml would pass anything on, and end a text at a
// zero. Returns where the first bad one is.
std::optional<std::size_t> find_bad_reference(std::string_view text) {
  for (std::size_t at = text.find("&#"); at != std::string_view::npos; at = text.find("&#", at + 2)) {
    const bool hexadecimal = at + 2 < text.size() && text[at + 2] == 'x';
    const char* first = text.data() + at + (hexadecimal ? 3 : 2);
    const char* last = text.data() + std::min(text.size(), text.find(';', at));
    std::uint32_t character = 0;
    const auto [end, error] = std::from_chars(first, last, character, hexadecimal ? 16 : 10);
    const bool readable = error == std::errc{} && end == last && first < last;
    if (!readable || character == 0 || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) return at;
  }
  return std::nullopt;
}

/// Goes through the tree without recursion and stops at the first thing that is not allowed.
class Inspector : public pugi::xml_tree_walker {
 public:
  Inspector(const XmlContent& content, base::Problems& problems, const XmlLimits& limits)
      : content_(content), problems_(problems), limits_(limits) {}

  bool for_each(pugi::xml_node& node) override {
    if (node.type() == pugi::node_doctype && std::string_view(node.value()).find("ENTITY") != std::string_view::npos) {
      problems_.add({content_.source, 0, 0, 1}, "the document type declares entities; they are never expanded",
                    "remove the <!DOCTYPE …> from the file");
      return false;
    }
    if (node.type() != pugi::node_element) return true;
    if (static_cast<std::size_t>(depth()) >= limits_.depth) {
      problems_.add(content_.locate(node.offset_debug()),
                    fmt::format("elements are nested more than {} deep", limits_.depth));
      return false;
    }
    return attributes_are_sound(node);
  }

 private:
  bool attributes_are_sound(const pugi::xml_node& node) {
    names_.clear();
    for (const pugi::xml_attribute attribute : node.attributes()) {
      if (std::string_view(attribute.value()).size() > limits_.attribute_bytes)
        return refuse(node, attribute.name(), "too long");
      names_.emplace_back(attribute.name());
    }
    std::ranges::sort(names_);
    const auto twice = std::ranges::adjacent_find(names_);
    return twice == names_.end() || refuse(node, *twice, "given twice");
  }
  bool refuse(const pugi::xml_node& node, std::string_view attribute, const char* what) {
    problems_.add(content_.locate(node.offset_debug()),
                  fmt::format("the attribute {} of <{}> is {}", printable(attribute), printable(node.name()), what));
    return false;
  }

  const XmlContent& content_;
  base::Problems& problems_;
  const XmlLimits& limits_;
  std::vector<std::string_view> names_;
};

// Size, characters and references of the text; none if something is wrong with it.
std::unique_ptr<XmlContent> checked_text(std::string bytes, const std::string& source_name, base::Problems& problems,
                                         const XmlLimits& limits) {
  const auto no_lines = std::make_shared<base::Source>(base::Source{source_name, {}});
  const auto refuse = [&](std::string what, std::string mend = {}) {
    problems.add({no_lines, 0, 0, 1}, std::move(what), std::move(mend));
    return nullptr;
  };
  if (bytes.empty()) return refuse("the file is empty");
  if (bytes.size() > limits.bytes) return refuse(fmt::format("it is larger than {} bytes", limits.bytes));
  std::string reason;
  std::optional<std::string> text = xml_as_utf8(std::move(bytes), reason);
  if (!text) return refuse(reason, "save it as UTF-8");
  const auto marks = std::ranges::count_if(*text, [](char c) { return c == '<' || c == '='; });
  if (static_cast<std::size_t>(marks) > limits.marks) {
    return refuse(fmt::format("it has more than {} elements and attributes", limits.marks));
  }
  auto content = std::make_unique<XmlContent>();
  content->source = text->size() > largest_shown_text ? no_lines : make_source(source_name, *text);
  content->text = std::move(*text);
  for (std::size_t at = content->text.find('\n'); at != std::string::npos; at = content->text.find('\n', at + 1)) {
    content->line_ends.push_back(at);
  }
  if (const auto bad = find_bad_byte(content->text)) {
    problems.add(content->locate(static_cast<std::ptrdiff_t>(bad->offset)), bad->what);
    return nullptr;
  }
  if (const auto bad = find_bad_reference(content->text)) {
    problems.add(content->locate(static_cast<std::ptrdiff_t>(*bad)), "this reference names no character");
    return nullptr;
  }
  return content;
}

}  // namespace

std::string_view XmlElement::name() const { return pugi::xml_node(node_).name(); }

std::optional<std::string_view> XmlElement::attribute(const char* name) const {
  const pugi::xml_attribute found = pugi::xml_node(node_).attribute(name);
  return found ? std::optional<std::string_view>(found.value()) : std::nullopt;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> found;
  for (const pugi::xml_node node : pugi::xml_node(node_).children()) {
    if (node.type() == pugi::node_element) found.emplace_back(content_, node.internal_object());
  }
  return found;
}

std::vector<XmlElement> XmlElement::children(const char* name) const {
  std::vector<XmlElement> found;
  for (const pugi::xml_node node : pugi::xml_node(node_).children(name)) {
    found.emplace_back(content_, node.internal_object());
  }
  return found;
}

std::optional<XmlElement> XmlElement::child(const char* name) const {
  const pugi::xml_node found = pugi::xml_node(node_).child(name);
  return found ? std::optional(XmlElement(content_, found.internal_object())) : std::nullopt;
}

std::string_view XmlElement::content() const {
  const std::string_view text = pugi::xml_node(node_).child_value();
  constexpr std::string_view white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(white);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(white) - first + 1);
}

int XmlElement::line() const { return where().line; }

base::Location XmlElement::where() const {
  base::Location place = content_->locate(pugi::xml_node(node_).offset_debug());
  place.length = static_cast<int>(name().size());
  return place;
}

XmlDocument::XmlDocument(std::unique_ptr<XmlContent> content) : content_(std::move(content)) {}
XmlDocument::~XmlDocument() = default;
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;

XmlElement XmlDocument::root() const { return {content_.get(), content_->tree.document_element().internal_object()}; }

std::optional<XmlDocument> read_xml(std::string bytes, const std::string& source_name, base::Problems& problems,
                                    const XmlLimits& limits) {
  std::unique_ptr<XmlContent> content = checked_text(std::move(bytes), source_name, problems, limits);
  if (!content) return std::nullopt;
  const pugi::xml_parse_result parsed = content->tree.load_buffer_inplace(
      content->text.data(), content->text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!parsed) {
    problems.add(content->locate(parsed.offset), fmt::format("this is not well-formed XML: {}", parsed.description()));
    return std::nullopt;
  }
  Inspector inspector(*content, problems, limits);
  if (!content->tree.traverse(inspector)) return std::nullopt;
  const auto roots = content->tree.children();
  const auto is_element = [](const pugi::xml_node& node) { return node.type() == pugi::node_element; };
  if (std::ranges::count_if(roots, is_element) != 1) {
    problems.add({content->source, 0, 0, 1}, "this is not XML: there must be exactly one outermost element");
    return std::nullopt;
  }
  return XmlDocument(std::move(content));
}

}  // namespace seam::formats
