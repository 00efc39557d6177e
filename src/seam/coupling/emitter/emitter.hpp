// An emitter says what a subsystem sends, from its outputs at every micro point.
#pragma once

namespace seam::coupling {

/// Rows of an emitter's or receiver's memory.
struct RowRange {
  int first = 0, count = 0;
};

/// Const: what it remembers lies in the memory the stepper owns. Arrays hold one row a sample, one column a port.
class Emitter {
 public:
  virtual ~Emitter() = default;

  /// Rows it remembers; the first of them it sends, the newest sample first.
  virtual int rows() const = 0;
  /// Those that one macro step reads before it writes them, if it has so many micro points.
  virtual RowRange carried(int micro_points) const = 0;
  /// As if the outputs had been these for ever.
  virtual void start(int ports, const double* outputs, double* rows) const = 0;
  /// A micro point was reached with these outputs.
  virtual void observe(int ports, const double* outputs, double* rows) const = 0;
  /// The outputs of the newest micro point were evaluated again.
  virtual void replace(int ports, const double* outputs, double* rows) const = 0;
};

}  // namespace seam::coupling
