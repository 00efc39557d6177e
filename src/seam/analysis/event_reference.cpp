#include "seam/analysis/event_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/analysis/monolithic_hybrid.hpp"
#include "seam/base/error.hpp"

namespace seam::analysis {
namespace {

using assembly::Assembly;
using assembly::EventfulEquations;

constexpr double tolerance = 1e-10;

class EventReference final : public Reference {
 public:
  EventReference(Assembly& assembly, double t0)
      : hybrid_(assembly, interconnection(assembly)),
        x_(hybrid_.start_states()),
        solver_(hybrid_, tolerance, hybrid_.nominals()),
        t_(t0) {
    for (const assembly::Member& member : assembly.members) {
      ports_.inputs.emplace_back(member.inputs.size());
      ports_.outputs.emplace_back(member.outputs.size());
    }
    hybrid_.set_part(t_, t_);
    event();  // each FMU has had its own first event; now that of all together
    hybrid_.write_ports(t_, x_, ports_);
  }

  void advance_to(double end) override {
    const double slack = 1e-9 * (end - t_);
    if (t_ < end && ended_.empty()) cross(end);
    arrived_ = t_ >= end - slack;
    hybrid_.write_ports(t_, x_, ports_);
  }
  const assembly::PortValues& ports() const override { return ports_; }
  std::string method() const override { return "CVODE with events, relative tolerance 1e-10"; }
  std::string ended() const override { return ended_; }
  bool arrived() const override { return arrived_; }

 private:
  void cross(double end) {
    constexpr int most_events = 10'000;
    const double slack = 1e-10 * (end - t_);
    for (int events = 0; events < most_events; ++events) {
      const double stop = next_stop(end, slack);
      hybrid_.set_part(t_, stop);
      const ode::Arrival arrival = t_ < stop ? solver_.advance(t_, stop, x_) : ode::Arrival{t_, {}};
      t_ = arrival.time;
      ended_ = hybrid_.wish_to_end();
      if (!ended_.empty()) return;
      const bool due = hybrid_.next_event() <= t_ || (t_ >= stop && corner_ <= stop + slack);
      if (due || arrival.reason != ode::Arrival::Reason::end) event();
      if (!ended_.empty() || (t_ >= end && hybrid_.next_event() > t_)) return;
    }
    throw base::Error(
        base::Failure::subsystem,
        fmt::format("there were {} events on the way to {} s, and no end of them at {} s", most_events, end, t_));
  }

  /// What happens at the end, up to rounding, belongs to this step.
  double next_stop(double end, double slack) {
    corner_ = hybrid_.next_corner(t_ + slack);
    const double next = std::min(hybrid_.next_event(), corner_);
    if (next > end + slack) return end;
    return next < end - slack ? std::max(t_, next) : std::max({t_, end, next});
  }

  void event() {
    const auto nominals = hybrid_.handle_event(t_, x_);
    ended_ = hybrid_.wish_to_end();
    if (!ended_.empty()) return;
    if (nominals == EventfulEquations::Nominals::changed) solver_.set_nominals(hybrid_.nominals());
    hybrid_.set_part(t_, t_);
    solver_.mark(t_, x_);
  }

  MonolithicHybrid hybrid_;
  std::vector<double> x_;
  ode::EventSolver solver_;
  double t_;
  double corner_ = 0.0;  // the next one of a known signal
  assembly::PortValues ports_;
  std::string ended_;
  bool arrived_ = true;
};

}  // namespace

std::unique_ptr<Reference> make_event_reference(Assembly& assembly, double t0) {
  assembly::initialise(assembly, t0);
  return std::make_unique<EventReference>(assembly, t0);
}

/// A discrete input is set at events; what changes between them has no value for it.
std::string why_no_event_reference(const Assembly& assembly) {
  const auto is_discrete = [](const system::Port& port) { return port.variability == system::Variability::discrete; };
  for (const assembly::Wire& wire : assembly.wires) {
    const assembly::Member& to = assembly.members[static_cast<std::size_t>(wire.to)];
    const assembly::Member& from = assembly.members[static_cast<std::size_t>(wire.from)];
    if (to.equations || !is_discrete(to.inputs[static_cast<std::size_t>(wire.input)])) continue;
    if (!from.signals.empty() || is_discrete(from.outputs[static_cast<std::size_t>(wire.output)])) continue;
    return fmt::format("{} is discrete and changes at events alone, but {} changes continuously",
                       assembly.sink_name(wire), assembly.source_name(wire));
  }
  for (const assembly::Member& member : assembly.members) {
    for (const assembly::Drive& drive : member.drives) {
      const system::Port& port = member.inputs[static_cast<std::size_t>(drive.input)];
      if (!member.equations && is_discrete(port) && port.type == system::PortType::real)
        return fmt::format("{}.{} is discrete and changes at events alone, but it follows a known signal", member.name,
                           port.name);
    }
  }
  return {};
}

}  // namespace seam::analysis
