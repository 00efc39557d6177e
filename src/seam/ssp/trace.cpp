#include "seam/ssp/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/fmi/description/ports.hpp"
#include "seam/ssp/graph.hpp"

namespace seam::ssp {
namespace {

using system::Port;
using system::UnitConversion;

class Tracer {
 public:
  Tracer(const Graph& graph, const system::SystemDescription& described, Flat& flat, base::Problems& problems)
      : graph_(graph), described_(described), flat_(flat), problems_(problems), paths_(graph, flat, problems) {}

  void connect_all() {
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) {
      const Vertex& vertex = graph_.vertices[v];
      if (!vertex.inbound.empty() && vertex.owner && flat_.leaf(vertex.owner)) connect_sink(static_cast<int>(v));
    }
    keep_order();
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) name_output(static_cast<int>(v));
    for (auto& [vertex, alias] : sinks_behind_) flat_.description.aliases.push_back(std::move(alias));
  }

 private:
  const Vertex& vertex(int index) const { return graph_.vertices[static_cast<std::size_t>(index)]; }
  const system::Subsystem& subsystem(const Vertex& vertex) const {
    return described_.subsystems[static_cast<std::size_t>(flat_.leaf(vertex.owner)->subsystem)];
  }
  const fmi::Variable* variable(const Vertex& vertex) const {
    const Leaf* leaf = flat_.leaf(vertex.owner);
    return leaf && leaf->fmu ? leaf->fmu->description.find(vertex.name) : nullptr;
  }
  /// As the subsystem calls it: an FMU knows aliases.
  std::string own_name(const Vertex& vertex) const {
    const fmi::Variable* known = variable(vertex);
    return known ? known->name : vertex.name;
  }

  void connect_sink(int sink) {
    const Vertex& at = vertex(sink);
    const system::Subsystem& owner = subsystem(at);
    const std::string name = own_name(at);
    bool any = false;
    for (const Port& port : owner.inputs) {
      const auto indices = indices_of(port.name, name);
      if (!indices) continue;
      any = true;
      const Path path = paths_.trace(sink, *indices);
      if (path.ending == Path::Ending::output) add(path, sink, port);
      for (std::size_t i = 0; i < path.edges.size(); ++i) note_passage(path, i, sink, port);
    }
    if (!any) explain_no_input(sink);
  }

  /// Systems whose inputs lead here by the edges from this one on.
  void note_passage(const Path& path, std::size_t edge, int sink, const Port& port) {
    const int index = path.edges[edge]->from;
    const Vertex& at = vertex(index);
    if (!at.owner || at.owner->form != Element::Form::system || !at.connector || !is_inward(at.connector->kind)) return;
    system::PortAlias& alias = sinks_behind_[index];
    alias.name = shown(at, flat_);
    alias.ports.push_back(subsystem(vertex(sink)).name + "." + port.name);
    if (path.ending != Path::Ending::open) return;
    Path rest;
    rest.source = index;
    rest.edges.assign(path.edges.begin() + static_cast<std::ptrdiff_t>(edge), path.edges.end());
    const bool whole = std::ranges::all_of(
        rest.edges, [](const Edge* each) { return each->from_indices.empty() && each->to_indices.empty(); });
    const Indices indices = whole ? *indices_of(port.name, own_name(vertex(sink))) : rest.edges.front()->from_indices;
    system::Connection connection;
    connection.where = rest.edges.back()->link->where;
    connection.from = {with_indices(alias.name, indices), -1, -1, connection.where};
    connection.to = {alias.ports.back(), -1, -1, connection.where};
    Port entry;  // with the unit of the connector
    entry.type = port.type;
    carry_through(rest, entry, port, connection);
    alias.ways.push_back(std::move(connection));
  }

