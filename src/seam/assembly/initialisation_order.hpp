// In which order outputs follow from each other at the start, and which of them form loops.
#pragma once

#include <vector>

#include "seam/assembly/assembly.hpp"

namespace seam::assembly {

class PortEquations;

/// A real output.
struct OutputPlace {
  int member = -1, output = -1;
};

struct InitialisationOrder {
  /// One output, or all that can only be found together.
  struct Block {
    std::vector<OutputPlace> outputs;
    std::vector<int> wires;  ///< of a loop: those it is made of, as numbers in the assembly; none: no loop
    int level = 0;           ///< above that of every block it needs
    bool is_loop() const { return !wires.empty(); }
  };
  std::vector<Block> blocks;  ///< every one after those it needs
};

/// Outputs that an order lists: all, or those that a wire reads, which are all that others follow from.
enum class Ordered { all, read };

/// Strongly connected components of the graph in which an output follows from those that feed the inputs it depends on.
InitialisationOrder order_of(const Assembly& assembly, const PortEquations& equations, Ordered which);

/// The order in which `initialise` finds the ports, by what the subsystems say of themselves.
InitialisationOrder initialisation_order(const Assembly& assembly);

}  // namespace seam::assembly
