// Values that are no real numbers inside a program: beside the signals, passed on as sent.
#pragma once

#include "seam/coupling/memory.hpp"
#include "seam/coupling/program.hpp"

namespace seam::coupling {

/// Hands on what the links carry. Throws base::Error(subsystem) if a sink cannot take what was sent.
void pass(const Program& program, std::span<const DiscreteLink> links, Memory& memory);

void give(const Lane& lane, const Memory& memory);
void take(const Lane& lane, Memory& memory);

}  // namespace seam::coupling
