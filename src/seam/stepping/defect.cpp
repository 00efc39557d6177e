#include "seam/stepping/defect.hpp"

#include <algorithm>
#include <cmath>

#include "seam/coupling/exchange.hpp"
#include "seam/system/bonds.hpp"

namespace seam::stepping {
namespace {

/// The numbers of a connection, side by side in the memory.
enum Number { present, largest, squares, signal_squares, points, count };

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

std::vector<coupling::WatchRequest> DefectMonitor::requests() const {
  std::vector<coupling::WatchRequest> requests;
  for (const Followed& one : connections_) requests.push_back({one.to, {one.input}, {}});
  return requests;
}

void DefectMonitor::attach(coupling::Program& program) {
  for (Followed& one : connections_) {
    one.watch = &coupling::watch_of(program, one.to);
    one.lane = &program.lanes[static_cast<std::size_t>(one.watch->lane)];
    one.source = &*std::find_if(program.lanes.begin(), program.lanes.end(),
                                [&](const coupling::Lane& lane) { return lane.member == one.from; });
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

}  // namespace seam::stepping
