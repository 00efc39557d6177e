#include "seam/stepping/held_feedthrough.hpp"

#include <algorithm>
#include <cmath>

#include "seam/coupling/exchange.hpp"

namespace seam::stepping {
namespace {

using assembly::LinearOffer;

/// The feed-through, column-major over all real ports; empty if the subsystem does not tell it now.
std::vector<double> feedthrough_of(const coupling::Program& program, const coupling::Lane& lane,
                                   const coupling::Memory& memory) {
  const auto n = static_cast<std::size_t>(assembly::linear_offer_of(*lane.subsystem).states);
  const auto m = static_cast<std::size_t>(lane.inputs), p = static_cast<std::size_t>(lane.outputs);
  std::vector<double> A(n * n), B(n * m), C(p * n), D(p * m), inputs(m);
  for (std::size_t i = 0; i < m; ++i) inputs[i] = memory.values[static_cast<std::size_t>(lane.now[i])];
  const double t = program.grid.time(memory.tick);
  if (!lane.subsystem->facets().equations->tell_linear(t, inputs, {A.data(), B.data(), C.data(), D.data()})) return {};
  return D;
}

}  // namespace

HeldFeedthroughMonitor::HeldFeedthroughMonitor(const assembly::Assembly& assembly,
                                               const system::SystemDescription& description, const system::Plan& plan) {
  for (std::size_t i = 0; i < assembly.members.size(); ++i) {
    const assembly::Subsystem* const subsystem = assembly.members[i].subsystem.get();
    const system::FmuFile* const fmu = description.subsystems[i].fmu();
    if (!subsystem || !fmu || fmu->interface == system::FmuInterface::model_exchange) continue;
    if (plan.subsystems[i].feedthrough != system::Feedthrough::held) continue;
    if (assembly::linear_offer_of(*subsystem).kind == LinearOffer::Kind::nothing) continue;
    Followed followed;
    followed.member = static_cast<int>(i);
    for (const assembly::Wire& wire : assembly.wires) {
      if (wire.to == followed.member) followed.fed.push_back({wire});
      if (wire.from == followed.member && std::ranges::find(followed.outputs, wire.output) == followed.outputs.end())
        followed.outputs.push_back(wire.output);
    }
    const auto follows = [&](int output) {
      return std::ranges::any_of(followed.fed,
                                 [&](const Fed& fed) { return subsystem->feeds_through(output, fed.wire.input); });
    };
    std::erase_if(followed.outputs, [&](int output) { return !follows(output); });
    if (!followed.outputs.empty()) lanes_.push_back(std::move(followed));
  }
}

std::vector<coupling::WatchRequest> HeldFeedthroughMonitor::requests() const {
  std::vector<coupling::WatchRequest> requests;
  for (const Followed& one : lanes_) {
    coupling::WatchRequest request{one.member, {}, {}};
    for (const Fed& fed : one.fed) request.inputs.push_back(fed.wire.input);
    requests.push_back(std::move(request));
  }
  return requests;
}

void HeldFeedthroughMonitor::attach(coupling::Program& program) {
  for (Followed& one : lanes_) {
    one.watch = &coupling::watch_of(program, one.member);
    one.lane = &program.lanes[static_cast<std::size_t>(one.watch->lane)];
    for (Fed& fed : one.fed) {
      fed.source = &*std::ranges::find(program.lanes, fed.wire.from, &coupling::Lane::member);
      fed.received = coupling::number_of_input(*one.watch, fed.wire.input);
    }
    const auto count = static_cast<int>(one.fed.size());
    one.changes = coupling::add_places(program, count);
    one.products = coupling::add_places(program, count * count);
    one.squares = coupling::add_places(program, static_cast<int>(one.outputs.size()) + 1);
  }
  if (!lanes_.empty()) program.monitors.push_back(this);
}

void HeldFeedthroughMonitor::measure(const coupling::Program& program, const coupling::Now& now, double* values) const {
  for (const Followed& one : lanes_) {
    if (now.at_end.tick % one.lane->multiple != 0) continue;
    const std::size_t count = one.fed.size();
    double* const change = values + one.changes;
    double* const product = values + one.products;
    for (std::size_t i = 0; i < count; ++i) {
      const Fed& fed = one.fed[i];
      const double end = coupling::input_at(program, *one.watch, fed.received, now.fraction, values);
      const bool arrives = now.at_end.tick % fed.source->multiple == 0;
      const double sent = fed.wire.gain * values[fed.source->values + fed.wire.output] + fed.wire.offset;
      change[i] = arrives ? sent - end : 0.0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) product[i * count + j] += change[i] * change[j];
    }
    for (std::size_t o = 0; o < one.outputs.size(); ++o) {
      const double output = values[one.lane->values + one.outputs[o]];
      values[static_cast<std::size_t>(one.squares) + o] += output * output;
    }
    values[static_cast<std::size_t>(one.squares) + one.outputs.size()] += 1.0;
  }
}

std::vector<HeldOutput> HeldFeedthroughMonitor::outputs(const coupling::Program& program,
                                                        const coupling::Memory& memory) const {
  std::vector<HeldOutput> found;
  for (const Followed& one : lanes_) {
    const std::vector<double> D = feedthrough_of(program, *one.lane, memory);
    const double* const square = memory.values.data() + one.squares;
    const double steps = square[one.outputs.size()];
    if (D.empty() || steps == 0.0) continue;
    const auto gain = [&](int output, std::size_t i) {
      return D[static_cast<std::size_t>(one.fed[i].wire.input * one.lane->outputs + output)];
    };
    const double* const product = memory.values.data() + one.products;
    const std::size_t count = one.fed.size();
    for (std::size_t o = 0; o < one.outputs.size(); ++o) {
      HeldOutput held{one.member, one.outputs[o], {}};
      double sum = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        if (gain(held.output, i) != 0.0) held.inputs.push_back(one.fed[i].wire.input);
        for (std::size_t j = 0; j < count; ++j)
          sum += gain(held.output, i) * product[i * count + j] * gain(held.output, j);
      }
      held.lacking = std::sqrt(std::max(0.0, sum) / steps);
      held.size = std::sqrt(square[o] / steps);
      if (!held.inputs.empty()) found.push_back(std::move(held));
    }
  }
  return found;
}

}  // namespace seam::stepping
