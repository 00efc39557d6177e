// One communication point as the corrector sees it, while it is at work. Nothing here outlives the point.
#pragma once

#include <algorithm>

#include "seam/coupling/corrector/solve.hpp"
#include "seam/coupling/exchange.hpp"

namespace seam::coupling {

/// to += matrix * from, column-major.
inline void add_product(const double* matrix, int rows, int columns, const double* from, double* to) {
  for (int c = 0; c < columns; ++c) {
    const double factor = from[c];
    for (int r = 0; r < rows; ++r) to[r] += matrix[c * rows + r] * factor;
  }
}

/// Parts of Memory::models that a corrector works in; one entry a wire unless it says otherwise.
struct CorrectionWorkspace {
  CorrectionWorkspace(const Correction& c, double* work)
      : known(work),
        next(known + c.outputs.size()),
        past(next + c.wires.size()),
        mean(past + c.wires.size()),
        right(mean + c.wires.size()),
        applied(right + powers * c.wires.size()),
        errors(applied + powers * c.wires.size()),
        states(errors + c.wires.size()),
        more_states(states + c.most_states),
        left(more_states + c.most_states),
        lanes(left + c.outputs.size()),
        wires(lanes + c.lanes.size()) {
    solved.outputs = wires + c.wires.size();
    solved.sinks = solved.outputs + c.outputs.size() * c.outputs.size();
    solved.work = solved.sinks + c.wires.size() * c.wires.size();
  }
  static std::size_t size(const Correction& c) {
    const std::size_t P = c.outputs.size(), W = c.wires.size(), larger = std::max(P, W);
    return 2 * P + (5 + 2 * powers) * W + 2 * static_cast<std::size_t>(c.most_states) + c.lanes.size() + P * P + W * W +
           larger * larger;
  }

  double* known;    ///< what the outputs are made from, one an output
  double* next;     ///< inputs at the point
  double* past;     ///< at the point before
  double* mean;     ///< of what is supposed to have been right, over the step
  double* right;    ///< its coefficients but for what the inputs at the point add; `powers` rows
  double* applied;  ///< coefficients of what was there; `powers` rows
  double* errors;
  double* states;  ///< one a state
  double* more_states;
  double* left;   ///< one an output
  double* lanes;  ///< whether it takes part, one a lane
  double* wires;
  Solved solved;
};

struct CorrectionContext {
  CorrectionContext(const Program& p, const Now& n, Memory& m)
      : program(p),
        correction(*p.correction),
        now(n),
        memory(m),
        values(m.values.data()),
        models(m.models.data()),
        work(correction, models + correction.work) {}

  bool is_here(const CorrectedLane& lane) const { return correction.one_rate || now.at_end.tick % lane.multiple == 0; }
  bool is_here(const CorrectedWire& wire) const {
    return is_here(correction.lanes[static_cast<std::size_t>(wire.sink)]);
  }
  double* sent() const { return values + correction.sent; }
  double* offset() const { return values + correction.offset; }
  double* row(int number) const { return values + correction.row(number); }
  /// An output as the subsystem gave it at one of the points of the step.
  double raw(const CorrectedOutput& output, int point) const {
    const int last = correction.shape.points() - 1;
    return values[output.point < 0 ? output.raw : output.point + (last - point) * output.stride];
  }
  bool all_take_part() const { return !part.lanes; }

  const Program& program;
  const Correction& correction;
  const Now& now;
  Memory& memory;
  double* values;
  double* models;
  CorrectionWorkspace work;
  Shape shape = Shape::constant;
  TakingPart part;
  std::int64_t points_before = 0;  ///< communication points so far, without this one
  bool knows_past = false;         ///< the inputs at the begin of the step are in work.past already
  const double* solved_outputs = nullptr;
  const double* solved_sinks = nullptr;
};

/// An event of the experiment decides what this input is, at the begin or at the end of the step.
bool is_replaced(const CorrectionContext& context, const CorrectedWire& wire);

/// A parameter of the lane's subsystem was changed at the begin of the step.
bool is_tuned(const CorrectionContext& context, const CorrectedLane& lane);

}  // namespace seam::coupling
