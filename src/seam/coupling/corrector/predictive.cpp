#include "seam/coupling/corrector/predictive.hpp"

#include <utility>

#include "seam/coupling/corrector/known_course.hpp"
#include "seam/coupling/corrector/prediction_choice.hpp"

namespace seam::coupling {
namespace {

constexpr const char* row_names[] = {"beyond its model", "innovation", "beyond its model a step before",
                                     "innovation a step before", "beyond its model two steps before"};

/// The latest residuals and innovations make room.
void shift_rows(const Correction& c, const Observed& o) {
  for (int row = static_cast<int>(c.shape.output_rows.size()) - 1; row >= residual_before; --row)
    std::copy_n(o.row(c, row - 2), o.lane.outputs, o.row(c, row));
}

/// After a jump nothing of what was before says how it goes on.
void forget_rows(const Correction& c, const CorrectedLane& lane, double* values) {
  const auto row = [&](int number) { return values + c.output_row(number) + lane.first_output; };
  for (int number = innovation; number < static_cast<int>(c.shape.output_rows.size()); ++number) {
    if (number == innovation || number == innovation_before)
      std::fill_n(row(number), lane.outputs, 0.0);
    else
      std::copy_n(row(residual), lane.outputs, row(number));
  }
}

/// What a part of a step gave to integrators: the mean of the outputs as the model tells it from the estimate at its
/// begin, and what it missed, on the line through what was left at the begin and the innovations at the end.
void add_what_was_done(const Correction& c, const Observed& o, int look, const CorrectionWorkspace& work) {
  const int n = o.lane.states, p = o.lane.outputs, looks = o.lane.looks, inputs = o.own.inputs * (o.own.degree + 1);
  const double *const of_states = o.models + o.at.mean, *const of_inputs = of_states + n * p + look * inputs * p;
  for (int s = o.at.first_sum; s < o.at.first_sum + o.at.sums; ++s) {
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(c.prediction->sums[static_cast<std::size_t>(s)].wire)];
    const int i = wire.output - o.lane.first_output;
    const double stamp = looks * c.prediction->stamps[static_cast<std::size_t>(wire.output)];
    double mean = (0.5 - stamp) * work.left[wire.output] + (0.5 + stamp) * work.known[wire.output];
    for (int j = 0; j < n; ++j) mean += of_states[j * p + i] * o.estimate()[j];
    for (int j = 0; j < inputs; ++j) mean += of_inputs[j * p + i] * o.values[o.own.coefficients + j];
    o.values[wire.sum] += static_cast<double>(o.lane.multiple) / looks * (wire.gain * mean + wire.offset);
  }
}

/// An input at its constants, or at both ends of a ramp.
struct Corners {
  Corners(const CorrectedLane& lane, const CorrectedWire& wire, const double* values)
      : count(lane.written), apart(lane.in_pieces ? 1.0 / count : 1.0) {
    for (int i = 0; i < count; ++i) {
      for (int k = count - 1; k >= 0; --k) at[i] = at[i] * (i * apart) + values[wire.coefficients + k * wire.stride];
    }
  }
  int count;
  double apart;
  double at[powers] = {};
};

/// Something else than the prediction decided what an integrator got: a hold, an event, or a limit.
bool is_withheld(const CorrectionContext& m, const CorrectedWire& wire) {
  if (is_held(m.correction, m.memory) || (!m.program.interventions.empty() && is_replaced(m, wire))) return true;
  if (!wire.limited) return false;
  const Corners corners(m.correction.lanes[static_cast<std::size_t>(wire.sink)], wire, m.values);
  return std::any_of(corners.at, corners.at + corners.count,
                     [&](double value) { return value <= wire.low || value >= wire.high; });
}

/// Once all that have arrived are observed: what the integrators got is no longer owed to them. Where both ends meet
/// the rest is given until they meet again.
void settle_sums(const CorrectionContext& m) {
  const Correction& c = m.correction;
  for (const KeptSum& sum : c.prediction->sums) {
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(sum.wire)];
    const CorrectedLane& sink = c.lanes[static_cast<std::size_t>(wire.sink)];
    if (!m.is_here(sink)) continue;
    double mean = 0.0;
    for (int k = 0; k <= wire.degree; ++k) mean += m.values[wire.coefficients + k * wire.stride] * sink.mean[k];
    m.values[wire.sum] -= sink.multiple * mean;
    if (is_withheld(m, wire)) m.values[wire.sum] = m.values[wire.sum + 1] = 0.0;
    if (m.now.at_end.tick % sum.together == 0) m.values[wire.sum + 1] = m.values[wire.sum] / sum.together;
  }
}

