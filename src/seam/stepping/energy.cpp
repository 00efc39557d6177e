#include "seam/stepping/energy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "seam/coupling/exchange.hpp"
#include "seam/coupling/last_step.hpp"
#include "seam/system/bonds.hpp"

namespace seam::stepping {
namespace {

using coupling::Lane;
using coupling::Program;

/// The numbers of a bond, side by side in the memory.
enum Number { delta_power, largest, delta, delta_micro, through, power_of_sender, power_of_receiver, count };

}  // namespace

EnergyMonitor::EnergyMonitor(const system::SystemDescription& description) {
  for (const system::Bond& bond : description.bonds) {
    const system::Connection& effort = description.connections[static_cast<std::size_t>(bond.effort)];
    const system::Connection& flow = description.connections[static_cast<std::size_t>(bond.flow)];
    const system::BondUnit unit = system::unit_of(description, bond);
    const double sign = bond.giver == system::Bond::Giver::effort_sender ? 1.0 : -1.0;
    Followed followed;
    followed.name = bond.name;
    followed.to_si = unit.to_si;
    followed.is_power = unit.is_power;
    followed.sender = {effort.from.subsystem, effort.from.port, flow.to.port, flow.gain, flow.offset, sign};
    followed.receiver = {flow.from.subsystem, flow.from.port, effort.to.port, effort.gain, effort.offset, -sign};
    bonds_.push_back(std::move(followed));
  }
}

std::vector<coupling::WatchRequest> EnergyMonitor::requests(coupling::WatchRequest::MicroPoints micro) const {
  std::vector<coupling::WatchRequest> requests;
  for (const Followed& bond : bonds_) {
    for (const Side* side : {&bond.sender, &bond.receiver})
      requests.push_back({side->member, {side->input}, {side->output}, micro});
  }
  return requests;
}

void EnergyMonitor::attach(Program& program) {
  for (Followed& bond : bonds_) {
    for (Side* side : {&bond.sender, &bond.receiver}) {
      side->watch = &coupling::watch_of(program, side->member);
      side->lane = &program.lanes[static_cast<std::size_t>(side->watch->lane)];
      side->intervention = program.intervention(side->member, side->input);
      side->heard = coupling::number_of_input(*side->watch, side->input);
      side->sent = coupling::number_of_output(*side->watch, side->output);
    }
    bond.has_micro_points = bond.sender.watch->points >= 0 && bond.receiver.watch->points >= 0;
    bond.period = std::lcm<base::Tick>(bond.sender.lane->multiple, bond.receiver.lane->multiple);
    bond.place = coupling::add_places(program, Number::count);
  }
  if (!bonds_.empty()) program.monitors.push_back(this);
}

/// Whether an event replaces an input of the bond somewhere between the common communication points around the step
/// that ends there.
bool EnergyMonitor::is_overridden(const Followed& bond, base::Tick end) {
  const base::Tick begin = (end - 1) / bond.period * bond.period;
  for (const Side* side : {&bond.sender, &bond.receiver}) {
    if (!side->intervention) continue;
    for (base::Tick tick = begin; tick < begin + bond.period; ++tick) {
      if (side->intervention->course.at(tick)) return true;
    }
  }
  return false;
}

/// Mean of the products at the start of all micro steps.
double EnergyMonitor::micro_sum(const Program& program, const Side& side, double fraction, const double* values) const {
  const int segments =
      fraction == 1.0 ? side.lane->segments : coupling::segments_of_last_step(side.lane->segments, fraction);
  const auto width = static_cast<int>(side.watch->outputs.size());
  double sum = 0.0;
  for (int s = 0; s < segments; ++s) {
    const double heard = coupling::input_at(program, *side.watch, side.heard, fraction * s / segments, values);
    sum += values[side.watch->points + s * width + side.sent] * ((heard - side.offset) / side.gain);
  }
  return sum / segments;
}

void EnergyMonitor::measure(const Program& program, const coupling::Now& now, double* values) const {
  for (const Followed& bond : bonds_) {
    double* const number = values + bond.place;
    if (is_overridden(bond, now.at_end.tick)) {
      number[Number::delta_power] = number[Number::power_of_sender] = number[Number::power_of_receiver] = 0.0;
      continue;
    }
    for (const Side* side : {&bond.sender, &bond.receiver}) {
      const Lane& lane = *side->lane;
      if (now.at_end.tick % lane.multiple != 0) continue;
      const double length = lane.multiple == 1 ? now.step.length : lane.multiple * program.grid.step;
      const double heard = coupling::input_at(program, *side->watch, side->heard, now.fraction, values);
      const double sent = values[lane.values + side->output];
      const double power = bond.to_si * sent * ((heard - side->offset) / side->gain);
      number[side == &bond.sender ? Number::power_of_sender : Number::power_of_receiver] = side->sign * power;
      number[Number::delta] += side->sign * power * length;
      number[Number::through] += 0.5 * std::abs(power) * length;
      if (bond.has_micro_points)
        number[Number::delta_micro] +=
            side->sign * bond.to_si * micro_sum(program, *side, now.fraction, values) * length;
    }
    number[Number::delta_power] = number[Number::power_of_sender] + number[Number::power_of_receiver];
    number[Number::largest] = std::max(number[Number::largest], std::abs(number[Number::delta_power]));
  }
}

std::vector<Column> EnergyMonitor::columns() const {
  std::vector<Column> columns;
  for (const Followed& bond : bonds_) {
    const auto add = [&](const char* name, const char* unit, Number number) {
      Column column;
      column.name = "bond." + bond.name + "." + name;
      if (bond.is_power) column.unit = unit;
      column.place = bond.place + number;
      columns.push_back(std::move(column));
    };
    add("delta_P", "W", Number::delta_power);
    add("delta_E", "J", Number::delta);
    if (bond.has_micro_points) add("delta_E_micro", "J", Number::delta_micro);
  }
  return columns;
}

std::vector<BondEnergy> EnergyMonitor::energies(const coupling::Memory& memory) const {
  std::vector<BondEnergy> energies;
  for (const Followed& bond : bonds_) {
    const double* const number = memory.values.data() + bond.place;
    BondEnergy energy;
    energy.delta_power = number[Number::delta_power];
    energy.largest_delta_power = number[Number::largest];
    energy.delta = number[Number::delta];
    if (bond.has_micro_points) energy.delta_micro = number[Number::delta_micro];
    energy.through = number[Number::through];
    energies.push_back(energy);
  }
  return energies;
}

}  // namespace seam::stepping
