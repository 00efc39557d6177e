#include "seam/stepping/defect.hpp"

#include <algorithm>
#include <cmath>

#include "seam/coupling/exchange.hpp"
#include "seam/system/bonds.hpp"

namespace seam::stepping {
namespace {

/// The numbers of a connection, side by side in the memory.
enum Number { present, largest, squares, signal_squares, points, count };

/// The inputs at which connections end.
template <class Followed>
std::vector<coupling::WatchRequest> inputs_of(const std::vector<Followed>& connections) {
  std::vector<coupling::WatchRequest> requests;
  for (const Followed& one : connections) requests.push_back({one.to, {one.input}, {}});
  return requests;
}

}  // namespace

DefectMonitor::DefectMonitor(const system::SystemDescription& description) {
  for (std::size_t i = 0; i < description.connections.size(); ++i) {
    const system::Connection& c = description.connections[i];
    if (!system::carries_signal(description, c)) continue;
    Followed followed;
    followed.connection = static_cast<int>(i);
    followed.sink = c.to.text;
    followed.unit = description.subsystems[static_cast<std::size_t>(c.to.subsystem)]
                        .inputs[static_cast<std::size_t>(c.to.port)]
                        .unit;
    followed.from = c.from.subsystem;
    followed.output = c.from.port;
    followed.to = c.to.subsystem;
    followed.input = c.to.port;
    followed.gain = c.gain;
    followed.offset = c.offset;
    connections_.push_back(std::move(followed));
  }
}

std::vector<coupling::WatchRequest> DefectMonitor::requests() const { return inputs_of(connections_); }

void DefectMonitor::attach(coupling::Program& program) {
  for (Followed& one : connections_) {
    one.watch = &coupling::watch_of(program, one.to);
    one.lane = &program.lanes[static_cast<std::size_t>(one.watch->lane)];
    one.source = &*std::ranges::find(program.lanes, one.from, &coupling::Lane::member);
    one.heard = coupling::number_of_input(*one.watch, one.input);
    one.place = coupling::add_places(program, Number::count);
  }
  if (!connections_.empty()) program.monitors.push_back(this);
}

void DefectMonitor::measure(const coupling::Program& program, const coupling::Now& now, double* values) const {
  for (const Followed& one : connections_) {
    if (now.at_end.tick % one.lane->multiple != 0 || now.at_end.tick % one.source->multiple != 0) continue;
    const double got = coupling::input_at(program, *one.watch, one.heard, now.fraction, values);
    const double said = one.gain * values[one.source->values + one.output] + one.offset;
    const double defect = got - said;
    double* const number = values + one.place;
    number[Number::present] = defect;
    number[Number::largest] = std::max(number[Number::largest], std::abs(defect));
    number[Number::squares] += defect * defect;
    number[Number::signal_squares] += said * said;
    number[Number::points] += 1.0;
  }
}

std::vector<Column> DefectMonitor::columns() const {
  std::vector<Column> columns;
  for (const Followed& one : connections_) {
    Column column;
    column.name = "defect." + one.sink;
    column.unit = one.unit;
    column.place = one.place + Number::present;
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<Defect> DefectMonitor::defects(const coupling::Memory& memory) const {
  std::vector<Defect> defects;
  for (const Followed& one : connections_) {
    const double* const number = memory.values.data() + one.place;
    const double points = std::max(1.0, number[Number::points]);
    defects.push_back({one.connection, number[Number::largest], std::sqrt(number[Number::squares] / points),
                       std::sqrt(number[Number::signal_squares] / points)});
  }
  return defects;
}

CorrectionMonitor::CorrectionMonitor(const system::SystemDescription& description, const system::Plan& plan) {
  for (std::size_t i = 0; i < description.connections.size(); ++i) {
    const system::Connection& c = description.connections[i];
    if (!system::carries_signal(description, c) || !plan.corrector(static_cast<int>(i))) continue;
    const system::Port& port =
        description.subsystems[static_cast<std::size_t>(c.to.subsystem)].inputs[static_cast<std::size_t>(c.to.port)];
    connections_.push_back({static_cast<int>(i), c.to.subsystem, c.to.port, c.to.text, port.unit});
  }
}

std::vector<coupling::WatchRequest> CorrectionMonitor::requests() const { return inputs_of(connections_); }

void CorrectionMonitor::attach(coupling::Program& program) {
  for (Followed& one : connections_) {
    one.place = coupling::add_places(program, 1);
    for (std::size_t w = 0; program.correction && w < program.correction->wires.size(); ++w) {
      const coupling::CorrectedWire& wire = program.correction->wires[w];
      const assembly::Wire& ends = program.assembly->wires[static_cast<std::size_t>(wire.wire)];
      if (ends.connection != one.connection || ends.input != one.input) continue;
      one.got = wire.corrected;
      one.said = program.correction->outputs[static_cast<std::size_t>(wire.output)].raw;
      one.gain = wire.gain;
      one.offset = wire.offset;
    }
  }
  if (!connections_.empty()) program.monitors.push_back(this);
}

void CorrectionMonitor::measure(const coupling::Program& /*program*/, const coupling::Now& /*now*/,
                                double* values) const {
  for (const Followed& one : connections_) {
    if (one.got >= 0) values[one.place] = values[one.got] - (one.gain * values[one.said] + one.offset);
  }
}

std::vector<Column> CorrectionMonitor::columns() const {
  std::vector<Column> columns;
  for (const Followed& one : connections_) {
    Column column;
    column.name = "correction." + one.name;
    column.unit = one.unit;
    column.place = one.place;
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace seam::stepping
