// Those who watch the coupling while it runs: the energy of bonds, the defect of connections, what a
// corrector changes, what held outputs lack.
#pragma once

#include <memory>

#include "seam/coupling/compile.hpp"
#include "seam/stepping/defect.hpp"
#include "seam/stepping/energy.hpp"
#include "seam/stepping/held_feedthrough.hpp"
#include "seam/system/description.hpp"

namespace seam::engine {

struct RunSummary;

struct Monitors {
  std::unique_ptr<stepping::EnergyMonitor> energy;  ///< null: there are no bonds, or they cannot be watched
  std::unique_ptr<stepping::DefectMonitor> defect;  ///< null: not asked for
  std::unique_ptr<stepping::CorrectionMonitor> correction;
  std::unique_ptr<stepping::HeldFeedthroughMonitor> feedthrough;  ///< null: not asked for
};

/// The monitors of a description; what they need is added to the options to compile with.
Monitors make_monitors(const assembly::Assembly& assembly, const system::SystemDescription& description,
                       const system::Plan& plan, coupling::CompileOptions& options);

/// Gives the monitors their places in the program.
void attach(Monitors& monitors, coupling::Program& program);

/// Adds what `record.coupling` asks for to the columns of a run. Throws base::ProblemsFound if two would have one name.
void add_columns(const Monitors& monitors, const system::RecordRequest& record, std::vector<stepping::Column>& columns);

/// What they saw until now.
void tell(const Monitors& monitors, const coupling::Memory& memory, RunSummary& summary);

}  // namespace seam::engine
