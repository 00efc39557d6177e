// Which wires the corrector of a plan corrects, where it looks at outputs, and what it knows of the subsystems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/coupling/corrector/learning.hpp"
#include "seam/coupling/corrector/prediction_maker.hpp"
#include "seam/coupling/emitter/fine_samples.hpp"
#include "seam/coupling/micro_rows.hpp"
#include "seam/coupling/route_finder.hpp"
#include "seam/lti/integrators.hpp"

namespace seam::coupling {

using assembly::LinearOffer;
using assembly::Wire;

namespace {

/// What the models do not explain is held.
void extrapolate_nothing(CorrectorShape& shape) {
  shape.chooses_order = false;
  shape.order = shape.points_before = 0;
  shape.output_rows.resize(1);
}

}  // namespace

/// The corrector writes the input itself, or the place next to it to which an offset is added.
bool RouteFinder::is_corrected_sample(const Wire& wire) const {
  const system::Coupling& coupling = plan_.connections[static_cast<std::size_t>(wire.connection)];
  if (!is_corrected(wire) || !is_plain_hold(coupling)) return false;
  const bool predicted = parts_.correction->shape.addition == Addition::polynomial;
  if (!predicted && is_ahead(lane_of(wire.from), lane_of(wire.to))) return false;
  return std::none_of(options_.courses.begin(), options_.courses.end(), [&](const system::Course& course) {
    return course.subsystem == wire.to && course.input == wire.input;
  });
}

void RouteFinder::choose_corrected() {
  if (plan_.corrector.name.empty()) return;
  const bool any =
      std::any_of(assembly_.wires.begin(), assembly_.wires.end(), [&](const Wire& wire) { return is_corrected(wire); });
  if (!any) return;
  Correction& c = parts_.correction.emplace();
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
  c.rates = {1};
  for (CorrectedLane& corrected : c.lanes) {
    Lane& lane = parts_.lanes[static_cast<std::size_t>(corrected.lane)];
    const system::SubsystemPlan& plan = plan_.subsystems[static_cast<std::size_t>(lane.member)];
    if (plan.feedthrough == system::Feedthrough::fresh && corrected.outputs > 0)
      problems_.add(plan.feedthrough_where.source ? plan.feedthrough_where : plan_.corrector.where,
                    fmt::format("{}: \"{}\" sends its outputs fresh", what, member(lane.member).name),
                    "use feedthrough: held (default)");
    if (c.shape.addition == Addition::line && corrected.inputs > 0) lane.degree = std::max(lane.degree, 1);
    if (c.shape.addition == Addition::polynomial && corrected.inputs > 0) choose_written(corrected, lane);
    c.one_rate = c.one_rate && lane.multiple == 1;
    if (std::find(c.rates.begin(), c.rates.end(), lane.multiple) == c.rates.end()) c.rates.push_back(lane.multiple);
  }
  if (c.shape.addition == Addition::polynomial) check_written();
  if (c.shape.looks > 1 && !c.one_rate)
    problems_.add(plan_.corrector.where, "micro_outputs above 1 need one step for all subsystems that are corrected");
}

/// Whether its step can be made in so many calls, and nothing else wants it in others.
bool RouteFinder::can_be_split(const Lane& lane, int calls) {
  const assembly::Capabilities can = lane.subsystem->capabilities();
  const double part = step_of(lane) / calls;
  if (part < can.shortest_step || (can.step_unit > 0.0 && !base::divide(part, can.step_unit).exact)) return false;
  const bool is_split = can.wants_micro_steps || wants_micro_rows(options_.micro, lane.member) ||
                        std::any_of(assembly_.wires.begin(), assembly_.wires.end(), [&](const Wire& wire) {
                          const system::Coupling& coupling =
                              plan_.connections[static_cast<std::size_t>(wire.connection)];
                          return (wire.from == lane.member && sends_by_emitter(coupling)) ||
                                 (wire.to == lane.member && has_filters(coupling));
                        });
  return !is_split || micro_steps(lane.member) == calls;
}

/// Of a corrector that writes the inputs itself: the form that the sink takes.
void RouteFinder::choose_written(CorrectedLane& corrected, Lane& lane) {
  const CorrectorShape& shape = parts_.correction->shape;
  const bool held = plan_.subsystems[static_cast<std::size_t>(lane.member)].via == system::Via::hold;
  if (shape.degree > 0 && lane.subsystem->capabilities().takes_polynomials && !held) {
    corrected.written = shape.degree + 1;
  } else if (shape.pieces > 1 && !held && can_be_split(lane, shape.pieces)) {
    corrected.written = lane.constants = shape.pieces;
    corrected.in_pieces = true;
    if (shape.observes_pieces) corrected.looks = shape.pieces;
  } else if (shape.needs_form) {
    const std::string sink = member(lane.member).name;
    problems_.add(
        plan_.corrector.where,
        shape.pieces > 1
            ? fmt::format("the corrector \"{}\" cannot give \"{}\" {} constants a step: its step is not made "
                          "in so many calls",
                          plan_.corrector.name, sink, shape.pieces)
            : fmt::format("the corrector \"{}\" cannot give \"{}\" ramps: its inputs do not vary inside a step",
                          plan_.corrector.name, sink),
        "use input: auto (default)");
  }
  lane.degree = std::max(lane.degree, corrected.written - 1);
}

/// A corrector that writes the inputs itself leaves nothing to a hold.
void RouteFinder::check_written() {
  const std::string what = fmt::format("the corrector \"{}\" is not possible", plan_.corrector.name);
  for (const CorrectedWire& corrected : parts_.correction->wires) {
    if (corrected.is_plain_hold) continue;
    const Wire& wire = assembly_.wires[static_cast<std::size_t>(corrected.wire)];
    problems_.add(
        plan_.corrector.where,
        fmt::format("{} on {}, which is coupled by {}: it writes the input itself", what, assembly_.sink_name(wire),
                    plan_.connections[static_cast<std::size_t>(wire.connection)].name),
        "use zoh, or leave this connection out of `over`");
    return;
  }
  if (!parts_.correction->one_rate) keep_order_0();
}

/// What was seen in steps of different lengths has no common course.
void RouteFinder::keep_order_0() {
  Correction& c = *parts_.correction;
  if (c.shape.order > 0 && !c.shape.chooses_order)
    problems_.add(plan_.corrector.where,
                  fmt::format("the corrector \"{}\" does not extrapolate by order {} where subsystems have steps of "
                              "their own",
                              plan_.corrector.name, c.shape.order),
                  "use extrapolation: 0, or one step for all");
  extrapolate_nothing(c.shape);
}

CorrectedLane RouteFinder::corrected_lane(std::size_t l) const {
  CorrectedLane corrected;
  const Lane& lane = parts_.lanes[l];
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

CorrectedWire RouteFinder::corrected_wire(std::size_t w) const {
  const Wire& wire = assembly_.wires[w];
  CorrectedWire corrected;
  corrected.wire = static_cast<int>(w);
  corrected.gain = wire.gain;
  corrected.offset = wire.offset;
  corrected.is_sample = is_corrected_sample(wire);
  corrected.is_plain_hold = is_plain_hold(plan_.connections[static_cast<std::size_t>(wire.connection)]);
  const system::Port& port = member(wire.to).inputs[static_cast<std::size_t>(wire.input)];
  corrected.size = std::abs(port.nominal.value_or(0.0));
  if (!options_.stop) return corrected;  // analysis looks at small deviations, far from all limits
  corrected.low = port.min.value_or(corrected.low);
  corrected.high = port.max.value_or(corrected.high);
  corrected.limited = port.min || port.max;
  return corrected;
}

/// Lanes in their order, and side by side the wires into each and the outputs of each.
void RouteFinder::number_corrected() {
  Correction& c = *parts_.correction;
  for (std::size_t l = 0; l < parts_.lanes.size(); ++l) {
    CorrectedLane lane = corrected_lane(l);
    if (lane.inputs == 0 && lane.outputs == 0) continue;
    const int number = static_cast<int>(c.lanes.size());
    lane.first_input = static_cast<int>(c.wires.size());
    lane.first_output = static_cast<int>(c.outputs.size());
    for (std::size_t w = 0; w < assembly_.wires.size(); ++w) {
      if (!is_corrected(assembly_.wires[w]) || routes_.wires[w].to != lane.lane) continue;
      routes_.wires[w].corrected = static_cast<int>(c.wires.size());
      c.wires.push_back(corrected_wire(w));
      c.wires.back().sink = number;
    }
    for (int o = 0; o < lane.outputs; ++o) c.outputs.push_back({number});
    c.lanes.push_back(std::move(lane));
  }
  for (CorrectedWire& corrected : c.wires) {
    const int source = routes_.wires[static_cast<std::size_t>(corrected.wire)].from;
    const int output = assembly_.wires[static_cast<std::size_t>(corrected.wire)].output;
    const auto lane =
        std::find_if(c.lanes.begin(), c.lanes.end(), [&](const CorrectedLane& l) { return l.lane == source; });
    const auto port = std::find(lane->output_ports.begin(), lane->output_ports.end(), output);
    corrected.output = lane->first_output + static_cast<int>(port - lane->output_ports.begin());
  }
}

/// Outputs inside a step are seen where the master splits it: into as many calls as are asked for.
void RouteFinder::split_for_points(const CorrectedLane& corrected) {
  const int looks = parts_.correction->shape.looks;
  Lane& lane = parts_.lanes[static_cast<std::size_t>(corrected.lane)];
  const assembly::Capabilities can = lane.subsystem->capabilities();
  const double part = step_of(lane) / looks;
  const bool is_split = lane.crossing != Crossing::whole;
  const bool fits = part >= can.shortest_step && (can.step_unit == 0.0 || base::divide(part, can.step_unit).exact);
  if ((is_split && lane.segments % looks != 0) || !fits) {
    problems_.add(
        plan_.corrector.where,
        fmt::format("\"{}\" cannot be looked at {} times a step by the corrector", member(lane.member).name, looks),
        is_split ? fmt::format("it is called {} times: make micro_outputs and its micro_step fit", lane.segments)
                 : "use micro_outputs: 1 (default)");
  } else if (!is_split) {
    lane.segments = looks;
    lane.crossing = can.takes_polynomials ? Crossing::polynomial_segments : Crossing::constant_segments;
  }
}

/// Emitters that see every micro point of the outputs.
void RouteFinder::watch_points() {
  Correction& c = *parts_.correction;
  for (const CorrectedLane& corrected : c.lanes) {
    if (std::max(c.shape.looks, corrected.looks) == 1 || corrected.outputs == 0) continue;
    Lane& lane = parts_.lanes[static_cast<std::size_t>(corrected.lane)];
    const int group = static_cast<int>(parts_.emitters.size());
    lane.emitters.push_back(group);
    for (int o = 0; o < corrected.outputs; ++o)
      c.outputs[static_cast<std::size_t>(corrected.first_output + o)].emitter_group = group;
    parts_.emitters.push_back({std::make_shared<FineSamples>(lane.segments), corrected.output_ports});
  }
}

void RouteFinder::find_corrected_points() {
  if (!parts_.correction) return;
  Correction& c = *parts_.correction;
  for (CorrectedLane& corrected : c.lanes) {
    if (c.shape.looks > 1) split_for_points(corrected);
    const Lane& lane = parts_.lanes[static_cast<std::size_t>(corrected.lane)];
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
  watch_points();
}

/// A window in which there can be a model.
void RouteFinder::check_windows() {
  Correction& c = *parts_.correction;
  for (const CorrectedLane& lane : c.lanes) {
    if (lane.known != Known::model) continue;
    const Lane& own = parts_.lanes[static_cast<std::size_t>(lane.lane)];
    const int window = c.shape.models.learning.window, least = least_window(c.shape, lane);
    if (window < least)
      problems_.add(
          plan_.corrector.where,
          fmt::format("{} macro steps are not enough to identify a model of \"{}\"", window, member(own.member).name),
          fmt::format("use window: {} or more", least));
    if (own.degree > 0)
      c.notices.push_back(
          fmt::format("corrector: inputs of \"{}\" move within a step; an identified model knows them by their means",
                      member(own.member).name));
  }
}

/// By what the user wants and the subsystem offers; what is missing is said.
Known RouteFinder::what_is_known(const CorrectedLane& lane, LinearOffer& offer) {
  using Kind = LinearOffer::Kind;
  Correction& c = *parts_.correction;
  const ModelNeeds& needs = c.shape.models;
  const bool source = lane.inputs == 0 && needs.reads != ModelNeeds::Reads::coupled;
  const bool reads = needs.reads != ModelNeeds::Reads::nothing && needs.source != ModelNeeds::Source::none;
  if (source || lane.outputs == 0 || !reads) return Known::nothing;
  const Lane& own = parts_.lanes[static_cast<std::size_t>(lane.lane)];
  const assembly::Member& m = member(own.member);
  if (c.shape.learns()) {
    offer.states = most_learned_states(c.shape, lane.outputs);
    return Known::model;
  }
  offer = assembly::linear_offer_of(*own.subsystem);
  if (const GivenModel* given = options_.model_of(own.member)) {
    offer = {Kind::fixed, static_cast<int>(given->equations.states())};
    return Known::model;
  }
  const bool is_ours = m.equations || offer.kind == Kind::fixed;
  if (needs.source == ModelNeeds::Source::exact && !is_ours) offer = {};
  const auto say = [&](const char* what) {
    c.notices.push_back(fmt::format("corrector: {} of \"{}\" {}", what, m.name,
                                    c.shape.addition != Addition::constant
                                        ? "is known, so nothing is corrected there"
                                        : "is known, so only its inputs get offsets"));
  };
  if (needs.reads == ModelNeeds::Reads::coupled && offer.kind != Kind::fixed) {
    if (lane.inputs > 0)
      c.notices.push_back(fmt::format(
          "corrector: no linear model of \"{}\" is known, so its outputs are expected to stay as they are", m.name));
    return Known::nothing;
  }
  switch (offer.kind) {
    case Kind::nothing:
      say("no linear model");
      return Known::nothing;
    case Kind::feedthrough:
      if (needs.reads != ModelNeeds::Reads::feedthrough)
        c.notices.push_back(fmt::format(
            "corrector: only the direct feed-through of \"{}\" is known, so nothing else is corrected there", m.name));
      return Known::feedthrough;
    case Kind::moving:
    case Kind::fixed:
      break;
  }
  return Known::model;
}

/// Equations of our own that are linear.
bool RouteFinder::leaves_nothing_unexplained() const {
  const auto& lanes = parts_.correction->lanes;
  return std::all_of(lanes.begin(), lanes.end(), [&](const CorrectedLane& lane) {
    const Lane& own = parts_.lanes[static_cast<std::size_t>(lane.lane)];
    const bool is_ours = member(own.member).equations && !options_.model_of(own.member);
    return lane.outputs == 0 || (lane.known == Known::model && is_ours);
  });
}

/// Real inputs of equations of our own that follow known signals, which the subsystem tells.
std::vector<int> RouteFinder::told_signals(const Lane& lane) const {
  std::vector<int> ports;
  const assembly::Tuning* const tuning = lane.subsystem->facets().tuning;
  if (!tuning || !tuning->tells_signals() || !lane.subsystem->capabilities().affine) return ports;
  for (const assembly::Drive& drive : member(lane.member).drives) {
    if (drive.input < lane.inputs) ports.push_back(drive.input);
  }
  return ports;
}

void RouteFinder::find_models() {
  if (!parts_.correction) return;
  Correction& c = *parts_.correction;
  for (CorrectedLane& lane : c.lanes) {
    Lane& own = parts_.lanes[static_cast<std::size_t>(lane.lane)];
    LinearOffer offer;
    lane.known = what_is_known(lane, offer);
    if (lane.known == Known::model) lane.states = offer.states;
    if (lane.known == Known::model && c.shape.models.reads == ModelNeeds::Reads::coupled) {
      lane.driven_ports = told_signals(own);
      lane.equations = lane_model({assembly_, plan_, options_, problems_}, lane, own);
      lane.states = static_cast<int>(lane.equations->system.states());
    }
    c.most_states = std::max(c.most_states, lane.states);
    if (lane.known == Known::nothing || c.shape.learns() || offer.kind == LinearOffer::Kind::fixed) continue;
    lane.refresh = Refresh::every_step;
    c.refreshes = true;
    if (c.shape.points_told() > 0 && own.crossing != Crossing::whole)
      own.told = static_cast<int>(&lane - c.lanes.data());
  }
  c.refreshes = c.refreshes || c.shape.learns();
  if (c.shape.falls_back && leaves_nothing_unexplained()) {
    c.shape.falls_back = false;
    extrapolate_nothing(c.shape);
  }
  for (CorrectedWire& wire : c.wires) {
    const CorrectedLane& sink = c.lanes[static_cast<std::size_t>(wire.sink)];
    const int input = static_cast<int>(&wire - c.wires.data()) - sink.first_input;
    wire.keeps_sum = c.shape.keeps_sums && sink.equations && lti::integrates(sink.equations->system, input);
  }
  if (c.shape.learns()) check_windows();
}

const GivenModel* CompileOptions::model_of(int member) const {
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const GivenModel& model) { return model.member == member; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace seam::coupling
