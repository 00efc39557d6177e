// An FMU for model exchange as a subsystem: its equations, integrated here from event to event.
#pragma once

#include "seam/fmi/co_simulation.hpp"
#include "seam/fmi/purpose.hpp"

namespace seam::fmi {

/// Where neither the user nor the FMU says anything. Absolute tolerances are this times the nominal of each state.
constexpr double usual_tolerance = 1e-6;

/// Settings as for co-simulation; retries and `via` mean nothing here, since the equations see their inputs as they
/// are at every time.
std::unique_ptr<assembly::Subsystem> make_model_exchange(CoSimulationSetup setup);

}  // namespace seam::fmi
