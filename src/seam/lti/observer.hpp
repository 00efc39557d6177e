// The observer of one subsystem of a coupled system: what the outputs of a step say of the states of its model.
#pragma once

#include <optional>

#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// A model whose first inputs come from other subsystems. Sizes say how much of one signal counts as much as how much
/// of another.
struct ObservedSystem {
  StateSpace system;
  Vector input_sizes;   ///< of the first inputs
  Vector output_sizes;  ///< of all outputs
  double step = 0.0;    ///< s, between two looks at the outputs
};

struct Observer {
  Matrix gain;    ///< x^ = x^- + gain (y - y^-)
  Matrix metric;  ///< W: a deviation dx of the states counts as |W dx|
  Matrix drive;   ///< from an innovation y - y^- to the constant rate of the states that would have made it in the step
};

/// None where a mode that no output shows grows.
std::optional<Observer> make_observer(const ObservedSystem& observed);

/// What a change of the state does to the outputs, each in parts of its size, over `horizon` (s): a square W with
/// |W dx|^2 = mean of |dy/size|^2, regular if the outputs show all states.
Matrix output_metric(const StateSpace& system, const Vector& sizes, double horizon);

/// Changes of the outputs at the end of a step with inputs that are constant in it, of the first inputs; exactly 0
/// where only rounding is left.
Matrix gains_of_step(const StateSpace& system, int inputs, double step);

/// Logarithms of the sizes of signals that the gains between them suggest: as near as possible to log size_i =
/// log |gain_ij| + log size_j for all gains that are not 0, whatever the units. Along a chain sizes may leave the range
/// of numbers.
Vector natural_log_sizes(const Matrix& gains);

}  // namespace seam::lti
