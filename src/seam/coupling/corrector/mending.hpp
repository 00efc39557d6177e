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
struct Room {
  Room(const Correction& c, double* work)
      : known(work),
        next(known + c.outputs.size()),
        past(next + c.wires.size()),
        mean(past + c.wires.size()),
        right(mean + c.wires.size()),
        heard(right + powers * c.wires.size()),
        errors(heard + powers * c.wires.size()),
        states(errors + c.wires.size()),
        lanes(states + c.most_states),
        wires(lanes + c.lanes.size()) {
    solved.outputs = wires + c.wires.size();
    solved.sinks = solved.outputs + c.outputs.size() * c.outputs.size();
    solved.work = solved.sinks + c.wires.size() * c.wires.size();
  }
  static std::size_t size(const Correction& c) {
    const std::size_t P = c.outputs.size(), W = c.wires.size(), larger = std::max(P, W);
    return P + (5 + 2 * powers) * W + static_cast<std::size_t>(c.most_states) + c.lanes.size() + P * P + W * W +
           larger * larger;
  }

  double* known;  ///< what the outputs are made from, one an output
  double* next;   ///< inputs at the point
  double* past;   ///< at the point before
  double* mean;   ///< of what is supposed to have been right, over the step
  double* right;  ///< its coefficients but for what the inputs at the point add; `powers` rows
  double* heard;  ///< coefficients of what was there; `powers` rows
  double* errors;
  double* states;  ///< one a state
  double* lanes;   ///< who takes part, one a lane
  double* wires;
  Solved solved;
};

struct Mending {
  Mending(const Program& p, const Now& n, Memory& m)
      : program(p),
        correction(*p.correction),
        now(n),
        memory(m),
        values(m.values.data()),
        models(m.models.data()),
        room(correction, models + correction.work) {}

  bool is_here(const CorrectedLane& lane) const { return correction.one_rate || now.at_end.tick % lane.multiple == 0; }
  bool is_here(const CorrectedWire& wire) const {
    return is_here(correction.lanes[static_cast<std::size_t>(wire.sink)]);
  }
  bool all_take_part() const { return !part.lanes; }

  const Program& program;
  const Correction& correction;
  const Now& now;
  Memory& memory;
  double* values;
  double* models;
  Room room;
  Shape shape = Shape::constant;
  TakingPart part;
  bool knows_past = false;  ///< the inputs at the begin of the step are in room.past already
  const double* solved_outputs = nullptr;
  const double* solved_sinks = nullptr;
};

/// A parameter of the lane's subsystem was changed at the begin of the step.
bool is_tuned(const Mending& mending, const CorrectedLane& lane);
/// All points of the step, the last of which is the communication point; `part` must say who takes part.
void mend_points(Mending& mending);
/// Outputs at one of the points of the step, and the inputs they give.
void mend_outputs(Mending& mending, int point);
/// What the states are wrong by is carried over that point.
void carry_errors(Mending& mending);
/// The next inputs' offsets.
void find_offsets(Mending& mending);

}  // namespace seam::coupling
