// A rational transfer function.
#pragma once

#include <vector>

#include "seam/models/model.hpp"

namespace seam::models {

/// y = num(s)/den(s) u, coefficients with the highest power first, in controllable canonical form, started at rest.
/// den begins with a nonzero coefficient and has at least as many as num; otherwise base::Error(internal).
Model transfer_function(const std::vector<double>& num, const std::vector<double>& den);

}  // namespace seam::models
