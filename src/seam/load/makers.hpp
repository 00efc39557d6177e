// Catalog entries of the built-in models, one source file each function.
#pragma once

#include <vector>

#include "seam/load/model_catalog.hpp"

namespace seam::load {

std::vector<ModelEntry> block_models();       ///< gain, sum, limiter, delay, table, pid
std::vector<ModelEntry> csv_models();         ///< signals from a file
std::vector<ModelEntry> linear_models();      ///< given by numbers: state-space, transfer-function
std::vector<ModelEntry> mass_chain_models();  ///< chains of masses
std::vector<ModelEntry> signal_models();      ///< constant, step, impulse, sine, chirp

}  // namespace seam::load
