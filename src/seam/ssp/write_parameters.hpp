// The settings of an FMU as a parameter set, and XML as it is written: elements with attributes, indented.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/fmi/description/model_description.hpp"
#include "seam/system/description.hpp"

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

/// Of the XML Schema: types and arrays that only version 2.0 has.
enum class Version { ssp1, ssp2 };

Version version_needed(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu);

/// <ssv:ParameterSet> with the units it uses.
void write_parameter_set(const system::Subsystem& subsystem, const fmi::ModelDescription& fmu, XmlText& xml);

/// <ssc:Unit>.
void write_unit(const std::string& name, const system::Unit& unit, XmlText& xml);

}  // namespace seam::ssp
