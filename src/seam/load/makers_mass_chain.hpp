// Catalog entries of chains of masses.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> mass_chain_models();

}  // namespace seam::load
