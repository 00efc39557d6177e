// The corrector's part of a program: which wires it corrects, and where its memory lies.
#include <fmt/format.h>

#include <algorithm>

#include "seam/coupling/catalog.hpp"
#include "seam/coupling/compiler.hpp"
#include "seam/coupling/corrector/correct.hpp"
#include "seam/coupling/corrector/learning.hpp"
#include "seam/coupling/emitter/fine_samples.hpp"

namespace seam::coupling {

using assembly::LinearOffer;
using assembly::Wire;
using base::Tick;

/// The corrector writes the input itself, or the place next to it to which an offset is added.
bool Compiler::is_corrected_sample(const Wire& wire) const {
  const system::Coupling& coupling = plan_.connections[static_cast<std::size_t>(wire.connection)];
  if (!is_corrected(wire) || !is_plain_hold(coupling)) return false;
  if (is_ahead(lane_of(wire.from), lane_of(wire.to))) return false;
  return std::none_of(options_.courses.begin(), options_.courses.end(), [&](const system::Course& course) {
    return course.subsystem == wire.to && course.input == wire.input;
  });
}

const CorrectedWire* Compiler::corrected(std::size_t wire) const {
  if (!program_.correction) return nullptr;
  const auto& wires = program_.correction->wires;
  const auto found = std::find_if(wires.begin(), wires.end(),
                                  [&](const CorrectedWire& c) { return c.wire == static_cast<int>(wire); });
  return found == wires.end() ? nullptr : &*found;
}

void Compiler::choose_corrected() {
  if (plan_.corrector.name.empty()) return;
  program_.correction.emplace();
  const bool any =
      std::any_of(assembly_.wires.begin(), assembly_.wires.end(), [&](const Wire& wire) { return is_corrected(wire); });
  if (!any) {
    program_.correction.reset();
    return;
  }
  Correction& c = *program_.correction;
  c.corrector = make_corrector(plan_.corrector);
  c.shape = c.corrector->shape();
  for (const Wire& wire : assembly_.wires) {
    if (plan_.corrector(wire.connection) && has_filters(plan_.connections[static_cast<std::size_t>(wire.connection)]))
      c.notices.push_back(
          fmt::format("corrector: {} is left as it is, since filters act on it", assembly_.sink_name(wire)));
  }
  const std::string what = fmt::format("the corrector \"{}\" is not possible", plan_.corrector.name);
  if (plan_.events == system::Events::shared)
    problems_.add(plan_.corrector.where, what + " where events are shared", "use events: local (default)");
  number_corrected();
  for (const CorrectedLane& corrected : c.lanes) {
    Lane& lane = program_.lanes[static_cast<std::size_t>(corrected.lane)];
    const system::SubsystemPlan& plan = plan_.subsystems[static_cast<std::size_t>(lane.member)];
    if (plan.feedthrough == system::Feedthrough::fresh && corrected.outputs > 0)
      problems_.add(plan.feedthrough_where.source ? plan.feedthrough_where : plan_.corrector.where,
                    fmt::format("{}: \"{}\" sends its outputs fresh", what, member(lane.member).name),
                    "use feedthrough: held (default)");
    if (c.shape.addition == Addition::line && corrected.inputs > 0) lane.degree = std::max(lane.degree, 1);
    c.one_rate = c.one_rate && lane.multiple == 1;
  }
  if (c.shape.looks > 1 && !c.one_rate)
    problems_.add(plan_.corrector.where, "micro_outputs above 1 need one step for all subsystems that are corrected");
}

CorrectedLane Compiler::corrected_lane(std::size_t l) const {
  CorrectedLane corrected;
  const Lane& lane = program_.lanes[l];
  corrected.lane = static_cast<int>(l);
  corrected.multiple = lane.multiple;
  for (const Wire& wire : assembly_.wires) {
    if (!is_corrected(wire)) continue;
    if (wire.to == lane.member) corrected.input_ports.push_back(wire.input);
    auto& outputs = corrected.output_ports;
    const bool own = wire.from == lane.member;
    if (own && std::find(outputs.begin(), outputs.end(), wire.output) == outputs.end()) outputs.push_back(wire.output);
  }
  corrected.inputs = static_cast<int>(corrected.input_ports.size());
  corrected.outputs = static_cast<int>(corrected.output_ports.size());
  corrected.may_have_events = !member(lane.member).equations;
  return corrected;
}

/// Lanes in their order, and side by side the wires into each and the outputs of each.
void Compiler::number_corrected() {
  Correction& c = *program_.correction;
  for (std::size_t l = 0; l < program_.lanes.size(); ++l) {
    CorrectedLane lane = corrected_lane(l);
    if (lane.inputs == 0 && lane.outputs == 0) continue;
    lane.first_input = static_cast<int>(c.wires.size());
    lane.first_output = static_cast<int>(c.outputs.size());
    for (std::size_t w = 0; w < assembly_.wires.size(); ++w) {
      const Wire& wire = assembly_.wires[w];
      if (!is_corrected(wire) || wire.to != program_.lanes[l].member) continue;
      CorrectedWire corrected;
      corrected.wire = static_cast<int>(w);
      corrected.sink = static_cast<int>(c.lanes.size());
      corrected.gain = wire.gain;
      corrected.offset = wire.offset;
      const system::Port& port = member(wire.to).inputs[static_cast<std::size_t>(wire.input)];
      corrected.size = std::abs(port.nominal.value_or(0.0));
      if (options_.stop) {  // analysis looks at small deviations, far from all limits
        corrected.low = port.min.value_or(corrected.low);
        corrected.high = port.max.value_or(corrected.high);
        corrected.limited = port.min || port.max;
      }
      c.wires.push_back(corrected);
    }
    for (int o = 0; o < lane.outputs; ++o) c.outputs.push_back({static_cast<int>(c.lanes.size())});
    c.lanes.push_back(std::move(lane));
  }
  for (CorrectedWire& corrected : c.wires) {
    const Wire& wire = assembly_.wires[static_cast<std::size_t>(corrected.wire)];
    const int source = lane_of_member_[static_cast<std::size_t>(wire.from)];
    const auto lane =
        std::find_if(c.lanes.begin(), c.lanes.end(), [&](const CorrectedLane& l) { return l.lane == source; });
    const auto port = std::find(lane->output_ports.begin(), lane->output_ports.end(), wire.output);
    corrected.output = lane->first_output + static_cast<int>(port - lane->output_ports.begin());
  }
}

/// Outputs inside a step are seen where the master splits it: into as many calls as are asked for.
void Compiler::split_for_points() {
  if (!program_.correction) return;
  Correction& c = *program_.correction;
  for (CorrectedLane& corrected : c.lanes) {
    Lane& lane = program_.lanes[static_cast<std::size_t>(corrected.lane)];
    const assembly::Capabilities can = lane.subsystem->capabilities();
    const double part = step_of(lane) / c.shape.looks;
    if (c.shape.looks > 1) {
      const bool is_split = lane.crossing != Crossing::whole;
      const bool fits = part >= can.shortest_step && (can.step_unit == 0.0 || base::divide(part, can.step_unit).exact);
      if ((is_split && lane.segments % c.shape.looks != 0) || !fits) {
        problems_.add(
            plan_.corrector.where,
            fmt::format("\"{}\" cannot be looked at {} times a step by the corrector", member(lane.member).name,
                        c.shape.looks),
            is_split ? fmt::format("it is called {} times: make micro_outputs and its micro_step fit", lane.segments)
                     : "use micro_outputs: 1 (default)");
        continue;
      }
      if (!is_split) {
        lane.segments = c.shape.looks;
        lane.crossing = can.takes_polynomials ? Crossing::polynomial_segments : Crossing::constant_segments;
      }
    }
    const bool held = plan_.subsystems[static_cast<std::size_t>(lane.member)].via == system::Via::hold;
    if (lane.degree > 0 && lane.crossing == Crossing::constant_segments) corrected.calls = lane.segments;
    if (lane.degree > 0 && held) corrected.calls = c.shape.looks;
    corrected.pieces = corrected.calls / c.shape.points();
    corrected.length = step_of(lane) / c.shape.points();
    for (int k = 0; k < powers; ++k) {
      corrected.end[k] = corrected.pieces > 0 ? std::pow(1.0 - 1.0 / corrected.pieces, k) : 1.0;
      corrected.mean[k] = corrected.calls > 0 ? 0.0 : 1.0 / (k + 1);
      for (int s = 0; s < corrected.calls; ++s)
        corrected.mean[k] += std::pow(static_cast<double>(s) / corrected.calls, k) / corrected.calls;
    }
  }
  lay_out_points();
}

/// Emitters that see every micro point of the outputs.
void Compiler::lay_out_points() {
  Correction& c = *program_.correction;
  for (const CorrectedLane& corrected : c.lanes) {
    if (c.shape.looks == 1 || corrected.outputs == 0) continue;
    Lane& lane = program_.lanes[static_cast<std::size_t>(corrected.lane)];
    auto emitter = std::make_unique<FineSamples>(lane.segments);
    lane.emitters.push_back(static_cast<int>(program_.emitters.size()));
    for (int o = 0; o < corrected.outputs; ++o)
      c.outputs[static_cast<std::size_t>(corrected.first_output + o)].point =
          static_cast<int>(program_.emitters.size());
    program_.emitters.push_back({emitter.get(), corrected.output_ports, 0, 0});
    program_.owned_emitters.push_back(std::move(emitter));
  }
}

void Compiler::lay_out_corrected_wires() {
  Correction& c = *program_.correction;
  for (CorrectedWire& corrected : c.wires) {
    const Wire& wire = assembly_.wires[static_cast<std::size_t>(corrected.wire)];
    Lane& sink = lane_of(wire.to);
    corrected.coefficients = sink.coefficients + wire.input;
    corrected.stride = sink.inputs;
    corrected.degree = std::min(sink.degree, powers - 1);
    corrected.is_sample = is_corrected_sample(wire);
    corrected.is_plain_hold = is_plain_hold(plan_.connections[static_cast<std::size_t>(wire.connection)]);
    corrected.corrected = corrected.is_sample && !c.shape.has_offset() ? corrected.coefficients : take(1);
    if (corrected.is_sample) sink.now[static_cast<std::size_t>(wire.input)] = corrected.corrected;
    const Route& route = routes_[static_cast<std::size_t>(corrected.wire)];
    if (route.emitter_group < 0) continue;
    const EmitterGroup& group = program_.emitters[static_cast<std::size_t>(route.emitter_group)];
    corrected.fine_from = group.rows + route.sent_column;
    corrected.fine_stride = static_cast<int>(group.ports.size());
    corrected.fine_count = program_.receivers[static_cast<std::size_t>(route.receiver_group)].rows_per_arrival;
    corrected.fine = take(corrected.fine_count);
  }
}

void Compiler::lay_out_correction() {
  if (!program_.correction) return;
  Correction& c = *program_.correction;
  const int wires = static_cast<int>(c.wires.size());
  for (const CorrectedLane& lane : c.lanes) {
    const Lane& own = program_.lanes[static_cast<std::size_t>(lane.lane)];
    for (int o = 0; o < lane.outputs; ++o) {
      CorrectedOutput& output = c.outputs[static_cast<std::size_t>(lane.first_output + o)];
      output.raw = own.values + lane.output_ports[static_cast<std::size_t>(o)];
      if (output.point < 0) continue;
      output.point = program_.emitters[static_cast<std::size_t>(output.point)].rows + o;
      output.stride = lane.outputs * (own.segments / c.shape.looks);
    }
  }
  lay_out_corrected_wires();
  if (c.shape.addition == Addition::constant) c.offset = take(wires);
  c.seen = program_.knowledge++;
  c.clamped = program_.knowledge;
  c.skipped = c.clamped + wires;
  c.cut = c.skipped + static_cast<int>(c.lanes.size());
  c.unreported = c.cut + wires;
  c.unsolved = c.unreported + static_cast<int>(c.lanes.size());
  program_.knowledge = c.unsolved + 1;
  for (CorrectedLane& lane : c.lanes) {
    LinearOffer offer;
    lane.known = what_is_known(lane, offer);
    if (lane.known == Known::model) lane.states = offer.states;
    c.most_states = std::max(c.most_states, lane.states);
  }
  if (c.shape.learns()) prepare_learning();
  if (c.shape.tracks) {
    c.errors = size_;
    for (CorrectedLane& lane : c.lanes) lane.error = take(lane.states);
    c.error_count = size_ - c.errors;
  }
  c.rows = take(static_cast<int>(c.shape.rows.size()) * wires);
  c.sent = take(static_cast<int>(c.outputs.size()));
}

/// Read before they are written in a step.
void Compiler::list_corrector_signals() {
  if (!program_.correction) return;
  const Correction& c = *program_.correction;
  const int wires = static_cast<int>(c.wires.size());
  const auto list = [&](int first, int count) {
    for (int i = 0; first >= 0 && i < count; ++i) program_.signals.push_back(first + i);
  };
  for (const CorrectedWire& wire : c.wires) {
    if (!wire.is_sample && c.shape.reads_last_inputs) list(wire.corrected, 1);
  }
  for (const CorrectedLane& lane : c.lanes) {
    if (lane.multiple > 1) list(c.sent + lane.first_output, lane.outputs);
  }
  list(c.errors, c.error_count);
  list(c.rows, static_cast<int>(c.shape.rows.size()) * wires);
  list(c.offset, wires);
}

/// Of the lanes that step to this tick, or of one of them.
void Compiler::write_offsets(Tick end, int lane) {
  if (!program_.correction || !program_.correction->shape.has_offset()) return;
  const auto& lanes = program_.correction->lanes;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const bool wanted = lane < 0 ? end % lanes[l].multiple == 0 : lanes[l].lane == lane;
    if (!wanted || lanes[l].inputs == 0) continue;
    Operation* const last = program_.operations.empty() ? nullptr : &program_.operations.back();
    const int first_of_slot = program_.slots.empty() ? 0 : program_.slots.back().first + program_.slots.back().count;
    const bool joins = last && static_cast<int>(program_.operations.size()) > first_of_slot &&
                       last->action == Action::offset && last->first + last->count == static_cast<int>(l);
    if (joins) {
      ++last->count;
    } else {
      program_.operations.push_back({Action::offset, static_cast<int>(l)});
    }
  }
}

}  // namespace seam::coupling
