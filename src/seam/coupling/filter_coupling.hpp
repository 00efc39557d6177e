// The coupling that is made of filters, with its parts: a compensator before the sampler and a smoother behind the
// hold.
#pragma once

#include "seam/coupling/catalog.hpp"

namespace seam::coupling {

/// The coupling, its emitters and its receivers: one of each for either way to follow a filter.
std::vector<Entry> filter_entries();

}  // namespace seam::coupling
