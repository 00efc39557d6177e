#include "seam/ssp/paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/formats/xml_values.hpp"

namespace seam::ssp {

std::optional<Indices> indices_of(const std::string& port, const std::string& variable) {
  if (port == variable) return Indices{};
  if (port.size() < variable.size() + 3 || port.compare(0, variable.size(), variable) != 0) return std::nullopt;
  if (port[variable.size()] != '[' || port.back() != ']') return std::nullopt;
  std::string inner = port.substr(variable.size() + 1, port.size() - variable.size() - 2);
  std::ranges::replace(inner, ',', ' ');
  Indices indices;
  for (const std::string& item : formats::list_items(inner)) {
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
