// What is said of the coupling itself: bonds, the energy it added to them, and its defects.
#pragma once

#include <string>

#include "seam/engine/run/run.hpp"
#include "seam/formats/value.hpp"

namespace seam::report {

/// One line a bond: its connections, which way its power is positive, and where that is declared.
std::string bonds_text(const system::SystemDescription& description);
/// The same by name.
formats::Value bonds_value(const system::SystemDescription& description);

/// The bond to which most was added, the connection that is most wrong; a warning if energy is pumped in.
std::string coupling_text(const engine::System& system, const engine::RunSummary& summary);

/// By name of the bond: what it is, and the energy that was added to it.
formats::Value energies_value(const engine::System& system, const engine::RunSummary& summary);
/// By output.
formats::Value held_outputs_value(const engine::RunSummary& summary);
/// By sink.
formats::Value defects_value(const engine::System& system, const engine::RunSummary& summary);

}  // namespace seam::report
