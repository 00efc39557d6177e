// Catalog entries of models given by numbers: state-space, transfer-function.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> linear_models();

}  // namespace seam::load
