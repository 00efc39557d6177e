#include "seam/engine/predict/held_feedthrough.hpp"

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/engine/predict/interface_check.hpp"
#include "seam/engine/predict/method_outlook.hpp"
#include "seam/load/fmu_subsystem.hpp"
#include "seam/load/opened_fmus.hpp"

namespace seam::engine {
namespace {

using system::Feedthrough;

/// A derivative below this part of what the input may do to the output within a step is the noise of a probe.
constexpr double noise = 1e-6;

bool is_fed(const System& system, int subsystem, int input) {
  return std::ranges::any_of(system.description.connections, [&](const system::Connection& connection) {
    return connection.to.subsystem == subsystem && connection.to.port == input &&
           !system.description.subsystems[static_cast<std::size_t>(connection.from.subsystem)].is_signal;
  });
}

bool is_read(const System& system, int subsystem, int output) {
  return std::ranges::any_of(system.description.connections, [&](const system::Connection& connection) {
    return connection.from.subsystem == subsystem && connection.from.port == output;
  });
}

void add_ports(const System& system, int number, const analysis::SubsystemModel& model, std::vector<HeldPort>& ports) {
  const system::Subsystem& subsystem = system.description.subsystems[static_cast<std::size_t>(number)];
  const lti::Matrix& D = model.equations->D;
  const lti::Matrix within_a_step =
      model.map->matrices.D.leftCols(D.cols()).cwiseAbs() +
      model.map->matrices.C.cwiseAbs() * model.map->matrices.B.leftCols(D.cols()).cwiseAbs();
  for (Eigen::Index o = 0; o < D.rows(); ++o) {
    if (!is_read(system, number, static_cast<int>(o))) continue;
    HeldPort port;
    for (Eigen::Index i = 0; i < D.cols(); ++i) {
      if (!(std::abs(D(o, i)) > noise * within_a_step(o, i)) || !is_fed(system, number, static_cast<int>(i))) continue;
      port.inputs.push_back(subsystem.name + "." + subsystem.inputs[static_cast<std::size_t>(i)].name);
      port.gain = std::max(port.gain, std::abs(D(o, i)));
    }
    if (port.inputs.empty()) continue;
    port.subsystem = number;
    port.output = subsystem.name + "." + subsystem.outputs[static_cast<std::size_t>(o)].name;
    port.ways = ways_to_send_fresh(subsystem);
    ports.push_back(std::move(port));
  }
}

}  // namespace

std::vector<std::string> ways_to_send_fresh(const system::Subsystem& subsystem) {
  const auto fmu = load::fmu_of(subsystem);
  std::vector<std::string> ways;
  if (!fmu) return ways;
  const fmi::ModelDescription& description = fmu->description;
  if (description.co_simulation && description.co_simulation->provides_directional_derivatives)
    ways.emplace_back("feedthrough: fresh, by its directional derivatives");
  else if (description.co_simulation && description.co_simulation->has_event_mode)
    ways.emplace_back(load::is_fresh_in_event_mode(subsystem) ? "feedthrough: fresh, in event mode"
                                                              : "feedthrough: fresh with event_mode: always");
  if (description.model_exchange) ways.emplace_back("interface: me with feedthrough: fresh");
  return ways;
}

HeldFeedthrough held_feedthrough(const System& system, const Outlook& outlook) {
  HeldFeedthrough found;
  const auto& subsystems = system.description.subsystems;
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    const system::FmuFile* const fmu = subsystems[i].fmu();
    if (!fmu || fmu->interface == system::FmuInterface::model_exchange) continue;
    if (system.plan.subsystems[i].feedthrough != Feedthrough::held) continue;
    const auto model = std::ranges::find(outlook.models, subsystems[i].name, &analysis::SubsystemModel::name);
    if (model != outlook.models.end() && model->equations && model->map)
      add_ports(system, static_cast<int>(i), *model, found.ports);
  }
  const auto own = std::ranges::find_if(outlook.methods, &MethodOutlook::of_the_plan);
  if (own == outlook.methods.end()) return found;
  found.held = own->error;
  for (const MethodOutlook& other : outlook.methods) {
    if (other.coupling == own->coupling && other.feedthrough == Feedthrough::fresh) found.fresh = other.error;
  }
  return found;
}

std::optional<ByExchange> by_exchange(const System& system, const Outlook& outlook, const analysis::Band& band) {
  const std::vector<std::size_t> with_both = fmus_with_both_interfaces(system);
  std::vector<std::size_t> fmus;
  ByExchange result;
  for (const HeldPort& port : held_feedthrough(system, outlook).ports) {
    const auto number = static_cast<std::size_t>(port.subsystem);
    if (std::ranges::count(with_both, number) == 0 || std::ranges::count(fmus, number) > 0) continue;
    fmus.push_back(number);
    result.subsystems.push_back(system.description.subsystems[number].name);
  }
  if (fmus.empty()) return std::nullopt;
  System solved = with_equations_of(system, fmus);
  for (const std::size_t number : fmus) solved.plan.subsystems[number].feedthrough = Feedthrough::fresh;
  OutlookRequest request;
  request.depth = OutlookRequest::Depth::verdict;
  try {
    const Outlook found = look_ahead(solved, request);
    if (found.verdict() != Outlook::Verdict::stable) return std::nullopt;
    const SweepPoint point = outlook_of(linear_rehearsal(solved, found), solved.plan, band);
    if (!point.error) return std::nullopt;
    result.error = *point.error;
    return result;
  } catch (const base::ProblemsFound&) {  // a loop of direct feed-through, or no library for this machine
  } catch (const base::Error&) {          // it does not start by its equations
  }
  return std::nullopt;
}

}  // namespace seam::engine
