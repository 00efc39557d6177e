#include "seam/ssp/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "seam/fmi/description/ports.hpp"
#include "seam/formats/xml_values.hpp"
#include "seam/load/reach.hpp"
#include "seam/ssp/carry.hpp"
#include "seam/ssp/trace.hpp"

namespace seam::ssp {
namespace {

using system::UnitConversion;
using system::Value;

/// A parameter under the name it is applied by, and what the mapping does to it.
struct Application {
  std::string name;
  Carried carried;
  UnitConversion units = UnitConversion::automatic;
  Transformation transformation;
  base::Location where;
  base::Location mapping = {};  ///< of a mapped one
};

std::string with_unit(const Value& value, const std::string& unit) { return value.text + " " + unit; }

class Binder {
 public:
  Binder(const Graph& graph, Flat& flat, base::Problems& problems) : graph_(graph), flat_(flat), problems_(problems) {}

  /// Lower levels first, so that higher ones replace them.
  void visit(const Element& element) {
    for (const Element& inner : element.elements) visit(inner);
    for (const Binding& binding : element.bindings) apply(element, binding);
  }

 private:
  void apply(const Element& element, const Binding& binding) {
    const auto set = values_of(element, binding);
    if (!set) return;
    std::vector<std::string> unused;
    for (const Application& application : applications(element, binding, *set)) {
      if (reach(element, application.name, application) > 0) continue;
      if (binding.mapped == Binding::Mapped::yes) {
        problems_.mended(application.where, "mapping entries whose target does not exist left out", application.name);
      } else {
        unused.push_back(application.name);
      }
    }
    if (unused.empty()) return;
    constexpr std::size_t most = 5;  // a set may be made for many systems
    const std::size_t count = unused.size();
    if (count > most) unused.resize(most);
    flat_.description.notices.push_back(
        fmt::format("{}:{}: {} of {} values fit nothing in \"{}\" and are not used: {}{}",
                    binding.where.source ? binding.where.source->name : "", binding.where.line, count,
                    set->parameters.size(), element.name, fmt::join(unused, ", "), count > most ? ", …" : ""));
  }

  // ---- where values and mappings come from

  /// The text of a source and how to call it; none after a problem.
  std::optional<std::pair<std::string, std::string>> read_source(const Element& element, const Binding& binding,
                                                                 const Origin& origin) {
    const bool inside = origin.base == Origin::Base::component;
    const File& file = inside && binding.component ? *binding.component : *binding.file;
    const auto reference = inside && !binding.component
                               ? load::read_reference(*origin.source, {}, origin.where, problems_)
                               : file.refer(*origin.source, origin.where, problems_);
    if (!reference) return std::nullopt;
    if (!inside || binding.component) return read_beside(file, reference->path, origin);
    const Leaf* leaf = flat_.leaf(&element);
    if (!leaf || !leaf->fmu) {
      problems_.add(origin.where, "sourceBase=\"component\" is for components with a source");
      return std::nullopt;
    }
    auto bytes = read_inside(leaf->fmu->path, reference->path, origin.where, problems_);
    if (!bytes) return std::nullopt;
    return std::pair{std::move(*bytes), flat_.paths[&element] + "/" + reference->path};
  }

  std::optional<std::pair<std::string, std::string>> read_beside(const File& file, const std::string& path,
                                                                 const Origin& origin) {
    const std::string name = file.beside(path);
    auto bytes = file.package->read(name, origin.where, problems_);
    if (!bytes) return std::nullopt;
    return std::pair{std::move(*bytes), file.package->shown(name)};
  }

  std::optional<formats::XmlDocument> read_document(const Element& element, const Binding& binding,
                                                    const Origin& origin, std::string_view root) {
    auto source = read_source(element, binding, origin);
    if (!source) return std::nullopt;
    auto document = formats::read_xml(std::move(source->first), source->second, problems_);
    if (!document || local_name(document->root()) == root) return document;
    problems_.add(document->root().where(), fmt::format("the root of this file must be <{}>", root));
    return std::nullopt;
  }

  std::optional<ParameterSet> values_of(const Element& element, const Binding& binding) {
    if (binding.values) return binding.values;
    if (!binding.values_origin.source) return std::nullopt;
    const auto document = read_document(element, binding, binding.values_origin, "ParameterSet");
    return document ? std::optional(read_parameter_set(document->root(), problems_)) : std::nullopt;
  }

