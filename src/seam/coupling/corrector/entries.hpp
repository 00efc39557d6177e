// The correctors of the catalog.
#pragma once

#include "seam/coupling/catalog.hpp"

namespace seam::coupling {

std::vector<Entry> corrector_entries();

}  // namespace seam::coupling
