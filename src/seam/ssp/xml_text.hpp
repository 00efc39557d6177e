// XML written by hand: elements with attributes, indented.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seam::ssp {

class XmlText {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  /// Attributes that are empty are left out, except `value`.
  void open(std::string_view name, const Attributes& attributes = {});
  void close();
  void single(std::string_view name, const Attributes& attributes = {});
  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view name, const Attributes& attributes);

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> names_;
  std::size_t last_opened_ = 0;  ///< where the text of the last opened element begins
};

}  // namespace seam::ssp
