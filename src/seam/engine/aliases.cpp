#include "seam/engine/aliases.hpp"

#include <algorithm>

namespace seam::engine {
namespace {

/// The ports behind a name; itself if it is no alias.
std::vector<std::string> behind(const std::string& name, const system::SystemDescription& description) {
  const auto found = std::find_if(description.aliases.begin(), description.aliases.end(),
                                  [&](const system::PortAlias& alias) { return alias.name == name; });
  return found == description.aliases.end() ? std::vector{name} : found->ports;
}

}  // namespace

std::vector<std::string> without_aliases(const std::vector<std::string>& set,
                                         const system::SystemDescription& description) {
  std::vector<std::string> result;
  for (const std::string& argument : set) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    for (const std::string& port : behind(argument.substr(0, equals), description))
      result.push_back(port + argument.substr(equals));
  }
  return result;
}

void replace_aliases(system::SystemDescription& description) {
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
  std::vector<std::string> variables;
  std::vector<base::Location> places;
  for (std::size_t i = 0; i < record.variables.size(); ++i) {
    for (const std::string& port : behind(record.variables[i], description)) {
      variables.push_back(port);
      places.push_back(i < record.variables_where.size() ? record.variables_where[i] : base::Location{});
    }
  }
  record.variables = std::move(variables);
  record.variables_where = std::move(places);
}

}  // namespace seam::engine
