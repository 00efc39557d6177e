// Connectors of all levels and where values flow between them. Directions come from the kinds of the connectors.
#pragma once

#include <map>
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

}  // namespace seam::ssp
