// A subsystem that lives on one thread of a team and is called from any.
#pragma once

#include <functional>
#include <memory>

#include "seam/assembly/subsystem.hpp"
#include "seam/assembly/thread_team.hpp"

namespace seam::assembly {

/// Made, called and destroyed on that thread alone. A call from there goes straight through, any other waits for it.
/// The team outlives it. Null if `make` gives null.
std::unique_ptr<Subsystem> make_resident(const ThreadTeam& team, int thread,
                                         const std::function<std::unique_ptr<Subsystem>()>& make);

}  // namespace seam::assembly
