#include "seam/engine/run/monitors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/engine/run/run.hpp"

namespace seam::engine {

using system::CouplingRecord;

Monitors make_monitors(const assembly::Assembly& assembly, const system::SystemDescription& description,
                       const system::Plan& plan, coupling::CompileOptions& options) {
  Monitors monitors;
  if (description.plan.events == system::Events::shared) return monitors;  // steps are cut at events
  const system::RecordRequest& record = description.record;
  const auto add = [&](std::vector<coupling::WatchRequest> more) {
    options.watches.insert(options.watches.end(), std::make_move_iterator(more.begin()),
                           std::make_move_iterator(more.end()));
  };
  if (!description.bonds.empty()) {
    using MicroPoints = coupling::WatchRequest::MicroPoints;
    monitors.energy = std::make_unique<stepping::EnergyMonitor>(description);
    add(monitors.energy->requests(record.wants(CouplingRecord::energy) ? MicroPoints::wanted
                                                                       : MicroPoints::where_there_are));
  }
  if (record.wants(CouplingRecord::defect)) {
    monitors.defect = std::make_unique<stepping::DefectMonitor>(description);
    add(monitors.defect->requests());
  }
  if (record.wants(CouplingRecord::correction) && !plan.corrector.name.empty()) {
    monitors.correction = std::make_unique<stepping::CorrectionMonitor>(description, plan);
    add(monitors.correction->requests());
  }
  if (record.wants(CouplingRecord::feedthrough)) {
    monitors.feedthrough = std::make_unique<stepping::HeldFeedthroughMonitor>(assembly, description, plan);
    add(monitors.feedthrough->requests());
  }
  return monitors;
}

void attach(Monitors& monitors, coupling::Program& program) {
  if (monitors.energy) monitors.energy->attach(program);
  if (monitors.defect) monitors.defect->attach(program);
  if (monitors.correction) monitors.correction->attach(program);
  if (monitors.feedthrough) monitors.feedthrough->attach(program);
}

void add_columns(const Monitors& monitors, const system::RecordRequest& record,
                 std::vector<stepping::Column>& columns) {
  std::vector<stepping::Column> more;
  if (monitors.energy && record.wants(CouplingRecord::energy)) more = monitors.energy->columns();
  if (monitors.defect) {
    for (stepping::Column& column : monitors.defect->columns()) more.push_back(std::move(column));
  }
  if (monitors.correction) {
    for (stepping::Column& column : monitors.correction->columns()) more.push_back(std::move(column));
  }
  base::Problems problems;
  for (const stepping::Column& column : more) {
    const auto same = [&](const stepping::Column& other) { return other.name == column.name; };
    if (std::ranges::any_of(columns, same))
      problems.add(record.coupling_where, fmt::format("two columns would be called \"{}\"", column.name),
                   "rename the subsystem, or leave the variable out of record.variables");
  }
  base::require_none(problems);
  const auto first_discrete_value = std::ranges::find_if(
      columns, [](const stepping::Column& column) { return column.type != system::PortType::real; });
  columns.insert(first_discrete_value, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void tell(const Monitors& monitors, const coupling::Memory& memory, RunSummary& summary) {
  if (monitors.energy) summary.bonds = monitors.energy->energies(memory);
  if (monitors.defect) summary.defects = monitors.defect->defects(memory);
}

}  // namespace seam::engine
