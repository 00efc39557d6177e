// Catalog entries of sources: constant, step, impulse, sine, chirp.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> signal_models();

}  // namespace seam::load
