// Models given by numbers: x' = A x + B u, y = C x + D u, and transfer functions.
#pragma once

#include <string>
#include <vector>

#include "seam/lti/state_space.hpp"
#include "seam/models/model.hpp"

namespace seam::models {

/// `base` alone if there is one port, otherwise base1, base2, …
std::vector<std::string> numbered(const std::string& base, int count);

/// One port a name, all with this unit and, for inputs, no start value: they must be connected.
std::vector<Port> ports(const std::vector<std::string>& names, const std::string& unit = {});

/// The equations of `system` started at x0; one name an input, output and state.
Model state_space(const lti::StateSpace& system, std::vector<double> x0, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs);

/// y = num(s)/den(s) u, coefficients with the highest power first, in controllable canonical form, started at rest.
/// den begins with a nonzero coefficient and has at least as many as num; otherwise base::Error(internal).
Model transfer_function(const std::vector<double>& num, const std::vector<double>& den);

}  // namespace seam::models
