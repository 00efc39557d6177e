// A receiver says what an input is until the next communication point, from the samples that have arrived.
#pragma once

namespace seam::coupling {

/// When a sample belongs relative to the step it is used in, in units of the sink's macro step.
/// Macro samples lie one step of the source apart, fine ones a micro step; only a shorter last step ends with others.
struct SampleTiming {
  double age = 0.0;      ///< begin of the sink's step minus time of the newest sample; negative if the sample is ahead
  double spacing = 1.0;  ///< between two samples
  int per_arrival = 1;   ///< samples that arrive at once
  double sink_step = 1.0;       ///< the sink's macro step in those after which samples arrive
  int sink_segments = 1;        ///< micro steps of the sink in its macro step
  double newest_spacing = 0.0;  ///< from the newest sample to the one before it; 0: as between the others
};

/// For which steps a receiver gives polynomials.
enum class Pace { macro_steps, micro_steps };

struct ReceiverShape {
  int degree = 0;   ///< of the polynomial it gives
  int history = 0;  ///< rows it remembers, the first being the value of the input at the communication point
  int newest = 0;   ///< the row of the newest sample; those before it carry nothing to the next step
  Pace pace = Pace::macro_steps;
};

/// Const: what it remembers lies in the memory the stepper owns. All arrays hold one row a sample (or power), one
/// column a port.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual ReceiverShape shape() const = 0;

  /// As if the newest sample had been there for ever.
  virtual void start(int ports, double* history) const = 0;
  /// Moves the history back so that `rows` new samples can be written from `newest` on, the newest first; wires write
  /// them.
  virtual void make_room(int ports, int rows, double* history) const = 0;

  /// The polynomial in theta over the next step, from the first `available` rows of the history.
  /// Row j goes to coefficients[j*stride + columns[p]]; all degree + 1 rows are written.
  struct Polynomial {
    double* coefficients = nullptr;
    int stride = 0;
    const int* columns = nullptr;
  };
  virtual void polynomial(int ports, int available, double* history, const Polynomial& result) const = 0;
  /// Pace::micro_steps: after `polynomial`, the same for the next micro step, and on to its end.
  virtual void segment(int /*ports*/, double* /*history*/, const Polynomial& /*result*/) const {}
};

}  // namespace seam::coupling
