#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/assembly/assembly.hpp"
#include "seam/base/error.hpp"
#include "seam/lti/solve.hpp"

namespace seam::assembly {
namespace {

void evaluate_all(Assembly& assembly, double t, Sources sources, PortValues& ports) {
  for (std::size_t i = 0; i < assembly.members.size(); ++i) {
    Member& member = assembly.members[i];
    if (!member.subsystem) continue;
    member.subsystem->give(ports.parcels_in[i]);
    member.subsystem->evaluate(t, sources, ports.inputs[i], ports.outputs[i]);
    member.subsystem->take(ports.parcels_out[i]);
  }
}

double& input_of(PortValues& ports, const Wire& wire) {
  return ports.inputs[static_cast<std::size_t>(wire.to)][static_cast<std::size_t>(wire.input)];
}

double arriving(const PortValues& ports, const Wire& wire) {
  return wire.gain * ports.outputs[static_cast<std::size_t>(wire.from)][static_cast<std::size_t>(wire.output)] +
         wire.offset;
}

/// Sets every input to what arrives; whether anything changed.
bool wire_all(const Assembly& assembly, PortValues& ports) {
  bool changed = false;
  for (const Wire& wire : assembly.wires) {
    const double value = arriving(ports, wire);
    double& input = input_of(ports, wire);
    changed = changed || !(value == input);
    input = value;
  }
  return changed;
}

enum class Settling { goes_on, is_over };

/// Hands on every parcel; whether anything changed. While values settle, one that a sink cannot take waits.
bool pass_parcels(const Assembly& assembly, PortValues& ports, Settling settling) {
  bool changed = false;
  for (const ParcelWire& wire : assembly.parcel_wires) {
    const auto to = static_cast<std::size_t>(wire.ends.to);
    const auto received = static_cast<std::size_t>(wire.received);
    const Parcel& sent =
        ports.parcels_out[static_cast<std::size_t>(wire.ends.from)][static_cast<std::size_t>(wire.sent)];
    if (wire.to == system::PortType::real) {
      const double value = real_through(wire, sent);
      changed = changed || !(value == ports.inputs[to][received]);
      ports.inputs[to][received] = value;
      continue;
    }
    const bool fits = system::is_text(wire.to) || whole_through(wire, sent);
    if (!fits && settling == Settling::goes_on) continue;
    const Parcel before = ports.parcels_in[to][received];
    deliver(assembly, wire, sent, ports.parcels_in[to][received]);
    changed = changed || !(before == ports.parcels_in[to][received]);
  }
  return changed;
}

lti::Vector residual(Assembly& assembly, double t, Sources sources, PortValues& ports) {
  evaluate_all(assembly, t, sources, ports);
  lti::Vector r(static_cast<Eigen::Index>(assembly.wires.size()));
  for (std::size_t w = 0; w < assembly.wires.size(); ++w) {
    r(static_cast<Eigen::Index>(w)) = input_of(ports, assembly.wires[w]) - arriving(ports, assembly.wires[w]);
  }
  return r;
}

/// Whether what travels on a wire comes back to it through direct feed-through alone.
bool in_loop(const Assembly& assembly, std::size_t wire) {
  std::vector<std::size_t> reached = {wire};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Wire& at = assembly.wires[reached[next]];
    const Subsystem& subsystem = *assembly.members[static_cast<std::size_t>(at.to)].subsystem;
    for (std::size_t w = 0; w < assembly.wires.size(); ++w) {
      if (assembly.wires[w].from != at.to || !subsystem.feeds_through(assembly.wires[w].output, at.input)) continue;
      if (w == wire) return true;
      if (std::find(reached.begin(), reached.end(), w) == reached.end()) reached.push_back(w);
    }
  }
  return false;
}

std::string loop_names(const Assembly& assembly) {
  std::string names;
  for (std::size_t w = 0; w < assembly.wires.size(); ++w) {
    if (in_loop(assembly, w)) {
      names += (names.empty() ? "" : ", ") + assembly.source_name(assembly.wires[w]) + " -> " +
               assembly.sink_name(assembly.wires[w]);
    }
  }
  return names;
}

PortValues start_ports(const Assembly& assembly) {
  PortValues ports;
  for (const Member& member : assembly.members) {
    std::vector<double> inputs;
    for (const system::Port& port : member.inputs) inputs.push_back(port.start.value_or(0.0));
    ports.inputs.push_back(std::move(inputs));
    ports.outputs.emplace_back(member.outputs.size(), 0.0);
    ports.parcels_in.emplace_back();
    for (std::size_t i = system::count_reals(member.inputs); i < member.inputs.size(); ++i)
      ports.parcels_in.back().push_back(member.inputs[i].first);
    ports.parcels_out.emplace_back(member.outputs.size() - system::count_reals(member.outputs));
  }
  return ports;
}

/// A loop through simulators that keep to their last input between steps needs no solution to be stepped: it starts
/// from what their start values give, and the user is told. Equations of our own have no such excuse: false.
bool start_from_start_values(Assembly& assembly, double t, Sources sources, PortValues& ports) {
  bool excused = false;
  for (std::size_t w = 0; w < assembly.wires.size(); ++w) {
    const auto to = static_cast<std::size_t>(assembly.wires[w].to);
    excused = excused || (in_loop(assembly, w) && !assembly.members[to].subsystem->shows_states());
  }
  if (!excused) return false;
  ports = start_ports(assembly);
  evaluate_all(assembly, t, sources, ports);
  wire_all(assembly, ports);
  assembly.notices.push_back(
      "the loop of direct feed-through has no solution at the start and begins with start values: " +
      loop_names(assembly));
  return true;
}

/// Newton on u - (K g(u) + offset) = 0 over all connected inputs, Jacobian by differences (exact for linear
/// feed-through).
void solve_loops(Assembly& assembly, double t, Sources sources, PortValues& ports) {
  constexpr int most_iterations = 50;
  const auto count = static_cast<Eigen::Index>(assembly.wires.size());
  double size = 1.0;
  for (const Wire& wire : assembly.wires) size = std::max(size, std::abs(arriving(ports, wire)));
  lti::Vector r = residual(assembly, t, sources, ports);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    lti::Matrix jacobian(count, count);
    for (Eigen::Index w = 0; w < count; ++w) {
      double& input = input_of(ports, assembly.wires[static_cast<std::size_t>(w)]);
      const double kept = input;
      // A power of two: differences of a linear feed-through are then exact, and a singular loop is seen to be one.
      const double delta = std::exp2(std::ceil(std::log2(std::max(1.0, std::abs(kept)))) - 20.0);
      input = kept + delta;
      jacobian.col(w) = (residual(assembly, t, sources, ports) - r) / delta;
      input = kept;
    }
    const auto change = lti::solve(jacobian, r);
    if (!change) break;
    double largest = 0.0;
    for (Eigen::Index w = 0; w < count; ++w) {
      double& input = input_of(ports, assembly.wires[static_cast<std::size_t>(w)]);
      input -= (*change)(w);
      largest = std::max(largest, std::abs((*change)(w)) / std::max(1.0, std::abs(input)));
    }
    r = residual(assembly, t, sources, ports);
    if (largest < 1e-13) break;
  }
  // Against the values before the first iteration: a loop without solution runs away, and beside that everything is
  // small.
  if (r.cwiseAbs().maxCoeff() <= 1e-9 * size) return;
  if (start_from_start_values(assembly, t, sources, ports)) return;
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the loop of direct feed-through has no solution at t = {} s: {}\n"
                                "   give one of these outputs a state, or break the loop with a delay block",
                                t, loop_names(assembly)));
}

}  // namespace

