#include "seam/ssp/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "seam/base/names.hpp"
#include "seam/formats/xml_values.hpp"

namespace seam::ssp {
namespace {

/// What an end does to the connection it is at.
enum class Role { gives, takes, either };

Role opposite(Role role) {
  if (role == Role::either) return role;
  return role == Role::gives ? Role::takes : Role::gives;
}

/// Seen from outside.
Role role_of(Kind kind) {
  if (kind == Kind::inout || kind == Kind::unspecified) return Role::either;
  return is_inward(kind) ? Role::takes : Role::gives;
}

Kind kind_of(const fmi::Variable& variable) {
  using fmi::Causality;
  switch (variable.causality) {
    case Causality::input:
      return Kind::input;
    case Causality::output:
      return Kind::output;
    case Causality::parameter:
      return Kind::parameter;
    case Causality::structural_parameter:
      return Kind::structural_parameter;
    case Causality::calculated_parameter:
      return Kind::calculated_parameter;
    default:
      return Kind::local;
  }
}

struct FoundEnd {
  int vertex = -1;
  Role role = Role::either;
};

class Builder {
 public:
  Builder(const Flat& flat, Graph& graph, base::Problems& problems) : flat_(flat), graph_(graph), problems_(problems) {}

  void visit(const Element& system) {
    parents_.push_back(&system);
    for (const Connector& connector : system.connectors) add_connector(system, connector);
    for (const Element& inner : system.elements) {
      if (inner.form != Element::Form::dictionary_reference) {
        for (const Connector& connector : inner.connectors) add_connector(inner, connector);
      }
      if (inner.form == Element::Form::system) visit(inner);
    }
    for (const Link& link : system.links) add_link(system, link);
    parents_.pop_back();
  }

