#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "seam/base/names.hpp"
#include "seam/system/resolve.hpp"

namespace seam::system {
namespace {

// How well a pattern names something: not at all, by so many literal characters, or exactly.
constexpr std::size_t exact = std::numeric_limits<std::size_t>::max();
struct Fit {
  bool matches = false;
  std::size_t literal = 0;
};

/// What a plan may call a subsystem or a connection. Patterns are about the name alone.
struct Names {
  std::string name;
  std::string bond = {};  ///< of a connection that belongs to one
};

Fit fit(const std::string& pattern, const Names& names) {
  const std::string& name = names.name;
  if (pattern == name || (!names.bond.empty() && pattern == names.bond)) return {true, exact};
  if (base::is_element_of(name, pattern)) return {true, pattern.size() + 1};  // more than a star says
  if (!base::is_pattern(pattern) || !base::matches(pattern, name)) return {};
  return {true, base::literal_characters(pattern)};
}

// The request that fits `name` best among those `wanted` accepts; a tie is a problem.
template <typename Request, typename Wanted>
const Request* most_specific(const std::vector<Request>& requests, const Names& names, Wanted wanted,
                             base::Problems& problems) {
  const Request* best = nullptr;
  const Request* rival = nullptr;
  std::size_t literal = 0;
  for (const Request& request : requests) {
    const Fit f = fit(request.pattern, names);
    if (!f.matches || !wanted(request)) continue;
    if (!best || f.literal > literal) {
      best = &request;
      literal = f.literal;
      rival = nullptr;
    } else if (f.literal == literal) {
      rival = &request;
    }
  }
  if (rival) {
    problems.add(
        rival->where,
        fmt::format("\"{}\" and \"{}\" are equally specific, and \"{}\" matches both", best->pattern, rival->pattern,
                    names.name),
        literal == exact ? "leave one of them out" : fmt::format("say what holds for \"{}\" by its name", names.name));
  }
  return best;
}

template <typename Request>
bool matches_any(const Request& request, const std::vector<Names>& all) {
  return std::ranges::any_of(all, [&](const Names& names) { return fit(request.pattern, names).matches; });
}

std::vector<std::string> plain(const std::vector<Names>& all) {
  std::vector<std::string> result;
  for (const Names& names : all) {
    result.push_back(names.name);
    if (!names.bond.empty()) result.push_back(names.bond);
  }
  return result;
}

void check_connection_patterns(const SystemDescription& description, const std::vector<Names>& sinks,
                               base::Problems& problems) {
  for (const ConnectionPlanRequest& request : description.plan.connections) {
    if (matches_any(request, sinks)) continue;
    const auto by_source = std::ranges::find_if(description.connections,
                                                [&](const Connection& c) { return c.from.text == request.pattern; });
    if (by_source != description.connections.end()) {
      problems.add(request.where,
                   fmt::format("\"{}\" is a source; the plan names connections by their sink", request.pattern),
                   fmt::format("write \"{}\"", by_source->to.text));
      continue;
    }
    if (base::is_pattern(request.pattern)) {
      problems.add(request.where, fmt::format("\"{}\" matches no connected input", request.pattern),
                   "* stays within one part of a name, ** goes across dots");
    } else {
      problems.add(request.where, fmt::format("\"{}\" is not a connected input", request.pattern),
                   base::did_you_mean(request.pattern, plain(sinks)));
    }
  }
}

void check_subsystem_patterns(const SystemDescription& description, const std::vector<Names>& names,
                              base::Problems& problems) {
  for (const SubsystemPlanRequest& request : description.plan.subsystems) {
    if (matches_any(request, names)) continue;
    problems.add(request.where, fmt::format("\"{}\" matches no subsystem", request.pattern),
                 base::did_you_mean(request.pattern, plain(names)));
  }
}

SubsystemPlanRequest merged(const PlanRequest& plan, const Names& name, base::Problems& problems) {
  SubsystemPlanRequest result;
  result.pattern = name.name;
  result.feedthrough = plan.feedthrough;
  result.feedthrough_where = plan.feedthrough_where;
  const auto has_micro_step = [](const SubsystemPlanRequest& r) { return r.micro_step.has_value(); };
  if (const auto* request = most_specific(plan.subsystems, name, has_micro_step, problems)) {
    result.where = request->where;
    result.micro_step = request->micro_step;
    result.micro_step_where = request->micro_step_where;
  }
  const auto has_feedthrough = [](const SubsystemPlanRequest& r) { return r.feedthrough.has_value(); };
  if (const auto* request = most_specific(plan.subsystems, name, has_feedthrough, problems)) {
    result.where = request->where;
    result.feedthrough = request->feedthrough;
    result.feedthrough_where = request->feedthrough_where;
  }
  const auto has_step = [](const SubsystemPlanRequest& r) { return r.step.has_value(); };
  if (const auto* request = most_specific(plan.subsystems, name, has_step, problems)) {
    result.where = request->where;
    result.step = request->step;
    result.step_where = request->step_where;
  }
  const auto has_via = [](const SubsystemPlanRequest& r) { return r.via.has_value(); };
  if (const auto* request = most_specific(plan.subsystems, name, has_via, problems)) {
    result.where = request->where;
    result.via = request->via;
    result.via_where = request->via_where;
  }
  return result;
}

/// The connections that `over` of the corrector names; all where it is not given.
std::vector<bool> corrected(const PlanRequest& plan, const std::vector<Names>& sinks, base::Problems& problems) {
  std::vector<bool> result(sinks.size(), true);
  if (!plan.corrector) return result;
  const auto& given = plan.corrector->parameters;
  const auto over = std::ranges::find(given, "over", &Setting::name);
  if (over == given.end()) return result;
  result.assign(sinks.size(), false);
  std::vector<Value> patterns = over->value.items;
  if (over->value.kind != Value::Kind::list) patterns = {over->value};
  for (const Value& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < sinks.size(); ++i) {
      if (!fit(pattern.text, sinks[i]).matches) continue;
      result[i] = any = true;
    }
    if (!any)
      problems.add(pattern.where, fmt::format("\"{}\" matches no connected input", pattern.text),
                   base::did_you_mean(pattern.text, plain(sinks)));
  }
  return result;
}

}  // namespace

