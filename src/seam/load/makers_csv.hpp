// Catalog entries of signals from a file.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> csv_models();

}  // namespace seam::load
