#include "seam/coupling/corrector/prediction_choice.hpp"

namespace seam::coupling {
namespace {

// Choosing an order: how fast errors are forgotten, how much better another one must be, and points between two
// choices.
constexpr double memory_of_errors = 0.9, alternating = 0.3, clearly_better = 0.7, far_worse = 2.0;
constexpr int least_points = 3, points_at_order_0 = 100;
/// Falling back: points before the first decision, and before the next prediction; the models must miss so many times
/// what a hold misses before, and a hold so many times what they miss after.
constexpr int points_of_start = 5, points_of_hold = 10;
constexpr double worse_than_hold = 4.0, predicts_again = 2.0;
/// What models miss beside the outputs themselves, in the mean square, is nothing below this.
constexpr double nothing = 1e-12;

/// Of the output number `i` of a lane, as foretold by an order one step ahead: what its model does not tell.
double foretold(const Correction& c, const Observed& o, int order, int i) {
  const double r = o.row(c, residual)[i];
  if (order == 0) return r;
  const int p = o.lane.outputs;
  const double *const now = o.row(c, innovation), *const before = order == 2 ? o.row(c, innovation_before) : nullptr;
  double driven = 0.0;
  for (int j = 0; j < p; ++j) {
    const double constant = before ? 1.5 * now[j] - 0.5 * before[j] : now[j];
    driven += o.models[o.at.drive + j * p + i] * constant;
    if (before) driven += o.models[o.at.drive + (p + j) * p + i] * (now[j] - before[j]);
  }
  const double r_before = o.row(c, residual_before)[i];
  if (order == 1) return 2.0 * r - r_before + driven;
  return 3.0 * (r - r_before) + o.row(c, residual_two_before)[i] + driven;
}

/// Models that foretell the outputs worse than if these had stood still do not help.
void choose_hold(const CorrectionContext& m) {
  const Correction& c = m.correction;
  const double* const squares = m.models + c.prediction->errors;
  std::int64_t *const order = m.memory.knowledge.data() + c.order, *const fallen = m.memory.knowledge.data() + c.fallen;
  const double held = squares[c.shape.order + 1], least = nothing * squares[c.shape.order + 2];
  ++fallen[points_since];
  if (!fallen[is_fallen] && m.points_before >= points_of_start && squares[*order] > worse_than_hold * held + least) {
    if (fallen[how_often]++ == 0) fallen[first_point] = m.now.at_end.tick;
    fallen[is_fallen] = 1;
    fallen[points_since] = 0;
    order[0] = order[1] = 0;
  } else if (fallen[is_fallen] &&
             (squares[0] < least || (fallen[points_since] >= points_of_hold && predicts_again * squares[0] < held))) {
    fallen[is_fallen] = fallen[points_since] = 0;
  }
}

/// The order that has missed least, if that is clearly less than what the present one has. Errors are those of the run
/// as it is: if they grow beyond what was missed before an order was chosen, that order is what makes them.
void choose_order(const CorrectionContext& m) {
  const Correction& c = m.correction;
  const double* const squares = m.models + c.prediction->errors;
  std::int64_t* const order = m.memory.knowledge.data() + c.order;
  std::int64_t* const points = order + 1;
  double& missed_before = m.models[c.prediction->missed_before];
  if (++*points < least_points) return;
  if (*order > 0 && squares[*order] > far_worse * missed_before) {
    *order = 0;
    *points = -points_at_order_0;
    return;
  }
  std::int64_t best = *order;
  for (int other = 0; other <= c.shape.order; ++other) {
    const bool allowed = c.prediction->allowed[static_cast<std::size_t>(other)];
    if (allowed && squares[other] < clearly_better * squares[*order] && squares[other] < squares[best]) best = other;
  }
  if (best == *order) return;
  missed_before = squares[*order];
  *order = best;
  *points = 0;
}

}  // namespace

void forget_errors(const CorrectionContext& m) {
  const int squares = m.correction.shape.order + 3;
  for (int way = 0; way < squares; ++way) m.models[m.correction.prediction->errors + way] *= memory_of_errors;
}

// The mean of two steps counts, and errors that alternate a little: they do not add up, but an order that makes them
// larger is none for the course within a step.
void note_errors(const Correction& c, const Observed& o, const double* innovations) {
  const int held = c.shape.order + 1, outputs = static_cast<int>(c.outputs.size());
  double *const squares = o.models + c.prediction->errors, *const latest = squares + held + 2;
  for (int way = 0; way <= held; ++way) {
    for (int i = 0; i < o.lane.outputs; ++i) {
      const int output = o.lane.first_output + i;
      const double seen = o.values[c.outputs[static_cast<std::size_t>(output)].raw], sent = o.values[c.sent + output];
      const double missed = c.prediction->weights[static_cast<std::size_t>(output)] *
                            (way == held ? seen - sent : innovations[i] - foretold(c, o, way, i));
      double& last = latest[way * outputs + output];
      squares[way] += 0.25 * (missed + last) * (missed + last) + alternating * missed * missed;
      last = missed;
      if (way == held) {
        const double weight = c.prediction->weights[static_cast<std::size_t>(output)];
        squares[held + 1] += weight * weight * seen * seen;
      }
    }
  }
}

void choose(const CorrectionContext& m) {
  choose_order(m);
  choose_hold(m);
}

bool is_held(const Correction& c, const Memory& memory) {
  return c.fallen >= 0 && memory.knowledge[static_cast<std::size_t>(c.fallen + is_fallen)] != 0;
}

}  // namespace seam::coupling