  /// Links between ends that could do either follow what the others decided.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto open = open_.begin(); open != open_.end();) {
        const bool from_start = !graph_.vertices[static_cast<std::size_t>(open->from)].inbound.empty();
        const bool from_end = !graph_.vertices[static_cast<std::size_t>(open->to)].inbound.empty();
        if (from_start == from_end) {
          ++open;
          continue;
        }
        if (from_end) {
          std::swap(open->from, open->to);
          std::swap(open->from_indices, open->to_indices);
        }
        join(*open);
        open = open_.erase(open);
        changed = true;
      }
    }
    for (const Edge& edge : open_) {
      problems_.add(edge.link->where,
                    fmt::format("nothing says in which direction values flow between \"{}\" and \"{}\"",
                                shown(graph_.vertices[static_cast<std::size_t>(edge.from)], flat_),
                                shown(graph_.vertices[static_cast<std::size_t>(edge.to)], flat_)),
                    "give one of the connectors the kind input or output");
    }
  }

 private:
  int add_connector(const Element& owner, const Connector& connector) {
    const int known = graph_.find(&owner, connector.name);
    return known >= 0 ? known : graph_.make(&owner, {&owner, &connector, owner.file.get(), connector.name, {}, {}});
  }

  void join(const Edge& edge) {
    const int index = static_cast<int>(graph_.edges.size());
    graph_.edges.push_back(edge);
    graph_.vertices[static_cast<std::size_t>(edge.from)].outbound.push_back(index);
    graph_.vertices[static_cast<std::size_t>(edge.to)].inbound.push_back(index);
  }

  void add_link(const Element& system, const Link& link) {
    const auto start = find(system, link.start, link), end = find(system, link.end, link);
    if (!start || !end) return;
    Role first = start->role, second = end->role;
    if (first == Role::either) first = opposite(second);
    if (second == Role::either) second = opposite(first);
    Edge edge{start->vertex, end->vertex, link.start.indices, link.end.indices, &link};
    if (first == Role::either) {
      open_.push_back(std::move(edge));
    } else if (first == second) {
      const char* const both = first == Role::gives ? "give values here, and none takes one" : "take values here";
      problems_.add(
          link.where,
          fmt::format("\"{}\" and \"{}\" both {}", shown(graph_.vertices[static_cast<std::size_t>(edge.from)], flat_),
                      shown(graph_.vertices[static_cast<std::size_t>(edge.to)], flat_), both),
          "the kinds of the connectors decide the direction: an output of an element feeds an input of "
          "another, or an output of the system; an input of the system feeds inputs of elements");
    } else {
      if (first == Role::takes) {
        std::swap(edge.from, edge.to);
        std::swap(edge.from_indices, edge.to_indices);
      }
      join(edge);
    }
  }

  std::optional<FoundEnd> find(const Element& system, const End& end, const Link& link) {
    if (!end.element) {
      const Connector* connector = system.find(end.connector);
      if (connector) return FoundEnd{add_connector(system, *connector), opposite(role_of(connector->kind))};
      unknown_connector(system, end, link);
      return std::nullopt;
    }
    const auto found = std::ranges::find(system.elements, *end.element, &Element::name);
    if (found == system.elements.end()) {
      std::vector<std::string> names;
      for (const Element& element : system.elements) names.push_back(element.name);
      problems_.add(link.where, fmt::format("there is no element \"{}\" in this system", *end.element),
                    base::did_you_mean(*end.element, names));
      return std::nullopt;
    }
    if (found->form == Element::Form::dictionary_reference) return find_entry(*found, end, link);
    if (const Connector* connector = found->find(end.connector))
      return FoundEnd{add_connector(*found, *connector), role_of(connector->kind)};
    return find_unlisted(*found, end, link);
  }

  /// A connector that the description forgets, and the FMU has.
  std::optional<FoundEnd> find_unlisted(const Element& element, const End& end, const Link& link) {
    const Leaf* leaf = flat_.leaf(&element);
    const fmi::Variable* variable = leaf && leaf->fmu ? leaf->fmu->description.find(end.connector) : nullptr;
    if (!variable) {
      unknown_connector(element, end, link);
      return std::nullopt;
    }
    int vertex = graph_.find(&element, end.connector);
    if (vertex < 0) vertex = graph_.make(&element, {&element, nullptr, element.file.get(), end.connector, {}, {}});
    return FoundEnd{vertex, role_of(kind_of(*variable))};
  }

  std::optional<FoundEnd> find_entry(const Element& reference, const End& end, const Link& link) {
    const Dictionary* dictionary = nullptr;
    for (auto parent = parents_.rbegin(); parent != parents_.rend() && !dictionary; ++parent) {
      for (const Dictionary& each : (*parent)->dictionaries) {
        if (each.name == reference.dictionary) dictionary = &each;
      }
    }
    if (!dictionary) {
      problems_.add(reference.where, fmt::format("there is no signal dictionary \"{}\"", reference.dictionary));
      return std::nullopt;
    }
    const auto entry = std::ranges::find(dictionary->entries, end.connector, &Connector::name);
    if (entry == dictionary->entries.end()) {
      std::vector<std::string> names;
      for (const Connector& each : dictionary->entries) names.push_back(each.name);
      problems_.add(link.where,
                    fmt::format("the signal dictionary \"{}\" has no entry \"{}\"", dictionary->name, end.connector),
                    base::did_you_mean(end.connector, names));
      return std::nullopt;
    }
    int vertex = graph_.find(dictionary, end.connector);
    if (vertex < 0) vertex = graph_.make(dictionary, {nullptr, &*entry, reference.file.get(), end.connector, {}, {}});
    const Connector* connector = reference.find(end.connector);
    return FoundEnd{vertex, connector ? role_of(connector->kind) : Role::either};
  }

  void unknown_connector(const Element& element, const End& end, const Link& link) {
    std::vector<std::string> names;
    for (const Connector& connector : element.connectors) names.push_back(connector.name);
    problems_.add(link.where, fmt::format("\"{}\" has no connector \"{}\"", element.name, end.connector),
                  base::did_you_mean(end.connector, names));
  }

  const Flat& flat_;
  Graph& graph_;
  base::Problems& problems_;
  std::vector<const Element*> parents_;
  std::vector<Edge> open_;
};

}  // namespace

bool is_inward(Kind kind) {
  return kind == Kind::input || kind == Kind::parameter || kind == Kind::structural_parameter;
}

int Graph::find(const void* owner, const std::string& name) const {
  const auto found = places_.find({owner, name});
  return found == places_.end() ? -1 : found->second;
}

