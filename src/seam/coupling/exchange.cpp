#include "seam/coupling/exchange.hpp"

#include "seam/assembly/polynomial.hpp"
#include "seam/coupling/corrector/models.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/step_watch.hpp"

namespace seam::coupling {
namespace {

/// Puts the outputs that an emitter sends side by side; how many there are.
int gather(const EmitterGroup& group, const Lane& lane, double* values) {
  const int ports = static_cast<int>(group.ports.size());
  for (int p = 0; p < ports; ++p)
    values[group.gathered + p] = values[lane.values + group.ports[static_cast<std::size_t>(p)]];
  return ports;
}

/// Inputs that are given anew for every micro step.
void smooth(const Program& program, const Lane& lane, double* values) {
  for (const int g : lane.smoothers) {
    const ReceiverGroup& group = program.receivers[static_cast<std::size_t>(g)];
    group.receiver->segment(static_cast<int>(group.columns.size()), values + group.history,
                            {values + lane.segment, lane.inputs, group.columns.data()});
  }
}

}  // namespace

void observe(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->observe(ports, values + group.gathered, values + group.rows);
  }
}

void replace_newest(const Program& program, const Lane& lane, double* values) {
  for (const int e : lane.emitters) {
    const EmitterGroup& group = program.emitters[static_cast<std::size_t>(e)];
    const int ports = gather(group, lane, values);
    group.emitter->replace(ports, values + group.gathered, values + group.rows);
  }
}

assembly::In gather_inputs(const Lane& lane, double* values) {
  for (int i = 0; i < lane.inputs; ++i) values[lane.fresh + i] = values[lane.now[static_cast<std::size_t>(i)]];
  return {values + lane.fresh, static_cast<std::size_t>(lane.inputs)};
}

void evaluate(const Program& program, const Lane& lane, const Now& now, double* values) {
  lane.subsystem->evaluate(now.end(), now.step.sources, gather_inputs(lane, values),
                           {values + lane.values, static_cast<std::size_t>(lane.outputs)});
  if (!lane.emitters.empty()) replace_newest(program, lane, values);
}

base::Outcome cross_in_segments(const Program& program, const Lane& lane, const Now& now, double* values) {
  const assembly::InputPolynomials whole{values + lane.coefficients, lane.degree, lane.inputs};
  const int segments = now.fraction == 1.0 ? lane.segments : segments_of_last_step(lane.segments, now.fraction);
  const double length = now.step.length / segments;
  const bool constant = lane.crossing == Crossing::constant_segments;
  const assembly::InputPolynomials part{values + lane.segment, constant ? 0 : lane.degree, lane.inputs};
  const MicroRows* const rows =
      lane.micro_rows < 0 ? nullptr : &program.micro_rows[static_cast<std::size_t>(lane.micro_rows)];
  const int first_row = rows ? micro_rows_of_step(*rows, lane, now.at_end.tick) : 0;
  if (lane.watch >= 0) note_begin(program, lane, now, values);
  for (int s = 0; s < segments; ++s) {
    const double from = now.fraction * s / segments;
    if (constant) {
      whole.at(from, {values + lane.segment, static_cast<std::size_t>(lane.inputs)});
    } else {
      assembly::restrict_polynomial(whole, from, now.fraction * (s + 1) / segments, values + lane.segment);
    }
    smooth(program, lane, values);
    const assembly::Step step{now.step.begin + s * length, length, now.step.sources, s + 1 == segments};
    if (rows) note_micro_row(program, lane, first_row + s * rows->width(), step, values);
    const base::Outcome outcome =
        lane.step.advance(step, part, {values + lane.values, static_cast<std::size_t>(lane.outputs)});
    const bool ends_here = outcome == base::Outcome::ended && s + 1 == segments;
    if (outcome == base::Outcome::ended && !ends_here) return base::Outcome::broke_off;
    if (outcome != base::Outcome::accepted && !ends_here) return outcome;
    observe(program, lane, values);
    if (lane.told >= 0 && now.fraction == 1.0) note_equations(program, lane, s, step, values);
    if (lane.watch >= 0 && s + 1 < segments) note_point(program, lane, s + 1, values);
    if (ends_here) return outcome;
  }
  return base::Outcome::accepted;
}

}  // namespace seam::coupling
