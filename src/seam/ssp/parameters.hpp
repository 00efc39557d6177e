// Parameter sets (SSV) and their mappings (SSM) as written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/formats/xml.hpp"
#include "seam/system/description.hpp"

namespace seam::ssp {

struct Enumeration {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> items;
};

/// Units and enumerations count in the file that defines them.
struct Definitions {
  std::vector<system::UnitDefinition> units;
  std::vector<Enumeration> enumerations;

  /// As the file defines it, else as the table of units does.
  std::optional<system::Unit> unit(const std::string& name) const;
  const Enumeration* enumeration(const std::string& name) const;
};

/// What happens to a value on its way.
struct Transformation {
  enum class Kind { none, linear, boolean_map, integer_map, enumeration_map };
  Kind kind = Kind::none;
  double factor = 1.0, offset = 0.0;
  std::vector<std::pair<std::string, std::string>> entries;  ///< of a map, as written
  base::Location where;
};

struct Parameter {
  std::string name;
  system::Value value;  ///< without its unit
  std::string unit;
  std::string enumeration;  ///< the type of an enumeration's item; empty: not said
  base::Location where;
};

struct ParameterSet {
  Definitions definitions;
  std::vector<Parameter> parameters;
};

struct MappingEntry {
  std::string source, target;
  system::UnitConversion units = system::UnitConversion::automatic;
  Transformation transformation;
  base::Location where;
};
using ParameterMapping = std::vector<MappingEntry>;

Definitions read_definitions(const formats::XmlElement& root, base::Problems& problems);
Transformation read_transformation(const formats::XmlElement& element, base::Problems& problems);
ParameterSet read_parameter_set(const formats::XmlElement& root, base::Problems& problems);
ParameterMapping read_parameter_mapping(const formats::XmlElement& root, base::Problems& problems);

}  // namespace seam::ssp
