// What lies between the inputs and the outputs of members while all ports are brought to agree.
#pragma once

#include <optional>

#include "seam/assembly/assembly.hpp"

namespace seam::assembly {

class PortEquations {
 public:
  virtual ~PortEquations() = default;
  /// Whether the member's outputs follow from its inputs; wires that begin at others carry nothing.
  virtual bool takes_part(int member) const = 0;
  /// Whether an output depends directly on an input; true where it is not known.
  virtual bool depends(int member, int output, int input) const = 0;
  /// The outputs of a member for its inputs.
  virtual void evaluate(int member, PortValues& ports) = 0;
  /// Derivatives of its real outputs by its real inputs, where they are known better than differences tell.
  virtual std::optional<lti::Matrix> derivatives(int member, const PortValues& ports) = 0;
  /// Whether a loop through the member needs no solution: between steps it keeps to the input it has.
  virtual bool can_do_without(int member) const = 0;
};

}  // namespace seam::assembly
