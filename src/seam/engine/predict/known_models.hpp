// Linear models in the place of all that is not linear in a system, and how far they depend on where it is.
#pragma once

#include "seam/engine/predict/linear_models.hpp"
#include "seam/engine/predict/outlook.hpp"

namespace seam::engine {

/// Of the FMUs, and of built-in models whose step is not linear. For other steps than the plan's the latter tell the
/// equations at the end of the step that begins at the operating point, not those of that instant.
std::vector<analysis::SubsystemModel> models_of_nonlinear(const System& system, const LinearModelRequest& request);

/// The radius a few macro steps after the operating point, with the built-in models as they are there; empty if all are
/// linear.
std::vector<LaterPoint> look_later(const System& system, const std::vector<analysis::SubsystemModel>& models,
                                   const std::optional<double>& time);

}  // namespace seam::engine
