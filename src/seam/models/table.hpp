// A characteristic curve: y as a function of u given by points.
#pragma once

#include "seam/models/model.hpp"
#include "seam/models/piecewise.hpp"

namespace seam::models {

Model table(Piecewise curve);

}  // namespace seam::models
