#include "seam/engine/open/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace seam::engine {
bool is_plain(const system::Connection& way) {
  return way.gain == 1.0 && way.offset == 0.0 && way.from_unit.empty() &&
         way.units == system::UnitConversion::automatic && way.map.empty();
}

namespace {

/// The ports behind a name; itself if it is no alias.
std::vector<std::string> behind(const std::string& name, const system::SystemDescription& description) {
  const auto found = std::ranges::find(description.aliases, name, &system::PortAlias::name);
  return found == description.aliases.end() ? std::vector{name} : found->ports;
}

/// Every pattern that is an alias becomes the ports behind it.
void resolve(std::vector<std::string>& patterns, std::vector<base::Location>& where,
             const system::SystemDescription& description) {
  std::vector<std::string> ports;
  std::vector<base::Location> places;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (const std::string& port : behind(patterns[i], description)) {
      ports.push_back(port);
      places.push_back(i < where.size() ? where[i] : base::Location{});
    }
  }
  patterns = std::move(ports);
  where = std::move(places);
}

/// A value is given to the ports as it is, so nothing may lie between.
void check_plain(const std::string& name, const system::SystemDescription& description, const base::Location& where,
                 base::Problems& problems) {
  for (const system::PortAlias& alias : description.aliases) {
    if (alias.name != name) continue;
    for (const system::Connection& way : alias.ways) {
      if (is_plain(way)) continue;
      problems.add(where, fmt::format("\"{}\" is converted on its way to \"{}\"", name, way.to.text),
                   fmt::format("set \"{}\" itself", way.to.text));
    }
  }
}

}  // namespace

std::vector<system::Connection> ways_from(const std::string& name, const system::SystemDescription& description) {
  std::vector<system::Connection> ways;
  for (const system::PortAlias& alias : description.aliases) {
    for (const system::Connection& way : alias.ways) {
      if (way.from.text == name) ways.push_back(way);
    }
  }
  return ways;
}

std::vector<std::string> without_aliases(const system::Setting& change, const system::SystemDescription& description,
                                         base::Problems& problems) {
  check_plain(change.name, description, change.where, problems);
  return behind(change.name, description);
}

void replace_aliases(system::SystemDescription& description, base::Problems& problems) {
  if (description.aliases.empty()) return;
  std::vector<system::ConnectionPlanRequest> connections;
  for (const system::ConnectionPlanRequest& request : description.plan.connections) {
    for (const std::string& port : behind(request.pattern, description))
      connections.push_back({port, request.coupling, request.where});
  }
  description.plan.connections = std::move(connections);
  for (system::Event& event : description.experiment.events) {
    std::vector<system::EventTarget> targets;
    for (const system::EventTarget& target : event.targets) {
      check_plain(target.path, description, target.where, problems);
      for (const std::string& port : behind(target.path, description)) {
        targets.push_back(target);
        targets.back().path = port;
      }
    }
    event.targets = std::move(targets);
  }
  for (system::Bond& bond : description.bonds) {
    for (std::optional<system::Bond::Ends>* ends : {&bond.effort_ends, &bond.flow_ends}) {
      if (!*ends) continue;
      for (std::string* text : {&(*ends)->from.text, &(*ends)->to.text}) {
        const std::vector<std::string> ports = behind(*text, description);
        if (ports.size() == 1) *text = ports.front();
      }
    }
  }
  system::RecordRequest& record = description.record;
  resolve(record.variables, record.variables_where, description);
  resolve(record.micro, record.micro_where, description);
}

}  // namespace seam::engine
