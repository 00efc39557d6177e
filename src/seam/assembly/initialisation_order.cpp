#include "seam/assembly/initialisation_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "seam/assembly/port_equations.hpp"

namespace seam::assembly {
namespace {

std::size_t at(int number) { return static_cast<std::size_t>(number); }

/// An output needs the outputs at the other ends of `wires`.
struct Vertex {
  OutputPlace place;
  std::vector<int> wires;
};

struct Graph {
  std::vector<Vertex> vertices;  ///< member by member, output by output
  std::vector<int> first;        ///< number of a member's first vertex

  int number(int member, int output) const {
    const auto begin = vertices.begin() + first[at(member)];
    const auto found = std::lower_bound(begin, vertices.end(), OutputPlace{member, output}, is_before);
    return static_cast<int>(found - vertices.begin());
  }

 private:
  static bool is_before(const Vertex& vertex, const OutputPlace& place) {
    return std::pair(vertex.place.member, vertex.place.output) < std::pair(place.member, place.output);
  }
};

/// Of each member, in their order: real outputs that become vertices.
std::vector<std::vector<int>> ordered_outputs(const Assembly& assembly, const PortEquations& equations, Ordered which) {
  std::vector<std::vector<int>> outputs(assembly.members.size());
  if (which == Ordered::read) {
    for (const Wire& wire : assembly.wires) {
      if (equations.takes_part(wire.from)) outputs[at(wire.from)].push_back(wire.output);
    }
  }
  for (int m = 0; m < static_cast<int>(outputs.size()); ++m) {
    std::vector<int>& own = outputs[at(m)];
    if (which == Ordered::all && equations.takes_part(m)) {
      own.resize(system::count_reals(assembly.members[at(m)].outputs));
      std::iota(own.begin(), own.end(), 0);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return outputs;
}

Graph graph_of(const Assembly& assembly, const PortEquations& equations, Ordered which) {
  Graph graph;
  const auto outputs = ordered_outputs(assembly, equations, which);
  std::vector<std::vector<int>> arriving(assembly.members.size());
  for (std::size_t w = 0; w < assembly.wires.size(); ++w) {
    const Wire& wire = assembly.wires[w];
    if (equations.takes_part(wire.from)) arriving[at(wire.to)].push_back(static_cast<int>(w));
  }
  for (int m = 0; m < static_cast<int>(assembly.members.size()); ++m) {
    graph.first.push_back(static_cast<int>(graph.vertices.size()));
    for (const int o : outputs[at(m)]) {
      Vertex vertex{{m, o}, {}};
      for (const int w : arriving[at(m)]) {
        if (equations.depends(m, o, assembly.wires[at(w)].input)) vertex.wires.push_back(w);
      }
      graph.vertices.push_back(std::move(vertex));
    }
  }
  return graph;
}

/// R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), without recursion: a
/// component comes out after all that it needs.
class Components {
 public:
  Components(const Assembly& assembly, const Graph& graph)
      : assembly_(assembly), graph_(graph), found_(graph.vertices.size(), -1), low_(graph.vertices.size()) {
    component.assign(graph.vertices.size(), -1);
    for (int v = 0; v < static_cast<int>(graph.vertices.size()); ++v) {
      if (found_[at(v)] < 0) search(v);
    }
  }

  std::vector<std::vector<int>> all;
  std::vector<int> component;  ///< of each vertex

 private:
  struct Visit {
    int vertex;
    std::size_t next = 0;  ///< wire to follow
  };

  void open(int vertex) {
    found_[at(vertex)] = low_[at(vertex)] = count_++;
    waiting_.push_back(vertex);
    path_.push_back({vertex});
  }

  void search(int root) {
    open(root);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      const Vertex& vertex = graph_.vertices[at(visit.vertex)];
      if (visit.next == vertex.wires.size()) {
        close();
        continue;
      }
      const Wire& wire = assembly_.wires[at(vertex.wires[visit.next++])];
      const int needed = graph_.number(wire.from, wire.output);
      if (found_[at(needed)] < 0) {
        open(needed);
      } else if (component[at(needed)] < 0) {
        low_[at(visit.vertex)] = std::min(low_[at(visit.vertex)], found_[at(needed)]);
      }
    }
  }

  void close() {
    const int vertex = path_.back().vertex;
    path_.pop_back();
    if (!path_.empty()) {
      int& above = low_[at(path_.back().vertex)];
      above = std::min(above, low_[at(vertex)]);
    }
    if (low_[at(vertex)] != found_[at(vertex)]) return;
    std::vector<int> members;
    int last = -1;
    while (last != vertex) {
      last = waiting_.back();
      waiting_.pop_back();
      component[at(last)] = static_cast<int>(all.size());
      members.push_back(last);
    }
    std::sort(members.begin(), members.end());
    all.push_back(std::move(members));
  }

  const Assembly& assembly_;
  const Graph& graph_;
  std::vector<int> found_, low_, waiting_;
  std::vector<Visit> path_;
  int count_ = 0;
};

/// By the descriptions of the subsystems alone; nothing is evaluated.
class Declared final : public PortEquations {
 public:
  explicit Declared(const Assembly& assembly) : assembly_(assembly) {}
  bool takes_part(int member) const override { return assembly_.members[at(member)].subsystem != nullptr; }
  bool depends(int member, int output, int input) const override {
    return assembly_.members[at(member)].subsystem->feeds_through(output, input, Phase::initialising);
  }
  void evaluate(int, PortValues&) override {}
  std::optional<lti::Matrix> derivatives(int, const PortValues&) override { return std::nullopt; }
  bool can_do_without(int) const override { return false; }

 private:
  const Assembly& assembly_;
};

}  // namespace

InitialisationOrder order_of(const Assembly& assembly, const PortEquations& equations, Ordered which) {
  const Graph graph = graph_of(assembly, equations, which);
  const Components components(assembly, graph);
  InitialisationOrder order;
  for (std::size_t c = 0; c < components.all.size(); ++c) {
    InitialisationOrder::Block block;
    for (const int v : components.all[c]) {
      block.outputs.push_back(graph.vertices[at(v)].place);
      for (const int w : graph.vertices[at(v)].wires) {
        const Wire& wire = assembly.wires[at(w)];
        const int source = components.component[at(graph.number(wire.from, wire.output))];
        if (source == static_cast<int>(c))
          block.wires.push_back(w);
        else
          block.level = std::max(block.level, order.blocks[at(source)].level + 1);
      }
    }
    std::sort(block.wires.begin(), block.wires.end());
    block.wires.erase(std::unique(block.wires.begin(), block.wires.end()), block.wires.end());
    order.blocks.push_back(std::move(block));
  }
  return order;
}

InitialisationOrder initialisation_order(const Assembly& assembly) {
  return order_of(assembly, Declared(assembly), Ordered::all);
}

}  // namespace seam::assembly
