// The operations of a program, once every part has its place.
#pragma once

#include "seam/coupling/program.hpp"
#include "seam/coupling/routes.hpp"

namespace seam::coupling {

Slots write_slots(const CompileTask& task, const Routes& routes, const Layout& layout);

}  // namespace seam::coupling
