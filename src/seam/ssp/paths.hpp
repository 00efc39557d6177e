// Paths back from a connector to what feeds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seam/ssp/graph.hpp"

namespace seam::ssp {

/// Of an element of an array, one a dimension, counted from 1; empty: a scalar.
using Indices = std::vector<std::uint64_t>;

/// What lies between an output and an input.
struct Path {
  enum class Ending {
    output,  ///< of a subsystem
    open,    ///< a connector that nothing feeds: the input keeps its start value
    wrong    ///< and that has been said
  } ending = Ending::open;
  int source = -1;                 ///< vertex
  Indices indices;                 ///< of the element there
  std::vector<const Edge*> edges;  ///< in the direction of the values
};

class Paths {
 public:
  Paths(const Graph& graph, const Flat& flat, base::Problems& problems)
      : graph_(graph), flat_(flat), problems_(problems) {}

  /// Two sources, a circle, and a source without code are problems.
  Path trace(int at, Indices indices);

 private:
  const Vertex& vertex(int index) const { return graph_.vertices[static_cast<std::size_t>(index)]; }
  Path two_sources(int at, const Edge& first, const Edge& second);
  Path arrived(Path path, int at, Indices indices);

  const Graph& graph_;
  const Flat& flat_;
  base::Problems& problems_;
};

/// The indices behind a name: `y[2,3]` of the variable y; none if the port is not of that variable.
std::optional<Indices> indices_of(const std::string& port, const std::string& variable);
std::string with_indices(const std::string& name, const Indices& indices);

}  // namespace seam::ssp
