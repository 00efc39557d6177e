// What a coupling of filters cannot do, said before it is compiled.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/filters.hpp"
#include "seam/coupling/jumping_sources.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/coupling/route_finder.hpp"

namespace seam::coupling {

/// Between two looks at the outputs of a source, in intervals between the samples that it sends.
double RouteFinder::micro_step_of_samples(const assembly::Wire& wire) {
  return step_of(lane_of(wire.from)) / micro_steps(wire.from) / interval(lane_of(wire.from), lane_of(wire.to));
}

void RouteFinder::check_emitter(const assembly::Wire& wire, const system::Coupling& coupling) {
  const Entry* const entry = find(Part::emitter, coupling.emitter.name);
  const auto fault = entry->fault ? entry->fault(coupling.emitter, micro_step_of_samples(wire)) : std::nullopt;
  if (!fault) return;
  problems_.add({},
                fmt::format("{} on {} is not possible: {} with the micro step of \"{}\"", coupling.name,
                            assembly_.sink_name(wire), fault->what, member(wire.from).name),
                fault->advice);
}

void RouteFinder::check_filters(const assembly::Wire& wire, const system::Coupling& coupling) {
  const std::string name = assembly_.sink_name(wire);
  const auto refuse = [&](const std::string& what, const std::string& advice) {
    problems_.add({}, fmt::format("{} on {} is not possible: {}", coupling.name, name, what), advice);
  };
  if (plan_.events == system::Events::shared)
    refuse("events are shared, and its filters cannot stop inside a step", "use events: local or another coupling");
  for (const system::Course& course : options_.courses) {
    if (course.subsystem == wire.to && course.input == wire.input)
      refuse("an event of the experiment changes that input", "use another coupling for it");
  }
  warn_of_jumps(wire, coupling);
}

void RouteFinder::warn_of_jumps(const assembly::Wire& wire, const system::Coupling& coupling) {
  const Roots roots = read_roots(coupling.emitter).value_or(Roots{});
  if (affinity(coupling) != Affinity::affine || roots.zeros.size() < roots.poles.size()) return;
  const std::string why = why_it_may_jump({assembly_, plan_, options_.courses, options_.start}, wire);
  if (why.empty()) return;
  assembly_.notices.push_back(fmt::format(
      "{} on {}: {} may {}. Its compensator multiplies jumps and noise by {:.4g}; give it a jump_limit, or use zoh",
      coupling.name, assembly_.sink_name(wire), assembly_.source_name(wire), why, roots.gain));
}

/// Filters know one length of a micro step.
void RouteFinder::check_last_step_of_filters() {
  if (routes_.horizon.last_step == 0.0) return;
  const double fraction = routes_.horizon.last_step / routes_.horizon.grid.step;
  const auto filtered = [&](const Lane& lane) {
    return !lane.smoothers.empty() || std::any_of(lane.emitters.begin(), lane.emitters.end(), [&](int e) {
      return parts_.emitters[static_cast<std::size_t>(e)].emitter->carried(1 << 20).count > 0;
    });
  };
  for (const Lane& lane : parts_.lanes) {
    const double calls = lane.segments * fraction;
    if (!filtered(lane) || std::abs(calls - segments_of_last_step(lane.segments, fraction)) < 1e-6) continue;
    problems_.add(options_.stop_where,
                  fmt::format("the stop time {} s is not a whole number of micro steps of \"{}\", by which the filters "
                              "of its coupling go",
                              *options_.stop, member(lane.member).name),
                  fmt::format("stop at {} s or at {} s", routes_.horizon.grid.time(routes_.horizon.ticks),
                              routes_.horizon.grid.time(routes_.horizon.ticks + 1)));
    return;
  }
}

}  // namespace seam::coupling
