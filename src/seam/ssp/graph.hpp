// Connectors of all levels, where values flow between them, and the paths back from a connector to what feeds it.
// Directions come from the kinds of the connectors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seam/ssp/flatten.hpp"
#include "seam/ssp/ssd.hpp"

namespace seam::ssp {

struct Edge {
  int from = -1, to = -1;                               ///< vertices
  std::vector<std::uint64_t> from_indices, to_indices;  ///< empty: all of it
  const Link* link = nullptr;
};

/// A connector, seen from inside and outside alike; or an entry of a signal dictionary, for all that refer to it.
struct Vertex {
  const Element* owner = nullptr;        ///< null: a dictionary
  const Connector* connector = nullptr;  ///< null: the component has it, and the description does not list it
  const File* file = nullptr;            ///< what its unit's name means
  std::string name;
  std::vector<int> inbound, outbound;  ///< edges
};

class Graph {
 public:
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;

  /// -1 if there is none.
  int find(const void* owner, const std::string& name) const;
  int make(const void* owner, Vertex vertex);

 private:
  std::map<std::pair<const void*, std::string>, int> places_;
};

/// A connection whose ends do not exist, or both give or both take, is a problem.
Graph make_graph(const Element& root, const Flat& flat, base::Problems& problems);

/// "Powertrain.tau", for messages and as users may say it.
std::string shown(const Vertex& vertex, const Flat& flat);

/// Whether values enter a system there.
bool is_inward(Kind kind);

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

/// Fills `set` of the subsystems. At one level a later binding wins, a higher level wins over a lower one.
void bind(const Element& root, const Graph& graph, Flat& flat, base::Problems& problems);

}  // namespace seam::ssp
