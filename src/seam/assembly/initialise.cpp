#include <fmt/format.h>

#include <algorithm>

#include "seam/assembly/assembly.hpp"
#include "seam/assembly/port_solver.hpp"
#include "seam/base/error.hpp"

namespace seam::assembly {
namespace {

void wire_all(const Assembly& assembly, PortValues& ports) {
  for (const Wire& wire : assembly.wires) {
    const double sent = ports.outputs[static_cast<std::size_t>(wire.from)][static_cast<std::size_t>(wire.output)];
    ports.inputs[static_cast<std::size_t>(wire.to)][static_cast<std::size_t>(wire.input)] =
        wire.gain * sent + wire.offset;
  }
}

enum class Settling { goes_on, is_over };

/// Hands on every discrete value; whether anything changed. While values settle, one that a sink cannot take waits.
bool pass_discrete_values(const Assembly& assembly, PortValues& ports, Settling settling) {
  bool changed = false;
  for (const DiscreteWire& wire : assembly.discrete_wires) {
    const auto to = static_cast<std::size_t>(wire.ends.to);
    const auto received = static_cast<std::size_t>(wire.received);
    const DiscreteValue& sent =
        ports.discrete_out[static_cast<std::size_t>(wire.ends.from)][static_cast<std::size_t>(wire.sent)];
    if (wire.to == system::PortType::real) {
      const double value = real_through(assembly, wire, sent);
      changed = changed || !(value == ports.inputs[to][received]);
      ports.inputs[to][received] = value;
      continue;
    }
    const bool fits = system::is_text(wire.to) || whole_through(wire, sent);
    if (!fits && settling == Settling::goes_on) continue;
    const DiscreteValue before = ports.discrete_in[to][received];
    deliver(assembly, wire, sent, ports.discrete_in[to][received]);
    changed = changed || !(before == ports.discrete_in[to][received]);
  }
  return changed;
}

PortValues start_ports(const Assembly& assembly) {
  PortValues ports;
  for (const Member& member : assembly.members) {
    std::vector<double> inputs;
    for (const system::Port& port : member.inputs) inputs.push_back(port.start.value_or(0.0));
    ports.inputs.push_back(std::move(inputs));
    ports.outputs.emplace_back(member.outputs.size(), 0.0);
    ports.discrete_in.emplace_back();
    for (std::size_t i = system::count_reals(member.inputs); i < member.inputs.size(); ++i)
      ports.discrete_in.back().push_back(member.inputs[i].first);
    ports.discrete_out.emplace_back(member.outputs.size() - system::count_reals(member.outputs));
  }
  return ports;
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
  DiscreteValue discrete_value;
  system::PortType type;
};

/// What the table of the connection makes of it.
Whole translated(const DiscreteWire& wire, const DiscreteValue& sent) {
  for (const system::MapEntry& entry : wire.map) {
    if (entry.from == sent.integer) return {{entry.to, {}}, system::PortType::int64};
  }
  return {{sent.integer, {}}, wire.from};
}

}  // namespace

double real_through(const Assembly& assembly, const DiscreteWire& wire, const DiscreteValue& sent) {
  const Whole whole = translated(wire, sent);
  const system::Port& sink =
      assembly.members[static_cast<std::size_t>(wire.ends.to)].inputs[static_cast<std::size_t>(wire.ends.input)];
  if (!system::is_exact_real(whole.discrete_value, whole.type, sink.precision)) {
    throw base::Error(base::Failure::subsystem,
                      fmt::format("{} sent {}, which {} cannot take: a real number has not so many digits",
                                  assembly.source_name(wire.ends), system::text_of(whole.discrete_value, whole.type),
                                  assembly.sink_name(wire.ends)));
  }
  return wire.ends.gain * system::real_of(whole.discrete_value, whole.type) + wire.ends.offset;
}

std::optional<std::int64_t> whole_through(const DiscreteWire& wire, const DiscreteValue& sent) {
  const Whole whole = translated(wire, sent);
  return system::whole_for(wire.to, whole.discrete_value, whole.type);
}

void deliver(const Assembly& assembly, const DiscreteWire& wire, const DiscreteValue& sent, DiscreteValue& received) {
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

/// The live subsystems at one time, with the discrete values as they are.
class LiveEquations final : public PortEquations {
 public:
  LiveEquations(Assembly& assembly, double t, Sources sources) : assembly_(assembly), t_(t), sources_(sources) {}

  bool takes_part(int member) const override { return of(member) != nullptr; }
  bool depends(int member, int output, int input) const override {
    return of(member)->feeds_through(output, input, Phase::initialising);
  }
  void evaluate(int member, PortValues& ports) override {
    const auto m = static_cast<std::size_t>(member);
    DiscretePorts* const discrete = of(member)->facets().discrete_ports;
    if (discrete) discrete->give(ports.discrete_in[m]);
    of(member)->evaluate(t_, sources_, ports.inputs[m], ports.outputs[m]);
    if (discrete) discrete->take(ports.discrete_out[m]);
  }
  std::optional<lti::Matrix> derivatives(int member, const PortValues& ports) override {
    Equations* const known = of(member)->facets().equations;
    if (!known) return std::nullopt;
    return known->feedthrough_matrix(t_, sources_, ports.inputs[static_cast<std::size_t>(member)]);
  }
  bool can_do_without(int member) const override { return !of(member)->shows_states(); }

 private:
  Subsystem* of(int member) const { return assembly_.members[static_cast<std::size_t>(member)].subsystem.get(); }

  Assembly& assembly_;
  double t_;
  Sources sources_;
};

/// A loop through simulators that keep to their last input between steps needs no solution to be stepped: it starts
/// from what their start values give, and the user is told. Equations of our own have no such excuse.
void excuse(Assembly& assembly, const LiveEquations& equations, const LoopFailure& failure, double t) {
  const auto& outputs = failure.loop.outputs;
  const bool excused = std::any_of(outputs.begin(), outputs.end(),
                                   [&](const OutputPlace& place) { return equations.can_do_without(place.member); });
  const std::string reason = explanation(assembly, failure, t);
  if (!excused) throw base::Error(base::Failure::subsystem, reason);
  assembly.notices.push_back(reason + "\n   The run begins with the start values of these FMUs");
}

void tell_who_was_found_out(Assembly& assembly, const PortSolver& solver) {
  for (const int member : solver.found_out()) {
    assembly.notices.push_back(assembly.members[static_cast<std::size_t>(member)].name +
                               ": its outputs follow from inputs at the start though its description says otherwise; "
                               "they are taken to depend on all of them");
  }
}

}  // namespace

PortValues consistent_ports(Assembly& assembly, double t, Sources sources) {
  PortValues ports = start_ports(assembly);
  LiveEquations equations(assembly, t, sources);
  PortSolver solver(assembly, equations);
  bool settled = false;
  std::vector<LoopFailure> failures;
  // Discrete values cannot be iterated to a solution: those that go round and still change begin with what they have.
  for (std::size_t round = 0; round <= assembly.members.size() && !settled; ++round) {
    failures = solver.solve(ports);
    settled = !pass_discrete_values(assembly, ports, Settling::goes_on);
  }
  for (const LoopFailure& failure : failures) excuse(assembly, equations, failure, t);
  tell_who_was_found_out(assembly, solver);
  if (settled) return ports;
  const std::vector<DiscreteWire>& wires = assembly.discrete_wires;
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
    Subsystem* const subsystem = assembly.members[i].subsystem.get();
    if (!subsystem) continue;
    subsystem->begin_steps(ports.outputs[i]);
    if (DiscretePorts* const discrete = subsystem->facets().discrete_ports) discrete->take(ports.discrete_out[i]);
  }
  wire_all(assembly, ports);
  pass_discrete_values(assembly, ports, Settling::is_over);
  return ports;
}

}  // namespace seam::assembly
