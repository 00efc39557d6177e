// An FMU for co-simulation as a subsystem.
#pragma once

#include <memory>

#include "seam/assembly/subsystem.hpp"
#include "seam/fmi/subsystem/fmu_setup.hpp"

namespace seam::fmi {

/// Instantiated, initialised and stepped by the engine, exactly in the order the standard demands.
std::unique_ptr<assembly::Subsystem> make_co_simulation(FmuSetup setup);

}  // namespace seam::fmi
