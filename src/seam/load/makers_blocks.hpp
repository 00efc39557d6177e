// Catalog entries of gain, sum, limiter, delay, table, pid.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> block_models();

}  // namespace seam::load
