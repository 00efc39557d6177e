// A system structure description as written: a tree of elements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/load/reach.hpp"
#include "seam/ssp/package.hpp"
#include "seam/ssp/parameters.hpp"

namespace seam::ssp {

/// The file something was written in: what its names, units and sources refer to.
struct File {
  std::shared_ptr<const Package> package;
  std::string name;  ///< in the package
  Definitions definitions;

  /// A source relative to this file, as a name in the package.
  std::string beside(const std::string& source) const;
  /// What a source written in this file names; none after a problem.
  std::optional<load::Reference> refer(const std::string& written, const base::Location& where,
                                       base::Problems& problems) const;
};

enum class Kind {
  input,
  output,
  parameter,
  calculated_parameter,
  structural_parameter,
  constant,
  local,
  inout,
  unspecified
};

struct Connector {
  std::string name;
  Kind kind = Kind::unspecified;
  std::string unit;         ///< empty: not said
  std::string enumeration;  ///< its type, if it is one
  std::vector<std::optional<std::uint64_t>> dimensions;
  base::Location where;
};

/// One end of a connection; no element: a connector of the system itself.
struct End {
  std::optional<std::string> element;
  std::string connector;
  std::vector<std::uint64_t> indices;  ///< counted from 1, one a dimension; empty: all of it
};

/// Start and end say nothing of the direction.
struct Link {
  End start, end;
  system::UnitConversion units = system::UnitConversion::automatic;
  Transformation transformation;
  base::Location where;
};

/// Where something lies that may also be written inline.
struct Origin {
  enum class Base { file, component };
  std::optional<std::string> source;
  Base base = Base::file;
  base::Location where;
};

struct Binding {
  Origin values_origin, mapping_origin;
  std::string prefix;
  std::optional<ParameterSet> values;       ///< if inline
  std::optional<ParameterMapping> mapping;  ///< if inline
  enum class Mapped { no, yes } mapped = Mapped::no;
  std::shared_ptr<const File> file;
  std::shared_ptr<const File> component;  ///< of a component that is a system: where that begins
  base::Location where;
};

struct Dictionary {
  std::string name;
  std::vector<Connector> entries;
  Origin origin;
};

struct Element {
  enum class Form { system, component, dictionary_reference };
  Form form = Form::system;
  std::string name, id;
  std::vector<Connector> connectors;
  std::vector<Binding> bindings;
  std::shared_ptr<const File> file;
  base::Location where;
  // of a system
  std::vector<Element> elements;
  std::vector<Link> links;
  std::vector<Dictionary> dictionaries;
  // of a component
  std::string type, implementation;
  std::optional<std::string> source;
  // of a dictionary reference
  std::string dictionary;

  const Connector* find(const std::string& connector) const;
};

/// By an annotation of another tool.
struct SuggestedStep {
  double step = 0.0;  ///< s
  std::string tool;
};

struct Description {
  std::string version, name, description, generation_tool;
  Element system;
  std::optional<double> start, stop;
  std::optional<SuggestedStep> suggested_step;
  std::shared_ptr<const File> file;
  base::Location where;
};

/// None if nothing can be read at all.
std::optional<Description> read_ssd(const std::shared_ptr<const Package>& package, const std::string& name,
                                    const base::Location& where, base::Problems& problems);

}  // namespace seam::ssp
