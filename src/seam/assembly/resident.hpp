// A subsystem that lives on one thread of a crew and is called from any.
#pragma once

#include <functional>
#include <memory>

#include "seam/assembly/crew.hpp"
#include "seam/assembly/subsystem.hpp"

namespace seam::assembly {

/// Made, called and destroyed on that thread alone. A call from there goes straight through, any other waits for it.
/// The crew outlives it. Null if `make` gives null.
std::unique_ptr<Subsystem> make_resident(const Crew& crew, int thread,
                                         const std::function<std::unique_ptr<Subsystem>()>& make);

}  // namespace seam::assembly
