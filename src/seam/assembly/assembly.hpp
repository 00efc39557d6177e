// The live side of a system: subsystems that can be stepped, and who is connected to whom.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/assembly/native.hpp"
#include "seam/base/problem.hpp"
#include "seam/system/description.hpp"

namespace seam::assembly {

/// One subsystem of the description, at the same index. A signal known ahead of time has no subsystem: its sinks follow
/// it.
struct Member {
  std::string name;
  system::PortList inputs, outputs;
  std::unique_ptr<Subsystem> subsystem;
  std::vector<std::shared_ptr<const ode::TimeSignal>> signals;  ///< one an output, where these are known ahead of time
  std::vector<Drive> drives;                                    ///< inputs that follow a known signal
  std::shared_ptr<const ode::Ode> equations;                    ///< of a model of our own
};

/// value at the sink = gain * value at the source + offset.
struct Wire {
  int connection = -1;  ///< index in the description and in the plan
  int from = -1, output = -1;
  int to = -1, input = -1;
  double gain = 1.0, offset = 0.0;
};

/// A value that is no real number on its way, as it was sent; into a real input: gain * value + offset.
struct DiscreteWire {
  Wire ends;  ///< ports counted as the member lists them
  system::PortType from = system::PortType::int32, to = system::PortType::int32;
  int sent = 0;      ///< number among the source's discrete values
  int received = 0;  ///< number among the sink's discrete values, or the real input itself
  std::vector<system::MapEntry> map = {};
};

struct Assembly {
  std::vector<Member> members;
  std::vector<Wire> wires;  ///< between live subsystems only; a sink that follows a known signal has none
  std::vector<DiscreteWire> discrete_wires;
  std::vector<system::Connection> connections;
  std::vector<std::string> notices;  ///< what the user should know of the initialisation

  /// "subsystem.port" of either end of a wire.
  std::string source_name(const Wire& wire) const;
  std::string sink_name(const Wire& wire) const;
};

/// What arrives at a sink that takes reals. Throws base::Error if that is not the number that was sent.
double real_through(const Assembly& assembly, const DiscreteWire& wire, const DiscreteValue& sent);
/// The whole number that arrives at the other end; none if the sink cannot take it.
std::optional<std::int64_t> whole_through(const DiscreteWire& wire, const DiscreteValue& sent);
/// What arrives at a sink that takes discrete values. Throws base::Error(subsystem) naming both ends if it does not
/// fit.
void deliver(const Assembly& assembly, const DiscreteWire& wire, const DiscreteValue& sent, DiscreteValue& received);

/// Values of all ports at one time, one vector a member.
struct PortValues {
  std::vector<std::vector<double>> inputs, outputs;
  std::vector<std::vector<DiscreteValue>> discrete_in, discrete_out;
};

/// Every member's outputs for consistent inputs at time t, direct feed-through and its loops solved.
/// Inputs that nothing is connected to have their start values (0 where they follow a known signal: the subsystem reads
/// it itself).
PortValues consistent_ports(Assembly& assembly, double t, Sources sources);

/// Brings every subsystem to its start state and gives the ports there.
PortValues initialise(Assembly& assembly, double t0);

}  // namespace seam::assembly
