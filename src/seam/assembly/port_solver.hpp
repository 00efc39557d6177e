// Brings all real ports to agree: outputs in the order they follow from each other, loops as wholes.
#pragma once

#include <vector>

#include "seam/assembly/loop.hpp"

namespace seam::assembly {

class PortSolver {
 public:
  /// Both must outlive it.
  PortSolver(const Assembly& assembly, PortEquations& equations);

  /// Every output for its inputs, and every connected input from its output; other inputs as they are. The loops that
  /// were not solved: there the inputs are as they were.
  std::vector<LoopFailure> solve(PortValues& ports);

  /// Of the outputs that others read.
  const InitialisationOrder& order() const { return order_; }
  /// Members whose outputs follow from inputs they do not say: from then on they are taken to depend on all.
  const std::vector<int>& found_out() const { return found_out_; }

 private:
  /// Everything that may happen at one level.
  struct Stage {
    std::vector<int> members;  ///< to be evaluated
    std::vector<int> wires;    ///< to be written then
    std::vector<int> loops;    ///< to be solved
  };
  class Trusting;

  void make_stages();
  void carry(const Wire& wire, PortValues& ports) const;
  void pass(PortValues& ports, std::vector<LoopFailure>& failures);
  /// Whether an output changed after it had been sent; its member is not trusted any more.
  bool finds_out(const PortValues& ports);

  const Assembly& assembly_;
  PortEquations& equations_;
  InitialisationOrder order_;
  std::vector<Stage> stages_;
  std::vector<Loop> loops_;
  std::vector<int> last_;         // members whose inputs were written after they had been evaluated, or that none reads
  std::vector<bool> is_in_loop_;  // for every wire
  std::vector<int> found_out_;
};

}  // namespace seam::assembly