/// Number `row` of `rows`.
double value_of(const GainRows& rows, int row, const Memory& memory) {
  const double* const gains = memory.models.data() + rows.gains;
  double value = memory.models[static_cast<std::size_t>(rows.constants + row)];
  for (int e = rows.entries[static_cast<std::size_t>(row)]; e < rows.entries[static_cast<std::size_t>(row) + 1]; ++e)
    value += gains[e] * memory.values[static_cast<std::size_t>(rows.places[static_cast<std::size_t>(e)])];
  return value;
}

/// Lanes that have not arrived are where the coupled motion takes them, whatever their inputs make of them meanwhile:
/// these bring them to it at the end of their step.
void follow_coupled_motion(const CorrectionContext& m) {
  const Correction& c = m.correction;
  if (c.one_rate) return;
  const GainRows& rows = c.prediction->on_the_way;
  double* const next = m.models + c.prediction->next_states;
  const int count = static_cast<int>(rows.entries.size()) - 1;
  for (int row = 0; row < count; ++row) next[row] = value_of(rows, row, m.memory);
  const double* from = next;
  for (const CorrectedLane& lane : c.lanes) {
    if (lane.multiple == 1) continue;
    if (!m.is_here(lane)) std::copy_n(from, lane.states, m.values + lane.carried);
    from += lane.states;
  }
}

/// An output where a lane is looked at in its step.
double seen_at(const CorrectedLane& lane, const CorrectedOutput& output, int look, const double* values) {
  return values[output.point < 0 ? output.raw : output.point + (lane.looks - 1 - look) * output.stride];
}

/// Of one part of the step: x^- = A x^ + G u, e = y - C x^- - D u, x^ = x^- + K e, r = (I - C K) e.
void observe_part(CorrectionContext& m, const Observed& o, int look) {
  const Correction& c = m.correction;
  const int n = o.lane.states, p = o.lane.outputs, inputs = o.own.inputs * (o.own.degree + 1);
  double* const next = m.work.states;
  double *const e = m.work.known + o.lane.first_output, *const left = m.work.left + o.lane.first_output;
  std::fill_n(next, n, 0.0);
  add_product(m.models + o.at.A, n, n, o.estimate(), next);
  o.add_inputs(m.models + o.at.G + look * n * inputs, n, next);
  std::fill_n(e, p, 0.0);
  add_product(m.models + o.at.C, p, n, next, e);
  o.add_inputs(m.models + o.at.D + look * p * inputs, p, e);
  for (int i = 0; i < p; ++i)
    e[i] = seen_at(o.lane, c.outputs[static_cast<std::size_t>(o.lane.first_output + i)], look, m.values) - e[i];
  add_what_was_done(c, o, look, m.work);
  add_product(m.models + o.at.gain, n, p, e, next);
  std::copy_n(next, n, o.estimate());
  std::fill_n(left, p, 0.0);
  add_product(m.models + o.at.residual, p, p, e, left);
}

/// The innovations of the whole step, as if nothing inside it had been seen: what was seen there has moved the estimate
/// since.
void complete_innovations(CorrectionContext& m, const Observed& o, int look) {
  const int n = o.lane.states, p = o.lane.outputs;
  double *const moved = m.work.more_states, *const e = m.work.known + o.lane.first_output;
  if (look == 0) std::fill_n(moved, n, 0.0);
  std::fill_n(m.work.states, n, 0.0);
  add_product(m.models + o.at.A, n, n, moved, m.work.states);
  std::copy_n(m.work.states, n, moved);
  if (look + 1 < o.lane.looks)
    add_product(m.models + o.at.gain, n, p, e, moved);
  else
    add_product(m.models + o.at.C, p, n, moved, e);
}

