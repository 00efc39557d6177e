#include "seam/analysis/complete_compensators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "seam/analysis/synthesis.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/coupling/filters.hpp"

namespace seam::analysis {
namespace {

using coupling::number;

/// Beyond these a finer micro step allows faster poles that are of no use: they would only amplify jumps.
constexpr double most_micro_steps = 20.0;

int whole(std::optional<double> value, int otherwise) {
  return value ? static_cast<int>(std::lround(*value)) : otherwise;
}

CompensatorTask task_of(const system::Coupling& coupling, double micro_steps) {
  CompensatorTask task;
  task.system.smoother = {whole(number(coupling.receiver, "order"), 2),
                          number(coupling.receiver, "cutoff").value_or(0.5)};
  const int order = whole(number(coupling.emitter, "weight_order"), 1);
  task.system.weight = {order, number(coupling.emitter, "weight_cutoff").value_or(proposed_weight_cutoff(order))};
  task.micro_steps = micro_steps;
  task.radius = number(coupling.emitter, "radius").value_or(0.95);
  task.gain_limit = number(coupling.emitter, "gain_limit");
  if (number(coupling.emitter, "static_gain").value_or(0.0) == 1.0) task.static_gain = SearchRequest::StaticGain::one;
  return task;
}

/// The same task has the same answer: it is looked for once in the life of the program.
Synthesis synthesised(const CompensatorTask& task) {
  using Key = std::tuple<int, double, int, double, double, double, double, bool>;
  static std::mutex mutex;
  static std::map<Key, Synthesis> known;
  const ErrorSystem& system = task.system;
  const Key key{system.smoother.order,
                system.smoother.cutoff,
                system.weight.order,
                system.weight.cutoff,
                task.micro_steps,
                task.radius,
                task.gain_limit.value_or(0.0),
                task.static_gain == SearchRequest::StaticGain::one};
  const std::lock_guard lock(mutex);
  auto found = known.find(key);
  if (found == known.end()) found = known.emplace(key, synthesise(task)).first;
  return found->second;
}

/// H/h, with H the interval between samples that reach the sink and h the micro step of the source.
double micro_steps_of(const system::Plan& plan, const system::Connection& connection) {
  const system::SubsystemPlan& source = plan.subsystems[static_cast<std::size_t>(connection.from.subsystem)];
  const system::SubsystemPlan& sink = plan.subsystems[static_cast<std::size_t>(connection.to.subsystem)];
  const double interval = std::max(source.multiple, sink.multiple) * plan.step;
  return std::clamp(std::round(interval / source.micro_step), 1.0, most_micro_steps);
}

}  // namespace

void complete_compensators(const system::SystemDescription& description, system::Plan& plan, base::Problems& problems) {
  for (std::size_t i = 0; i < plan.connections.size(); ++i) {
    system::Coupling& coupling = plan.connections[i];
    const system::Connection& connection = description.connections[i];
    if (!coupling::has_filters(coupling) || !number(coupling.emitter, "weight_order")) continue;
    if (connection.from.subsystem < 0 || connection.to.subsystem < 0) continue;
    const double micro_steps = micro_steps_of(plan, connection);
    if (coupling::read_roots(coupling.emitter) && number(coupling.emitter, "micro_steps") == micro_steps) continue;
    const Synthesis found = synthesised(task_of(coupling, micro_steps));
    if (!found.fault.empty()) {
      problems.add(connection.where,
                   fmt::format("there is no compensator for {} with {} micro steps in a macro step: {}",
                               connection.to.text, micro_steps, found.fault),
                   "use more micro steps, a higher gain_limit or another weight");
      continue;
    }
    auto& numbers = coupling.emitter.parameters;
    std::erase_if(numbers, [](const auto& parameter) { return parameter.first == "micro_steps"; });
    numbers.emplace_back("micro_steps", micro_steps);
    coupling::write_roots({found.compensator.zeros, found.compensator.poles, found.compensator.gain}, coupling.emitter);
  }
}

std::vector<PlannedCompensator> planned_compensators(const system::SystemDescription& description,
                                                     const system::Plan& plan) {
  std::vector<PlannedCompensator> result;
  for (std::size_t i = 0; i < plan.connections.size(); ++i) {
    const system::Coupling& coupling = plan.connections[i];
    const system::Connection& connection = description.connections[i];
    if (!coupling::has_filters(coupling) || connection.from.subsystem < 0 || connection.to.subsystem < 0) continue;
    const auto roots = coupling::read_roots(coupling.emitter);
    if (!roots || description.subsystems[static_cast<std::size_t>(connection.from.subsystem)].is_signal) continue;
    const double micro_steps = micro_steps_of(plan, connection);
    result.push_back({static_cast<int>(i), describe(task_of(coupling, micro_steps).system,
                                                    {roots->zeros, roots->poles, roots->gain}, micro_steps)});
  }
  return result;
}

}  // namespace seam::analysis
