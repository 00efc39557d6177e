#include "seam/fmi/co_simulation/event_ports.hpp"

#include <algorithm>
#include <map>

namespace seam::fmi {
namespace {

using Variables = std::vector<PortVariable>;

/// The flat places of these variables: reals, and discrete values counted from their first.
void list_places(const Variables& variables, std::size_t real_ports, std::vector<int>& reals,
                 std::vector<int>& discrete_values) {
  for (const PortVariable& v : variables) {
    const bool real = store_of(v.variable->type) == Store::reals;
    for (std::size_t e = 0; e < v.elements; ++e) {
      (real ? reals : discrete_values).push_back(static_cast<int>(v.first + e - (real ? 0 : real_ports)));
    }
  }
}

/// One batch for all variables that have the same clocks.
std::vector<ClockedBatch> by_clocks(const Variables& variables, std::size_t real_ports, const std::vector<int>* fed) {
  std::map<std::vector<std::uint32_t>, Variables> groups;
  for (const PortVariable& v : variables) groups[v.variable->clocks].push_back(v);
  std::vector<ClockedBatch> batches;
  for (const auto& [clocks, members] : groups) {
    ClockedBatch batch{clocks, PortBatches(members, real_ports, fed), {}, {}};
    list_places(members, real_ports, batch.reals, batch.discrete_values);
    batches.push_back(std::move(batch));
  }
  return batches;
}

std::vector<ClockPort> clocks_of(const Variables& variables, std::size_t real_ports) {
  std::vector<ClockPort> clocks;
  for (const PortVariable& v : variables) {
    if (v.variable->type == Type::clock)
      clocks.push_back({v.variable->value_reference, v.first - real_ports, v.variable->name, v.variable->clocks, 0});
  }
  return clocks;
}

template <class Wanted>
Variables only(const Variables& variables, Wanted wanted) {
  Variables result;
  std::copy_if(variables.begin(), variables.end(), std::back_inserter(result),
               [&](const PortVariable& v) { return v.variable->type != Type::clock && wanted(*v.variable); });
  return result;
}

bool is_clocked(const Variable& v) { return !v.clocks.empty(); }
bool moves(const Variable& v) {
  return !is_clocked(v) && v.variability == Variability::continuous && store_of(v.type) == Store::reals;
}
bool switches(const Variable& v) { return !is_clocked(v) && !moves(v); }

}  // namespace

bool any_ticks(const std::vector<std::uint32_t>& clocks, std::span<const std::uint32_t> ticking) {
  return std::any_of(clocks.begin(), clocks.end(), [&](std::uint32_t clock) {
    return std::find(ticking.begin(), ticking.end(), clock) != ticking.end();
  });
}

EventInputs::EventInputs(const Ports& ports, const std::vector<int>& fed)
    : moving(only(ports.input_variables, moves), system::count_reals(ports.inputs), &fed),
      switched(only(ports.input_variables, switches), system::count_reals(ports.inputs), &fed),
      clocked(by_clocks(only(ports.input_variables, is_clocked), system::count_reals(ports.inputs), &fed)),
      clocks(clocks_of(ports.input_variables, system::count_reals(ports.inputs))) {
  list_places(only(ports.input_variables, switches), system::count_reals(ports.inputs), switched_reals,
              switched_discrete_values);
}

EventOutputs::EventOutputs(const Ports& ports, const std::vector<int>* wanted)
    : always(only(ports.output_variables, [](const Variable& v) { return !is_clocked(v); }),
             system::count_reals(ports.outputs), wanted),
      clocked(by_clocks(only(ports.output_variables, is_clocked), system::count_reals(ports.outputs), nullptr)),
      clocks(clocks_of(ports.output_variables, system::count_reals(ports.outputs))) {}

void read_discrete_values(EventInstance& instance, PortBatches& ports) {
  for (DiscreteBatch& batch : ports.discrete_values) instance.get(batch.type, batch.references, batch.buffer);
}

}  // namespace seam::fmi