void observe(CorrectionContext& m, const CorrectedLane& lane) {
  const Correction& c = m.correction;
  const Observed o(m.program, lane, m.memory);
  const int n = lane.states, p = lane.outputs;
  double *const e = m.work.known + lane.first_output, *const left = m.work.left + lane.first_output;
  std::copy_n(o.at_begin(), n, o.estimate());
  std::copy_n(o.left(c), p, left);
  for (int look = 0; look < lane.looks; ++look) {
    observe_part(m, o, look);
    if ((c.shape.order > 0 || c.order >= 0) && lane.looks > 1) complete_innovations(m, o, look);
  }
  std::copy_n(o.estimate(), n, o.at_begin());
  if (c.order >= 0) note_errors(c, o, e);
  shift_rows(c, o);
  std::copy_n(left, p, o.left(c));
  if (c.shape.order > 0) std::copy_n(e, p, o.row(c, innovation));
  const auto* const equations = o.own.subsystem->facets().equations;
  if (lane.may_have_events && equations && equations->had_event()) forget_rows(c, lane, m.values);
}

/// Of the step to come: as high as what is known by now allows.
int order_of(const Correction& c, const Memory& memory) {
  const auto known = [&](int place) { return memory.knowledge[static_cast<std::size_t>(place)]; };
  return static_cast<int>(std::min(c.order >= 0 ? known(c.order) : c.shape.order, known(c.seen)));
}

/// What a subsystem itself makes of known signals in the coming step, as the polynomials that it gets for them and does
/// not read; held signals as they are at the start. The same for steps of other rates than its own.
void write_signals(const Corrector::ComingStep& coming, const CorrectedLane& lane, Memory& memory) {
  if (lane.driven_ports.empty()) return;
  const Lane& own = coming.program.lanes[static_cast<std::size_t>(lane.lane)];
  const assembly::Step& step = coming.step;
  const Prediction& prediction = *coming.program.correction->prediction;
  double* course_at_rate = memory.values.data() + lane.signals;
  for (const int port : lane.driven_ports) {
    KnownSignal signal{*own.subsystem->facets().tuning, port, step.begin, step.length, step.sources};
    for (const int rate : coming.program.correction->rates) {
      if (lane.signals >= 0 && coming.tick % rate == 0) {
        signal.length = rate * step.length;
        write_course(signal, prediction.degree_of_signals, course_at_rate);
      }
      course_at_rate += powers;
    }
    signal.length = lane.multiple * step.length;
    if (coming.tick % lane.multiple != 0) continue;
    double course[powers];
    const bool is_sampled = own.degree == 0 && !own.subsystem->capabilities().takes_polynomials;
    write_course(signal, own.degree, course);
    if (is_sampled) course[0] = signal.at(0.0);
    for (int k = 0; k <= own.degree; ++k)
      memory.values[static_cast<std::size_t>(own.coefficients + port + k * own.inputs)] = course[k];
  }
}

/// What an input is where it is largest or smallest stays within its limits: at its constants, or at both ends of a
/// ramp. Whether that changed it.
bool keep_limits(const CorrectedLane& lane, const CorrectedWire& wire, double* values) {
  Corners corners(lane, wire, values);
  double* const at = corners.at;
  bool changed = false;
  for (int i = 0; i < corners.count; ++i) {
    const double kept = std::clamp(at[i], wire.low, wire.high);
    changed = changed || kept != at[i];
    at[i] = kept;
  }
  if (!changed) return false;
  const double apart = corners.apart, bend = corners.count > 2 ? 0.5 * (at[0] - 2.0 * at[1] + at[2]) : 0.0;
  const double c[powers] = {at[0], (at[1] - at[0] - bend) / apart, bend / (apart * apart)};
  for (int k = 0; k < corners.count; ++k) values[wire.coefficients + k * wire.stride] = c[k];
  return true;
}

CorrectorShape shape_of(ModelNeeds::Source models, const Predictive::Form& form) {
  using Input = Predictive::Input;
  const Input input = form.input;
  CorrectorShape shape;
  shape.models.source = models;
  shape.models.reads = ModelNeeds::Reads::coupled;
  shape.addition = Addition::polynomial;
  shape.degree = input == Input::automatic || input == Input::ramp ? 1 : 0;
  shape.pieces = input == Input::automatic || input == Input::pieces ? form.pieces : 1;
  shape.needs_form = input == Input::ramp || input == Input::pieces;
  shape.order = form.order.value_or(2);
  shape.chooses_order = shape.falls_back = !form.order;
  shape.keeps_sums = form.keeps_sums;
  shape.observes_pieces = form.observes_pieces;
  shape.points_before = shape.order;
  shape.output_rows.assign(row_names, row_names + 2 * shape.order + 1);
  shape.of_states = "estimate of state";
  return shape;
}

}  // namespace

