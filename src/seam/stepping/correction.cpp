#include "seam/stepping/correction.hpp"

#include "seam/system/bonds.hpp"

namespace seam::stepping {

CorrectionMonitor::CorrectionMonitor(const system::SystemDescription& description, const system::Plan& plan) {
  for (std::size_t i = 0; i < description.connections.size(); ++i) {
    const system::Connection& c = description.connections[i];
    if (!system::carries_signal(description, c) || !plan.corrector(static_cast<int>(i))) continue;
    const system::Port& port =
        description.subsystems[static_cast<std::size_t>(c.to.subsystem)].inputs[static_cast<std::size_t>(c.to.port)];
    connections_.push_back({static_cast<int>(i), c.to.subsystem, c.to.port, c.to.text, port.unit});
  }
}

std::vector<coupling::WatchRequest> CorrectionMonitor::requests() const {
  std::vector<coupling::WatchRequest> requests;
  for (const Followed& one : connections_) requests.push_back({one.sink, {one.input}, {}});
  return requests;
}

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
