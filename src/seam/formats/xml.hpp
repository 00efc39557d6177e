// XML as a read-only tree that knows its lines. A stranger's text: no entity is ever expanded but the five of XML.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seam/base/problem.hpp"

namespace pugi {
struct xml_node_struct;
}

namespace seam::formats {

struct XmlContent;

/// A look at one element; valid as long as its document.
class XmlElement {
 public:
  XmlElement(const XmlContent* content, pugi::xml_node_struct* node) : content_(content), node_(node) {}

  std::string_view name() const;
  /// The value of an attribute, references replaced and white space characters as blanks; none if it is not there.
  std::optional<std::string_view> attribute(const char* name) const;
  /// The elements directly below, in the order of the text: all of them, or those of one name.
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(const char* name) const;
  std::optional<XmlElement> child(const char* name) const;
  /// The text directly inside, up to the first element; without the white space around it.
  std::string_view content() const;

  int line() const;
  base::Location where() const;

 private:
  const XmlContent* content_;
  pugi::xml_node_struct* node_;
};

class XmlDocument {
 public:
  explicit XmlDocument(std::unique_ptr<XmlContent> content);
  ~XmlDocument();
  XmlDocument(XmlDocument&&) noexcept;
  XmlDocument& operator=(XmlDocument&&) noexcept;

  XmlElement root() const;

 private:
  std::unique_ptr<XmlContent> content_;
};

struct XmlLimits {
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t depth = 64;
  std::size_t attribute_bytes = std::size_t{32} << 20;
  std::size_t marks = std::size_t{16} << 20;  ///< `<` and `=` together: what the tree costs in memory
};

/// UTF-8, UTF-16 and ISO-8859-1. None after a problem: a declared entity, a zero byte, text that is not well-formed,
/// or more than the limits allow.
std::optional<XmlDocument> read_xml(std::string bytes, const std::string& source_name, base::Problems& problems,
                                    const XmlLimits& limits = {});

}  // namespace seam::formats
