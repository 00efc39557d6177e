// The built-in models as a caller sees them: the catalog without the makers.
#pragma once

#include <string>
#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::engine {

using ModelCard = load::ModelEntry;
using ParameterCard = load::ParameterEntry;

inline const std::vector<ModelCard>& model_cards() { return load::model_catalog(); }

}  // namespace seam::engine
