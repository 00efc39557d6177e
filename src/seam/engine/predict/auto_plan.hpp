// What a plan leaves to analysis (`auto`), chosen before the plan is compiled, with the reasons.
#pragma once

#include "seam/engine/open/system.hpp"

namespace seam::engine {

/// Fills in the macro step, the couplings and the schedule that are `auto`; with the coupling of the whole plan also
/// the feed-through, where the user did not say how it is sent. Everything that was chosen stands in
/// `description.plan.chosen`, and as a notice. FMUs are probed. Throws base::ProblemsFound where it cannot be decided.
void choose_autos(System& system);

}  // namespace seam::engine
