// Which lanes have events that others see, and whether these can be shared.
#pragma once

#include "seam/coupling/program.hpp"
#include "seam/system/plan.hpp"

namespace seam::coupling {

/// For events: shared, all must be able to stop where one has an event; of those that may stop first all but one must
/// be able to go back.
void list_event_lanes(Program& program, const system::Plan& plan, base::Problems& problems);

}  // namespace seam::coupling
