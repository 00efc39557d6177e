// Which solver integrates a model of our own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "seam/base/problem.hpp"
#include "seam/models/model.hpp"
#include "seam/system/description.hpp"

namespace seam::load {

enum class Solver { exact, euler, midpoint, rk4, symplectic_euler, cvode };

/// The names a user may say, in the order of the enumerators.
const std::vector<std::string>& solver_names();

/// What the user asked for if the model can be solved so (else a problem), or what suits the model.
std::optional<Solver> choose_solver(const system::Subsystem& subsystem, const models::Model& model,
                                    base::Problems& problems);

std::string name(Solver solver);

}  // namespace seam::load
