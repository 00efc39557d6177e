// Where the corrector's memory lies, and the models in it that stay as they are.
#include <algorithm>

#include "seam/coupling/corrector/context.hpp"
#include "seam/coupling/corrector/models.hpp"
#include "seam/coupling/corrector/prediction_maker.hpp"
#include "seam/coupling/layout.hpp"

namespace seam::coupling {
namespace {

void lay_out_outputs(Parts& parts) {
  Correction& c = *parts.correction;
  for (const CorrectedLane& lane : c.lanes) {
    const Lane& own = parts.lanes[static_cast<std::size_t>(lane.lane)];
    for (int o = 0; o < lane.outputs; ++o) {
      CorrectedOutput& output = c.outputs[static_cast<std::size_t>(lane.first_output + o)];
      output.raw = own.values + lane.output_ports[static_cast<std::size_t>(o)];
      if (output.emitter_group < 0) continue;
      output.point = parts.emitters[static_cast<std::size_t>(output.emitter_group)].rows + o;
      output.stride = lane.outputs * (own.segments / std::max(c.shape.looks, lane.looks));
    }
  }
}

void lay_out_wire(const Route& route, int input, Places& values, Parts& parts, CorrectedWire& corrected) {
  Lane& sink = parts.lanes[static_cast<std::size_t>(route.to)];
  corrected.coefficients = sink.coefficients + input;
  corrected.stride = sink.inputs;
  corrected.degree = std::min(sink.degree, powers - 1);
  const bool in_place = corrected.is_sample && !parts.correction->shape.has_offset();
  corrected.corrected = in_place ? corrected.coefficients : values.take(1);
  if (corrected.is_sample) sink.now[static_cast<std::size_t>(input)] = corrected.corrected;
  if (route.emitter_group < 0) return;
  const EmitterGroup& group = parts.emitters[static_cast<std::size_t>(route.emitter_group)];
  corrected.fine_from = group.rows + route.sent_column;
  corrected.fine_stride = static_cast<int>(group.ports.size());
  corrected.fine_count = parts.receivers[static_cast<std::size_t>(route.receiver_group)].rows_per_arrival;
  corrected.fine = values.take(corrected.fine_count);
}

/// The equations of a lane that do not change.
void write_equations(const CompileOptions& options, const CorrectedLane& lane, const Lane& own, double* models) {
  const assembly::LinearNumbers numbers = equations_of(lane, own, models);
  if (const GivenModel* given = options.model_of(own.member)) {
    const auto copy = [](const lti::Matrix& from, double* to) { std::copy_n(from.data(), from.size(), to); };
    copy(given->equations.A, numbers.A);
    copy(given->equations.B, numbers.B);
    copy(given->equations.C, numbers.C);
    copy(given->equations.D, numbers.D);
  } else {
    const std::vector<double> inputs(static_cast<std::size_t>(own.inputs));
    own.subsystem->facets().equations->tell_linear(options.start, inputs, numbers);
  }
}

}  // namespace

void lay_out_correction(const Routes& routes, const std::vector<assembly::Wire>& wires, CorrectionPlaces places,
                        Parts& parts) {
  Correction& c = *parts.correction;
  const int count = static_cast<int>(c.wires.size()), lanes = static_cast<int>(c.lanes.size());
  lay_out_outputs(parts);
  for (CorrectedWire& corrected : c.wires) {
    const auto w = static_cast<std::size_t>(corrected.wire);
    lay_out_wire(routes.wires[w], wires[w].input, places.values, parts, corrected);
  }
  if (c.shape.addition == Addition::constant) c.offset = places.values.take(count);
  c.seen = places.knowledge.take(1);
  c.clamped = places.knowledge.take(count);
  c.skipped = places.knowledge.take(lanes);
  c.cut = places.knowledge.take(count);
  c.unreported = places.knowledge.take(lanes);
  c.unsolved = places.knowledge.take(1);
  if (c.shape.falls_back) {
    c.order = places.knowledge.take(2);
    c.fallen = places.knowledge.take(4);
  }
  if (!c.shape.of_states.empty()) {
    c.states = places.values.size();
    for (CorrectedLane& lane : c.lanes) {
      lane.carried = lane.at_begin = places.values.take(lane.states);
      const bool is_estimate = c.shape.models.reads == ModelNeeds::Reads::coupled;
      if (lane.multiple > 1 && is_estimate) lane.at_begin = places.values.take(lane.states);
    }
    c.state_count = places.values.size() - c.states;
  }
  c.output_rows = places.values.take(static_cast<int>(c.shape.output_rows.size() * c.outputs.size()));
  c.rows = places.values.take(static_cast<int>(c.shape.rows.size()) * count);
  for (CorrectedWire& wire : c.wires) {
    if (wire.keeps_sum) wire.sum = places.values.take(2);
  }
  for (CorrectedLane& lane : c.lanes) {
    if (!c.one_rate)
      lane.signals = places.values.take(static_cast<int>(lane.driven_ports.size() * c.rates.size()) * powers);
  }
  c.sent = places.values.take(static_cast<int>(c.outputs.size()));
}

void list_signals(const Correction& c, std::vector<int>& signals) {
  const int wires = static_cast<int>(c.wires.size());
  const auto list = [&](int first, int count) {
    for (int i = 0; first >= 0 && i < count; ++i) signals.push_back(first + i);
  };
  for (const CorrectedWire& wire : c.wires) {
    if (!wire.is_sample && c.shape.reads_last_inputs) list(wire.corrected, 1);
    list(wire.sum, 2);
  }
  for (const CorrectedLane& lane : c.lanes) {
    if (lane.multiple > 1) list(c.sent + lane.first_output, lane.outputs);
  }
  list(c.states, c.state_count);
  list(c.output_rows, static_cast<int>(c.shape.output_rows.size() * c.outputs.size()));
  list(c.rows, static_cast<int>(c.shape.rows.size()) * wires);
  list(c.offset, wires);
}

bool make_models(const CompileTask& task, Layout& layout) {
  Correction& c = *layout.correction;
  if (c.shape.models.reads == ModelNeeds::Reads::coupled) {
    if (!make_prediction(task, layout)) return false;
    c.work = static_cast<int>(layout.initial.models.size());
    layout.initial.models.resize(static_cast<std::size_t>(c.work) + CorrectionWorkspace::size(c), 0.0);
    return true;
  }
  int size = 0;
  for (CorrectedLane& lane : c.lanes)
    size = lay_out_model(layout.lanes[static_cast<std::size_t>(lane.lane)], lane, size);
  c.solved = size;
  c.solved_sinks = c.solved + static_cast<int>(c.outputs.size() * c.outputs.size());
  c.sizes = c.solved_sinks + static_cast<int>(c.wires.size() * c.wires.size());
  c.work = c.sizes + static_cast<int>(c.wires.size());
  layout.initial.models.assign(static_cast<std::size_t>(c.work) + CorrectionWorkspace::size(c), 0.0);
  double* const models = layout.initial.models.data();
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const double otherwise = c.refreshes ? 0.0 : 1.0;  // it will be seen, or it is what FMI supposes
    models[c.sizes + static_cast<int>(w)] = c.wires[w].size > 0.0 ? c.wires[w].size : otherwise;
  }
  for (const CorrectedLane& lane : c.lanes) {
    const Lane& own = layout.lanes[static_cast<std::size_t>(lane.lane)];
    if (c.shape.learns() || lane.known == Known::nothing || lane.refresh == Refresh::every_step) continue;
    write_equations(task.options, lane, own, models);
    write_model(c, lane, own, models);
  }
  return c.refreshes || solve_models(c, models);
}

}  // namespace seam::coupling