  std::optional<ParameterMapping> mapping_of(const Element& element, const Binding& binding) {
    if (binding.mapping) return binding.mapping;
    if (!binding.mapping_origin.source) return std::nullopt;
    const auto document = read_document(element, binding, binding.mapping_origin, "ParameterMapping");
    return document ? std::optional(read_parameter_mapping(document->root(), problems_)) : std::nullopt;
  }

  /// The prefix first, then the mapping.
  std::vector<Application> applications(const Element& element, const Binding& binding, const ParameterSet& set) {
    std::vector<Application> result;
    std::optional<ParameterMapping> mapping;
    if (binding.mapped == Binding::Mapped::yes) {
      mapping = mapping_of(element, binding);
      if (!mapping) return result;
    }
    for (const Parameter& parameter : set.parameters) {
      Application application;
      application.name = binding.prefix + parameter.name;
      application.where = parameter.where;
      application.carried.value = parameter.value;
      application.carried.measure = {parameter.unit, set.definitions.unit(parameter.unit)};
      items_to_numbers(parameter, set.definitions, application);
      if (!mapping) {
        result.push_back(std::move(application));
        continue;
      }
      for (const MappingEntry& entry : *mapping) {
        if (entry.source != application.name) continue;
        Application mapped = application;
        mapped.name = entry.target;
        mapped.units = entry.units;
        mapped.transformation = entry.transformation;
        mapped.where = mapped.mapping = entry.where;
        result.push_back(std::move(mapped));
      }
    }
    return result;
  }

  /// An item of an enumeration is sent by its name; variables that are no enumerations take its number.
  void items_to_numbers(const Parameter& parameter, const Definitions& definitions, Application& application) {
    const Enumeration* known = definitions.enumeration(parameter.enumeration);
    if (!known || application.carried.value.kind != Value::Kind::text) return;
    for (const auto& [name, number] : known->items) {
      if (name == application.carried.value.text) application.carried.item = number;
    }
  }

  // ---- where they go to

  /// A value that a connector of a system passes on is what its connection means: a value that is bound to the variable
  /// behind it cannot differ from it.
  enum class Way { direct, connected };

  /// How many variables the value reached. Several may have one name, and all are meant.
  int reach(const Element& element, const std::string& name, const Application& application) {
    if (element.form == Element::Form::component) return set(element, name, application, Way::direct) ? 1 : 0;
    int reached = 0;
    const int vertex = element.form == Element::Form::system && element.find(name) ? graph_.find(&element, name) : -1;
    if (vertex >= 0) {
      Carried carried = application.carried;
      carry(carried, measure_of(at(vertex), flat_), application.units, application.transformation, problems_);
      mapping_ = application.mapping;
      reached += std::max(1, spread(vertex, carried, 0));
    }
    for (const Element& inner : element.elements) {
      const std::string prefix = inner.name + ".";
      if (name.compare(0, prefix.size(), prefix) == 0) reached += reach(inner, name.substr(prefix.size()), application);
    }
    return reached;
  }

  const Vertex& at(int vertex) const { return graph_.vertices[static_cast<std::size_t>(vertex)]; }

  /// From a connector of a system to the variables behind it.
  int spread(int vertex, const Carried& carried, int depth) {
    constexpr int deepest = 64;            // connections may go round; that is said where they are traced
    constexpr std::size_t most = 100'000;  // and fan out at every level
    if (++passed_ == most)
      problems_.add(carried.value.where, "the parameters of systems lead to too many places to follow");
    if (depth > deepest || passed_ > most) return 0;
    const Vertex& here = at(vertex);
    const bool inward = here.connector && is_inward(here.connector->kind);
    int reached = 0;
    if (!inward) return backwards(vertex, carried);
    for (const int index : here.outbound) {
      const Edge& edge = graph_.edges[static_cast<std::size_t>(index)];
      if (!edge.from_indices.empty() || !edge.to_indices.empty()) continue;  // elements cannot be set one by one
      Carried next = carried;
      carry(next, measure_of(at(edge.to), flat_), edge.link->units, edge.link->transformation, problems_);
      const Element* owner = at(edge.to).owner;
      if (!owner) continue;
      if (owner->form == Element::Form::component) {
        const Application through{{}, next, UnitConversion::automatic, {}, next.value.where, mapping_};
        reached += set(*owner, at(edge.to).name, through, Way::connected) ? 1 : 0;
      } else {
        reached += spread(edge.to, next, depth + 1);
      }
    }
    return reached;
  }