Predictive::Predictive(ModelNeeds::Source models, const Form& form) : shape_(shape_of(models, form)) {}

void Predictive::begin(const Program& program, Memory& memory) const {
  const Correction& c = *program.correction;
  for (const CorrectedLane& lane : c.lanes) {
    const Observed o(program, lane, memory);
    const int n = lane.states, p = lane.outputs;
    double* const left = o.left(c);  // y, then y - D u, then what C x^ does not explain of it
    for (int i = 0; i < p; ++i) left[i] = o.values[c.outputs[static_cast<std::size_t>(lane.first_output + i)].raw];
    for (int i = 0; i < o.own.inputs; ++i) {
      const double input = -o.values[o.own.now[static_cast<std::size_t>(i)]];
      add_product(o.models + o.at.D + i * p, p, 1, &input, left);
    }
    std::fill_n(o.estimate(), n, 0.0);
    if (n > 0 && lane.equations->start == LaneModel::Start::of_states) {
      const lti::Matrix& from = lane.equations->to_states;
      add_product(from.data(), n, static_cast<int>(from.cols()), o.own.subsystem->states().data(), o.estimate());
    } else if (n > 0 && lane.equations->start == LaneModel::Start::known) {
      std::copy_n(lane.equations->known.data(), n, o.estimate());
    } else {
      add_product(o.models + o.at.start, n, p, left, o.estimate());
    }
    for (int s = 0; s < n; ++s) {
      const double taken_off = -o.estimate()[s];
      add_product(o.models + o.at.C + s * p, p, 1, &taken_off, left);
    }
    std::copy_n(o.estimate(), n, o.at_begin());
    forget_rows(c, lane, o.values);
  }
}

/// What is sent are the outputs as they are: nothing reads it but records.
void Predictive::correct_outputs(CorrectionContext& m) const {
  const Correction& c = m.correction;
  if (c.order >= 0) forget_errors(m);
  follow_coupled_motion(m);
  for (const CorrectedLane& lane : c.lanes) {
    if (!m.is_here(lane)) continue;
    observe(m, lane);
    for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o)
      m.sent()[o] = m.raw(c.outputs[static_cast<std::size_t>(o)], 0);
  }
  settle_sums(m);
  if (c.order >= 0) choose(m);
}

void Predictive::write_inputs(const ComingStep& coming, const LaneRange& lanes, Memory& memory) const {
  const Correction& c = *coming.program.correction;
  for (const CorrectedLane& lane : c.lanes) write_signals(coming, lane, memory);
  if (lanes.count == 0) return;
  const Prediction& p = *c.prediction;
  const bool holds = is_held(c, memory);
  const GainRows& by = p.orders[static_cast<std::size_t>(order_of(c, memory))];
  double* const values = memory.values.data();
  const CorrectedLane& first = c.lanes[static_cast<std::size_t>(lanes.first)];
  const CorrectedLane& last = c.lanes[static_cast<std::size_t>(lanes.first + lanes.count - 1)];
  for (int w = first.first_input; w < last.first_input + last.inputs; ++w) {
    const CorrectedWire& wire = c.wires[static_cast<std::size_t>(w)];
    const int row = p.rows[static_cast<std::size_t>(w)], rows = p.rows[static_cast<std::size_t>(w) + 1] - row;
    for (int k = 0; k <= wire.degree; ++k)
      values[wire.coefficients + k * wire.stride] = !holds && k < rows ? value_of(by, row + k, memory) : 0.0;
    if (holds)
      values[wire.coefficients] = wire.gain * values[c.sent + wire.output] + wire.offset;
    else if (wire.sum >= 0)
      values[wire.coefficients] += values[wire.sum + 1];
    const CorrectedLane& sink = c.lanes[static_cast<std::size_t>(wire.sink)];
    if (wire.limited && keep_limits(sink, wire, values)) ++memory.knowledge[static_cast<std::size_t>(c.cut + w)];
  }
}

void Predictive::outputs_changed(const Correction& c, const CorrectedLane& lane, double* values) const {
  for (int o = lane.first_output; o < lane.first_output + lane.outputs; ++o)
    values[c.output_row(residual) + o] += values[c.outputs[static_cast<std::size_t>(o)].raw] - values[c.sent + o];
  forget_rows(c, lane, values);
}

}  // namespace seam::coupling
