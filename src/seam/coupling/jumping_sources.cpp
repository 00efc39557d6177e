#include "seam/coupling/jumping_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/coupling/catalog.hpp"

namespace seam::coupling {
namespace {

using assembly::Member;
using assembly::Wire;

enum class Roughness {
  smooth,
  measured,  ///< corners closer to each other than a macro step
  jumping,
  impulsive  ///< it jumps back within a micro step
};

/// As far as its first corners tell.
Roughness roughness(const ode::TimeSignal& signal, double start, double macro_step, double micro_step) {
  constexpr int looked_at = 1000;
  Roughness worst = Roughness::smooth;
  double corner_before = -INFINITY, jump_before = 0.0, t = start;
  for (int i = 0; i < looked_at; ++i) {
    t = signal.next_corner(t);
    if (!std::isfinite(t)) break;
    const double jump = signal.at(t) - signal.before(t), since = t - corner_before;
    const bool back = jump != 0.0 && std::abs(jump + jump_before) < 1e-6 * std::abs(jump);
    if (back && since < 1.001 * micro_step) return Roughness::impulsive;
    if (jump != 0.0) worst = Roughness::jumping;
    if (jump == 0.0 && since < macro_step) worst = std::max(worst, Roughness::measured);
    corner_before = t;
    jump_before = jump;
  }
  return worst;
}

bool is_smooth(const Surroundings& around, const Wire& wire) {
  const auto continuous = [](const system::Port& port) { return port.variability == system::Variability::continuous; };
  return has_filters(around.plan.connections[static_cast<std::size_t>(wire.connection)]) &&
         continuous(around.assembly.members[static_cast<std::size_t>(wire.from)]
                        .outputs[static_cast<std::size_t>(wire.output)]) &&
         continuous(
             around.assembly.members[static_cast<std::size_t>(wire.to)].inputs[static_cast<std::size_t>(wire.input)]);
}

std::string through_signals(const Surroundings& around, const Member& member, const Wire& wire) {
  const system::SubsystemPlan& plan = around.plan.subsystems[static_cast<std::size_t>(wire.from)];
  const double macro_step = plan.multiple * around.plan.step;
  for (const assembly::Drive& drive : member.drives) {
    const Roughness rough = roughness(*drive.signal, around.start, macro_step, plan.micro_step);
    const std::string name = member.name + "." + member.inputs[static_cast<std::size_t>(drive.input)].name;
    if (rough == Roughness::impulsive) return fmt::format("jump: an impulse at {} makes states jump", name);
    if (rough == Roughness::smooth || !member.subsystem->feeds_through(wire.output, drive.input)) continue;
    if (rough == Roughness::jumping) return fmt::format("jump: it follows {} at once, and that signal jumps", name);
    return fmt::format("be noisy: it follows {} at once, which has corners closer than a macro step", name);
  }
  return {};
}

}  // namespace

std::string why_it_may_jump(const Surroundings& around, const Wire& wire) {
  const Member& member = around.assembly.members[static_cast<std::size_t>(wire.from)];
  const auto name_of = [&](int input) {
    return member.name + "." + member.inputs[static_cast<std::size_t>(input)].name;
  };
  if (member.subsystem->facets().discrete_part) return "jump: it has events";
  for (const Wire& into : around.assembly.wires) {
    if (into.to != wire.from || !member.subsystem->feeds_through(wire.output, into.input)) continue;
    if (!is_smooth(around, into))
      return fmt::format("jump: it may follow {} at once, which jumps at communication points", name_of(into.input));
  }
  for (const system::Course& course : around.courses) {
    if (course.subsystem != wire.from) continue;
    if (course.input < 0) return "jump: an event of the experiment changes a parameter";
    if (member.subsystem->feeds_through(wire.output, course.input))
      return fmt::format("jump: an event of the experiment changes {}", name_of(course.input));
  }
  return through_signals(around, member, wire);
}

}  // namespace seam::coupling