  /// A start value for an output of a system is one for the output behind it, if nothing is changed on the way.
  int backwards(int vertex, const Carried& carried) {
    for (int steps = 0; steps < 64 && at(vertex).inbound.size() == 1; ++steps) {
      const Edge& edge = graph_.edges[static_cast<std::size_t>(at(vertex).inbound.front())];
      const Element* owner = at(edge.from).owner;
      if (!owner || edge.link->transformation.kind != Transformation::Kind::none) return 0;
      if (owner->form == Element::Form::component)
        return set(*owner, at(edge.from).name,
                   {{}, carried, UnitConversion::automatic, {}, carried.value.where, mapping_}, Way::direct)
                   ? 1
                   : 0;
      vertex = edge.from;
    }
    return 0;
  }

  bool set(const Element& component, const std::string& name, const Application& application, Way way) {
    const Leaf* leaf = flat_.leaf(&component);
    const fmi::Variable* variable = leaf && leaf->fmu ? leaf->fmu->description.find(name) : nullptr;
    if (!variable) return false;
    const std::pair target{leaf->subsystem, variable->name};
    if (way == Way::connected) {
      connected_.insert(target);
    } else if (connected_.contains(target)) {
      say_unused(*leaf, *variable, application);
      return true;
    }
    system::Setting setting{variable->name, landed(*leaf, *variable, application), application.where,
                            application.mapping};
    auto& settings = flat_.description.subsystems[static_cast<std::size_t>(leaf->subsystem)].set;
    std::erase_if(settings, [&](const system::Setting& other) { return other.name == setting.name; });
    settings.push_back(std::move(setting));
    return true;
  }

  void say_unused(const Leaf& leaf, const fmi::Variable& variable, const Application& application) {
    flat_.description.notices.push_back(
        fmt::format("{}:{}: the value of {}.{} is not used, since a parameter of its system is connected to it",
                    application.where.source ? application.where.source->name : "", application.where.line,
                    flat_.description.subsystems[static_cast<std::size_t>(leaf.subsystem)].name, variable.name));
  }

  /// In the variable's own unit; with the unit as written if the table of units has it, so that it can be read again.
  Value landed(const Leaf& leaf, const fmi::Variable& variable, const Application& application) {
    Carried carried = application.carried;
    const Measure own{variable.unit, fmi::unit_meaning(leaf.fmu->description, variable.unit),
                      variable.relative_quantity ? system::Quantity::difference : system::Quantity::absolute};
    const auto is_usual = [](const Measure& measure) {
      const auto usual = system::parse_unit(measure.name);
      return usual && measure.meaning && system::same_meaning(*usual, *measure.meaning);
    };
    const bool untouched =
        application.units == UnitConversion::automatic && application.transformation.kind == Transformation::Kind::none;
    if (untouched && is_usual(own) && is_usual(carried.measure) && !clash(carried.measure, own)) {
      if (carried.value.kind == Value::Kind::number) {
        carried.value.unit = carried.measure.name;
        carried.value.text = with_unit(carried.value, carried.measure.name);
        return carried.value;
      }
    }
    carry(carried, own, application.units, application.transformation, problems_);
    const bool takes_names = variable.type == fmi::Type::enumeration || variable.type == fmi::Type::string;
    if (carried.item && !takes_names) {
      carried.value.kind = Value::Kind::number;
      carried.value.number = static_cast<double>(*carried.item);
      carried.value.text = std::to_string(*carried.item);
    }
    return carried.value;
  }

  const Graph& graph_;
  Flat& flat_;
  base::Problems& problems_;
  base::Location mapping_;                           ///< of the parameter that is being spread
  std::set<std::pair<int, std::string>> connected_;  ///< variables that got their value through a connection
  std::size_t passed_ = 0;                           ///< connectors on the way of parameters of systems
};

}  // namespace

void bind(const Element& root, const Graph& graph, Flat& flat, base::Problems& problems) {
  Binder(graph, flat, problems).visit(root);
}

}  // namespace seam::ssp
