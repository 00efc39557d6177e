// An emitter says what a subsystem sends, from its outputs at every micro point.
#pragma once

namespace seam::coupling {

/// Const: what it remembers lies in the memory the stepper owns. Arrays hold one row a sample, one column a port.
class Emitter {
 public:
  virtual ~Emitter() = default;

  /// Rows it remembers, all of which it sends, the newest first.
  virtual int rows() const = 0;
  /// A micro point was reached with these outputs.
  virtual void observe(int ports, const double* outputs, double* rows) const = 0;
  /// The outputs of the newest micro point were evaluated again.
  virtual void replace(int ports, const double* outputs, double* rows) const = 0;
};

}  // namespace seam::coupling