  void explain_no_input(int sink) {
    const Vertex& at = vertex(sink);
    const system::Subsystem& owner = subsystem(at);
    if (owner.inputs.empty() && owner.outputs.empty()) return;  // it could not be opened, and that was said
    const base::Location where = graph_.edges[static_cast<std::size_t>(at.inbound.front())].link->where;
    const fmi::Variable* known = variable(at);
    if (!known) {
      std::vector<std::string> names;
      for (const Port& port : owner.inputs) names.push_back(port.name);
      problems_.add(where, fmt::format("\"{}\" has no input \"{}\"", owner.name, at.name),
                    base::did_you_mean(at.name, names));
      return;
    }
    const Path path = paths_.trace(sink, {});
    if (path.ending != Path::Ending::output) return;  // a parameter of a system: values reach it by bindings
    const bool parameter =
        known->causality == fmi::Causality::parameter || known->causality == fmi::Causality::structural_parameter;
    problems_.add(where,
                  fmt::format("\"{}\" is {} and cannot be fed by \"{}\"", shown(at, flat_),
                              parameter ? "a parameter" : "no input of the FMU", shown(vertex(path.source), flat_)),
                  parameter ? "values computed during initialisation are not passed to parameters" : "");
  }

  /// Null after a problem.
  const Port* find_output(const Path& path) {
    const Vertex& source = vertex(path.source);
    const system::Subsystem& owner = subsystem(source);
    const std::string name = with_indices(own_name(source), path.indices);
    for (const Port& port : owner.outputs) {
      if (port.name == name) return &port;
    }
    if (owner.inputs.empty() && owner.outputs.empty()) return nullptr;
    const base::Location where = path.edges.front()->link->where;
    std::vector<std::string> names;
    for (const Port& port : owner.outputs) names.push_back(port.name);
    const fmi::Variable* known = variable(source);
    problems_.add(
        where, fmt::format("\"{}\" has no output \"{}\"", owner.name, name),
        known ? "the FMU has a variable of this name that is no output, or not of this size: only outputs can be "
                "connected"
              : base::did_you_mean(name, names));
    return nullptr;
  }

  void check_sizes(const Path& path, int sink) {
    const bool whole = std::ranges::all_of(
        path.edges, [](const Edge* edge) { return edge->from_indices.empty() && edge->to_indices.empty(); });
    if (!whole) return;
    const auto count = [&](const Vertex& at, const std::vector<Port>& ports) {
      const std::string name = own_name(at);
      return std::ranges::count_if(ports, [&](const Port& port) { return indices_of(port.name, name).has_value(); });
    };
    const auto sent = count(vertex(path.source), subsystem(vertex(path.source)).outputs);
    const auto taken = count(vertex(sink), subsystem(vertex(sink)).inputs);
    if (sent == taken) return;
    problems_.add(path.edges.back()->link->where,
                  fmt::format("\"{}\" has {} elements, \"{}\" has {}", shown(vertex(path.source), flat_), sent,
                              shown(vertex(sink), flat_), taken));
  }

  void add(const Path& path, int sink, const Port& input) {
    check_sizes(path, sink);
    const Port* output = find_output(path);
    if (!output) return;
    system::Connection connection;
    connection.where = path.edges.back()->link->where;
    connection.from = {subsystem(vertex(path.source)).name + "." + output->name, -1, -1, connection.where};
    connection.to = {subsystem(vertex(sink)).name + "." + input.name, -1, -1, connection.where};
    carry_through(path, *output, input, connection);
    found_.emplace_back(path.edges.back() - graph_.edges.data(), std::move(connection));
  }

  void carry_through(const Path& path, const Port& output, const Port& input, system::Connection& connection) {
    if (output.type == system::PortType::real && input.type == system::PortType::real) {
      transform(path, output, input, connection);
    } else {
      translate(path, connection);
    }
  }