std::string Assembly::source_name(const Wire& wire) const {
  const Member& member = members[static_cast<std::size_t>(wire.from)];
  return member.name + "." + member.outputs[static_cast<std::size_t>(wire.output)].name;
}

std::string Assembly::sink_name(const Wire& wire) const {
  const Member& member = members[static_cast<std::size_t>(wire.to)];
  return member.name + "." + member.inputs[static_cast<std::size_t>(wire.input)].name;
}

namespace {

struct Whole {
  Parcel parcel;
  system::PortType type;
};

/// What the table of the connection makes of it.
Whole translated(const ParcelWire& wire, const Parcel& sent) {
  for (const system::MapEntry& entry : wire.map) {
    if (entry.from == sent.integer) return {{entry.to, {}}, system::PortType::int64};
  }
  return {{sent.integer, {}}, wire.from};
}

}  // namespace

double real_through(const ParcelWire& wire, const Parcel& sent) {
  const Whole whole = translated(wire, sent);
  return wire.ends.gain * system::real_of(whole.parcel, whole.type) + wire.ends.offset;
}

std::optional<std::int64_t> whole_through(const ParcelWire& wire, const Parcel& sent) {
  const Whole whole = translated(wire, sent);
  return system::whole_for(wire.to, whole.parcel, whole.type);
}

void deliver(const Assembly& assembly, const ParcelWire& wire, const Parcel& sent, Parcel& received) {
  if (system::is_text(wire.to)) {
    received.text = sent.text;
    return;
  }
  const auto whole = whole_through(wire, sent);
  if (!whole) {
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("{} sent {}, which {} cannot take: it is of type {}", assembly.source_name(wire.ends),
                    system::text_of(sent, wire.from), assembly.sink_name(wire.ends), system::word(wire.to)));
  }
  received.integer = *whole;
}

namespace {

/// Real inputs and outputs that agree, for parcels as they are.
void agree_on_reals(Assembly& assembly, double t, Sources sources, PortValues& ports) {
  // Without a loop the values travel through at most as many subsystems as there are.
  for (std::size_t sweep = 0; sweep <= assembly.members.size(); ++sweep) {
    evaluate_all(assembly, t, sources, ports);
    if (!wire_all(assembly, ports)) return;
  }
  solve_loops(assembly, t, sources, ports);
}

}  // namespace

PortValues consistent_ports(Assembly& assembly, double t, Sources sources) {
  PortValues ports = start_ports(assembly);
  // Parcels cannot be iterated to a solution: those that go round and still change begin with what they have.
  for (std::size_t round = 0; round <= assembly.members.size(); ++round) {
    agree_on_reals(assembly, t, sources, ports);
    if (!pass_parcels(assembly, ports, Settling::goes_on)) return ports;
  }
  const std::vector<ParcelWire>& wires = assembly.parcel_wires;
  assembly.notices.push_back(
      "values that are no real numbers go round at the start without settling and begin as they are: " +
      assembly.source_name(wires.front().ends) + (wires.size() > 1 ? " and others" : ""));
  return ports;
}

PortValues initialise(Assembly& assembly, double t0) {
  for (Member& member : assembly.members) {
    if (member.subsystem) member.subsystem->initialise(t0);
  }
  PortValues ports = consistent_ports(assembly, t0, Sources::live);
  for (std::size_t i = 0; i < assembly.members.size(); ++i) {
    if (!assembly.members[i].subsystem) continue;
    assembly.members[i].subsystem->begin_steps(ports.outputs[i]);
    assembly.members[i].subsystem->take(ports.parcels_out[i]);
  }
  wire_all(assembly, ports);
  pass_parcels(assembly, ports, Settling::is_over);
  return ports;
}

}  // namespace seam::assembly