bool PlanRequest::has_auto() const {
  return auto_step || (coupling && coupling->is_auto()) || (schedule && schedule->kind == Schedule::Kind::automatic) ||
         std::ranges::any_of(connections,
                             [](const ConnectionPlanRequest& request) { return request.coupling.is_auto(); });
}

RequestedPlan spread(const SystemDescription& description, base::Problems& problems) {
  std::vector<Names> sinks, names;
  for (const Connection& connection : description.connections) sinks.push_back({connection.to.text});
  for (const Bond& bond : description.bonds) {
    if (bond.origin != Bond::Origin::file) continue;  // what was only recognised cannot be relied on by name
    for (const int connection : {bond.effort, bond.flow}) {
      if (connection >= 0) sinks[static_cast<std::size_t>(connection)].bond = bond.name;
    }
  }
  for (const Subsystem& subsystem : description.subsystems) names.push_back({subsystem.name});
  check_connection_patterns(description, sinks, problems);
  check_subsystem_patterns(description, names, problems);

  static const CouplingRequest nothing;
  const CouplingRequest* const usual = description.plan.coupling ? &*description.plan.coupling : &nothing;
  RequestedPlan result;
  const auto any = [](const ConnectionPlanRequest&) { return true; };
  for (const Names& sink : sinks) {
    const auto* request = most_specific(description.plan.connections, sink, any, problems);
    result.connections.push_back(request ? &request->coupling : usual);
  }
  for (const Names& name : names) result.subsystems.push_back(merged(description.plan, name, problems));
  result.corrected = corrected(description.plan, sinks, problems);
  return result;
}

}  // namespace seam::system
