#include "seam/coupling/observed.hpp"

#include <algorithm>
#include <set>

#include "seam/coupling/exchange.hpp"

namespace seam::coupling {
namespace {

using assembly::Observables;

bool is_evaluated(const Lane& lane, Evaluations evaluations) {
  return std::any_of(lane.stages.begin(), lane.stages.end(), [](int stage) { return stage > 0; }) ||
         (evaluations == Evaluations::wherever_possible && lane.subsystem->capabilities().can_evaluate);
}

/// What others than the record want of a lane in every step, and what cannot be read later.
std::vector<int> wanted_outputs(const assembly::Assembly& assembly, const Parts& parts, const Lane& lane) {
  std::set<int> wanted;
  for (const assembly::Wire& wire : assembly.wires) {
    if (wire.from == lane.member) wanted.insert(wire.output);
  }
  for (const assembly::DiscreteWire& wire : assembly.discrete_wires) {
    if (wire.ends.from == lane.member) wanted.insert(wire.ends.output);
  }
  const auto add = [&](int number, const auto& all) {
    if (number < 0) return;
    const std::vector<int>& outputs = all[static_cast<std::size_t>(number)].outputs;
    wanted.insert(outputs.begin(), outputs.end());
  };
  add(lane.watch, parts.watches);
  add(lane.micro_rows, parts.micro_rows);
  const std::vector<int>& never_observed = lane.subsystem->facets().observables->outputs_of_steps();
  wanted.insert(never_observed.begin(), never_observed.end());
  return {wanted.begin(), wanted.end()};
}

/// A list in ascending order, asked for one number after the other in that order.
class Ascending {
 public:
  explicit Ascending(const std::vector<int>& numbers) : at_(numbers.begin()), end_(numbers.end()) {}
  bool has(int number) {
    while (at_ != end_ && *at_ < number) ++at_;
    return at_ != end_ && *at_ == number;
  }

 private:
  std::vector<int>::const_iterator at_, end_;
};

/// Where a discrete value that is recorded cannot be read later, all of them are taken after every step.
void list_observed(const RecordRequest& request, std::size_t number, Parts& parts) {
  Lane& lane = parts.lanes[number];
  Observables* const observables = lane.subsystem->facets().observables;
  ObservedLane observed{static_cast<int>(number), {}, request.variables};
  observed.outputs.reserve(request.outputs.size());
  const std::vector<int> none;
  Ascending wanted(lane.wanted ? *lane.wanted : none);
  Ascending never_observed(observables ? observables->outputs_of_steps() : none);
  for (const int output : request.outputs) {
    const bool is_taken = output < lane.outputs || lane.sends_discrete_values;
    const bool is_wanted = wanted.has(output) || !lane.wanted;
    if (is_taken && is_wanted) continue;
    if (observables && !never_observed.has(output)) {
      observed.outputs.push_back(output);
    } else {
      lane.sends_discrete_values = true;
    }
  }
  const auto is_real = [&](const RecordRequest::Variable& v) { return v.port.type == system::PortType::real; };
  std::vector<int> variables;
  for (const RecordRequest::Variable& v : observed.variables) variables.push_back(v.number);
  if (observed.outputs.empty() && variables.empty()) return;
  const auto real_outputs = std::count_if(observed.outputs.begin(), observed.outputs.end(),
                                          [&](int output) { return output < lane.outputs; });
  const auto real_variables = std::count_if(observed.variables.begin(), observed.variables.end(), is_real);
  observed.reals = static_cast<int>(real_outputs + real_variables);
  observed.discrete_count = static_cast<int>(observed.outputs.size() + variables.size()) - observed.reals;
  observables->choose(observed.outputs, variables);
  parts.observed.push_back(std::move(observed));
}

}  // namespace

void choose_outputs(const assembly::Assembly& assembly, const CompileOptions& options, Parts& parts) {
  const auto& discrete_wires = assembly.discrete_wires;
  for (Lane& lane : parts.lanes) {
    const auto from = [&](const assembly::DiscreteWire& wire) { return wire.ends.from == lane.member; };
    const auto to = [&](const assembly::DiscreteWire& wire) {
      return wire.ends.to == lane.member && wire.to != system::PortType::real;
    };
    const auto changes = [&](const system::Course& course) {
      return course.subsystem == lane.member && course.input >= lane.inputs;
    };
    lane.sends_discrete_values = std::any_of(discrete_wires.begin(), discrete_wires.end(), from);
    lane.hears_discrete_values = std::any_of(discrete_wires.begin(), discrete_wires.end(), to) ||
                                 std::any_of(options.courses.begin(), options.courses.end(), changes);
    lane.evaluates = is_evaluated(lane, options.evaluations);
    const bool may_leave_out = options.outputs == Outputs::wanted && lane.subsystem->facets().observables;
    if (may_leave_out && !lane.evaluates) lane.wanted = wanted_outputs(assembly, parts, lane);
  }
  for (const RecordRequest& request : options.records) {
    const auto found = std::find_if(parts.lanes.begin(), parts.lanes.end(),
                                    [&](const Lane& lane) { return lane.member == request.member; });
    if (found != parts.lanes.end())
      list_observed(request, static_cast<std::size_t>(found - parts.lanes.begin()), parts);
  }
}

void observe(const Program& program, Memory& memory) {
  for (const ObservedLane& observed : program.observed) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(observed.lane)];
    lane.subsystem->facets().observables->observe(
        {memory.values.data() + observed.place, static_cast<std::size_t>(observed.reals)},
        {memory.discrete_values.data() + observed.discrete_place, static_cast<std::size_t>(observed.discrete_count)});
  }
}

Advance look_at_observed(const Program& program, const Memory& memory) {
  for (const ObservedLane& observed : program.observed) {
    const Lane& lane = program.lanes[static_cast<std::size_t>(observed.lane)];
    for (std::size_t i = 0; i < observed.outputs.size() && observed.outputs[i] < lane.outputs; ++i) {
      if (!sound(memory.values[static_cast<std::size_t>(observed.place) + i], program.growth_limit))
        return {base::Outcome::diverged, 0, lane.member, observed.outputs[i]};
    }
  }
  return {};
}

}  // namespace seam::coupling