  /// In the order of the file.
  void keep_order() {
    std::ranges::stable_sort(found_, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, connection] : found_) flat_.description.connections.push_back(std::move(connection));
  }

  /// The general case as one gain and offset; what a person would have written where it can be told so.
  void transform(const Path& path, const Port& output, const Port& input, system::Connection& connection) {
    std::vector<Measure> measures{measure(path.source)};
    std::size_t transformed = 0, suppressed = 0, last = 0;
    for (std::size_t i = 0; i < path.edges.size(); ++i) {
      const Link& link = *path.edges[i]->link;
      measures.push_back(measure(path.edges[i]->to));
      if (link.units == UnitConversion::suppressed) ++suppressed;
      if (link.transformation.kind == Transformation::Kind::none) continue;
      ++transformed;
      last = i;
      if (link.transformation.kind != Transformation::Kind::linear)
        problems_.add(link.transformation.where, "a map translates whole numbers, and these are real");
    }
    if (suppressed == 0 && check_measures(path, measures) && transformed <= 1 &&
        (transformed == 0 || stays_from(measures, last + 1))) {
      if (transformed == 1) {
        connection.gain = path.edges[last]->link->transformation.factor;
        connection.offset = path.edges[last]->link->transformation.offset;
      }
      if (name_units(measures, output, input, connection)) return;
    }
    compose(path, measures, connection);
  }

  static bool stays_from(const std::vector<Measure>& measures, std::size_t first) {
    return std::all_of(measures.begin() + static_cast<std::ptrdiff_t>(first), measures.end(),
                       [&](const Measure& m) { return m.name.empty() || m.name == measures.back().name; });
  }

  bool check_measures(const Path& path, const std::vector<Measure>& measures) {
    Measure now = measures.front();
    for (std::size_t i = 1; i < measures.size(); ++i) {
      if (clash(now, measures[i])) {
        problems_.add(path.edges[i - 1]->link->where,
                      fmt::format("\"{}\" is in {}, \"{}\" is in {}: these are not of one dimension",
                                  shown(vertex(path.edges[i - 1]->from), flat_), now.name,
                                  shown(vertex(path.edges[i - 1]->to), flat_), measures[i].name),
                      "suppressUnitConversion=\"true\" takes the numbers as they are");
        return false;
      }
      if (!measures[i].name.empty()) now = measures[i];
    }
    return true;
  }

  /// Units that only the description knows go along with the connection. False if a name means different things in the
  /// files of this package: then the numbers go along.
  bool name_units(const std::vector<Measure>& measures, const Port& output, const Port& input,
                  system::Connection& connection) {
    const std::string from = output.unit.empty() ? measures.front().name : output.unit;
    const std::string to = input.unit.empty() ? measures.back().name : input.unit;
    if ((output.unit == from && input.unit == to) || from.empty() || to.empty()) return true;
    if (from == to) return true;
    if (!measures.front().meaning || !measures.back().meaning) {
      flat_.description.notices.push_back(
          fmt::format("\"{}\" is in {}, \"{}\" is in {}: one of these units is not known, and nothing is converted",
                      connection.from.text, from, connection.to.text, to));
      return true;
    }
    if (!define(from, measures.front()) || !define(to, measures.back())) return false;
    connection.from_unit = from;
    connection.to_unit = to;
    return true;
  }

  /// Whether the name means this everywhere.
  bool define(const std::string& name, const Measure& measure) {
    auto& units = flat_.description.units;
    const auto usual = system::parse_unit(name);
    const auto known = std::ranges::find(units, name, &system::UnitDefinition::name);
    if (known != units.end()) return system::same_meaning(known->unit, *measure.meaning);
    if (usual && system::same_meaning(*usual, *measure.meaning)) return true;
    units.push_back({name, *measure.meaning});
    return true;
  }

  void compose(const Path& path, const std::vector<Measure>& measures, system::Connection& connection) {
    Measure now = measures.front();
    double gain = 1.0, offset = 0.0;
    const system::Quantity sent = measures.front().quantity, taken = measures.back().quantity;
    const bool differences = sent == system::Quantity::difference && taken == sent;
    bool shifted = false;
    for (std::size_t i = 0; i < path.edges.size(); ++i) {
      const Link& link = *path.edges[i]->link;
      const Measure& next = measures[i + 1];
      if (link.units != UnitConversion::suppressed) {
        if (const auto unit = conversion_between(now, next)) {
          gain *= unit->gain;
          offset = unit->gain * offset + (differences ? 0.0 : unit->offset);
          shifted = shifted || unit->offset != 0.0;
        }
      }
      if (!next.name.empty() || link.units == UnitConversion::suppressed) now = next;
      gain *= link.transformation.factor;
      offset = link.transformation.factor * offset + link.transformation.offset;
    }
    if (shifted && sent != taken)
      problems_.add(connection.where,
                    fmt::format("one of \"{}\" and \"{}\" is a difference (relativeQuantity), the other is not",
                                connection.from.text, connection.to.text),
                    "suppressUnitConversion=\"true\" takes the numbers as they are");
    connection.units = UnitConversion::suppressed;
    connection.gain = gain;
    connection.offset = offset;
  }

  void translate(const Path& path, system::Connection& connection) {
    for (const Edge* edge : path.edges) {
      const Transformation& transformation = edge->link->transformation;
      if (transformation.kind == Transformation::Kind::linear) {
        connection.gain *= transformation.factor;
        connection.offset = transformation.factor * connection.offset + transformation.offset;
        continue;
      }
      const auto from = enumeration(edge->from), to = enumeration(edge->to);
      connection.map =
          composed(connection.map, read_table(transformation, from ? &*from : nullptr, to ? &*to : nullptr, problems_));
    }
  }

  std::optional<Enumeration> enumeration(int index) const {
    const Vertex& at = vertex(index);
    if (at.connector && !at.connector->enumeration.empty() && at.file) {
      if (const Enumeration* known = at.file->definitions.enumeration(at.connector->enumeration)) return *known;
    }
    const fmi::Variable* known = at.owner ? variable(at) : nullptr;
    if (!known || known->items.empty()) return std::nullopt;
    Enumeration items{known->name, {}};
    for (const fmi::EnumerationItem& item : known->items) items.items.emplace_back(item.name, item.value);
    return items;
  }

  Measure measure(int index) {
    const Vertex& at = vertex(index);
    Measure own = measure_of(at, flat_);
    if (!at.connector || at.connector->unit.empty() || own.name == at.connector->unit) return own;
    const Measure said{at.connector->unit, at.file->definitions.unit(at.connector->unit), own.quantity};
    if (!own.meaning || !said.meaning || system::same_meaning(*own.meaning, *said.meaning)) return own;
    if (system::same_dimension(*own.meaning, *said.meaning)) {
      problems_.mended(at.connector->where,
                       "units of connectors that are not those of the FMU's variables, which count",
                       fmt::format("{} ({} instead of {})", shown(at, flat_), own.name, said.name));
    } else {
      problems_.add(at.connector->where,
                    fmt::format("the connector \"{}\" is said to be in {}, and the FMU has it in {}", shown(at, flat_),
                                said.name, own.name),
                    "the unit of a component's connector is the unit of the FMU's variable");
    }
    return own;
  }

  /// A connector of a system that values leave by is another name for the output behind it.
  void name_output(int index) {
    const Vertex& at = vertex(index);
    if (!at.owner || at.owner->form != Element::Form::system || !at.connector || at.inbound.empty()) return;
    if (is_inward(at.connector->kind)) return;
    base::Problems said_before;
    std::swap(said_before, problems_);
    const Path path = paths_.trace(index, {});
    const Port* output = path.ending == Path::Ending::output ? find_output(path) : nullptr;
    std::swap(said_before, problems_);
    if (output)
      flat_.description.aliases.push_back(
          {shown(at, flat_), {subsystem(vertex(path.source)).name + "." + output->name}});
  }

  const Graph& graph_;
  const system::SystemDescription& described_;
  Flat& flat_;
  base::Problems& problems_;
  Paths paths_;
  std::vector<std::pair<std::ptrdiff_t, system::Connection>> found_;  ///< by the edge at the sink
  std::map<int, system::PortAlias> sinks_behind_;                     ///< by the connector of a system
};

}  // namespace

Measure measure_of(const Vertex& vertex, const Flat& flat) {
  const Leaf* leaf = vertex.owner ? flat.leaf(vertex.owner) : nullptr;
  const fmi::Variable* variable = leaf && leaf->fmu ? leaf->fmu->description.find(vertex.name) : nullptr;
  if (variable && !variable->unit.empty())
    return {variable->unit, fmi::unit_meaning(leaf->fmu->description, variable->unit),
            variable->relative_quantity ? system::Quantity::difference : system::Quantity::absolute};
  if (!vertex.connector || vertex.connector->unit.empty()) return {};
  return {vertex.connector->unit, vertex.file->definitions.unit(vertex.connector->unit), system::Quantity::absolute};
}

void connect(const Graph& graph, const system::SystemDescription& described, Flat& flat, base::Problems& problems) {
  Tracer(graph, described, flat, problems).connect_all();
}

}  // namespace seam::ssp
