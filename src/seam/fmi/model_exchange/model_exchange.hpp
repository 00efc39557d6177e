// An FMU for model exchange as a subsystem: its equations, integrated here from event to event.
#pragma once

#include "seam/fmi/description/purpose.hpp"
#include "seam/fmi/subsystem/fmu_setup.hpp"

namespace seam::fmi {

/// Relative, where the user says nothing; what an FMU suggests is meant for one long run, without a start at every jump
/// of an input. Absolute tolerances are this times the nominal of each state.
constexpr double usual_tolerance = 1e-8;

/// Settings as for co-simulation; retries and `via` mean nothing here, since the equations see their inputs as they
/// are at every time.
std::unique_ptr<assembly::Subsystem> make_model_exchange(FmuSetup setup);

}  // namespace seam::fmi