int Graph::make(const void* owner, Vertex vertex) {
  const int index = static_cast<int>(vertices.size());
  places_[{owner, vertex.name}] = index;
  vertices.push_back(std::move(vertex));
  return index;
}

Graph make_graph(const Element& root, const Flat& flat, base::Problems& problems) {
  Graph graph;
  Builder builder(flat, graph, problems);
  builder.visit(root);
  builder.settle();
  return graph;
}

std::string shown(const Vertex& vertex, const Flat& flat) {
  const auto path = vertex.owner ? flat.paths.find(vertex.owner) : flat.paths.end();
  if (path == flat.paths.end() || path->second.empty()) return vertex.name;
  return path->second + "." + vertex.name;
}

std::optional<Indices> indices_of(const std::string& port, const std::string& variable) {
  if (port == variable) return Indices{};
  if (port.size() < variable.size() + 3 || port.compare(0, variable.size(), variable) != 0) return std::nullopt;
  if (port[variable.size()] != '[' || port.back() != ']') return std::nullopt;
  std::string inner = port.substr(variable.size() + 1, port.size() - variable.size() - 2);
  std::ranges::replace(inner, ',', ' ');
  Indices indices;
  for (const std::string_view item : formats::list_items(inner)) {
    const auto index = formats::read_integer(item);
    if (!index || *index < 1) return std::nullopt;
    indices.push_back(static_cast<std::uint64_t>(*index));
  }
  return indices;
}

std::string with_indices(const std::string& name, const Indices& indices) {
  return indices.empty() ? name : fmt::format("{}[{}]", name, fmt::join(indices, ","));
}

Path Paths::trace(int at, Indices indices) {
  constexpr std::size_t longest = 1000;
  Path path;
  for (std::size_t steps = 0; steps <= std::min(graph_.edges.size(), longest); ++steps) {
    const Edge* edge = nullptr;
    for (const int index : vertex(at).inbound) {
      const Edge& candidate = graph_.edges[static_cast<std::size_t>(index)];
      if (!candidate.to_indices.empty() && candidate.to_indices != indices) continue;
      if (edge) return two_sources(at, *edge, candidate);
      edge = &candidate;
    }
    if (!edge) return arrived(std::move(path), at, std::move(indices));
    if (edge->to_indices.empty() && !edge->from_indices.empty() && !indices.empty()) {
      problems_.add(edge->link->where, fmt::format("one element of \"{}\" cannot feed the whole of \"{}\"",
                                                   shown(vertex(edge->from), flat_), shown(vertex(at), flat_)));
      return {Path::Ending::wrong, -1, {}, {}};
    }
    path.edges.push_back(edge);
    if (!edge->to_indices.empty() || !edge->from_indices.empty()) indices = edge->from_indices;
    at = edge->from;
  }
  problems_.add(path.edges.back()->link->where,
                fmt::format("the connections go round in a circle through \"{}\"", shown(vertex(at), flat_)));
  return {Path::Ending::wrong, -1, {}, {}};
}

Path Paths::two_sources(int at, const Edge& first, const Edge& second) {
  problems_.add(second.link->where,
                fmt::format("\"{}\" has two sources: \"{}\" (line {}) and \"{}\" (line {})", shown(vertex(at), flat_),
                            shown(vertex(first.from), flat_), first.link->where.line, shown(vertex(second.from), flat_),
                            second.link->where.line),
                "everything has one source: remove one of the connections");
  return {Path::Ending::wrong, -1, {}, {}};
}

Path Paths::arrived(Path path, int at, Indices indices) {
  const Vertex& here = vertex(at);
  std::ranges::reverse(path.edges);
  if (path.edges.empty() || !here.owner || here.owner->form == Element::Form::system) return path;
  path.source = at;
  path.indices = std::move(indices);
  if (flat_.leaf(here.owner)) {
    path.ending = Path::Ending::output;
    return path;
  }
  problems_.add(path.edges.front()->link->where,
                fmt::format("nothing computes \"{}\": its component has no source", shown(here, flat_)),
                "give the component a source, or remove the connection");
  path.ending = Path::Ending::wrong;
  return path;
}

}  // namespace seam::ssp
