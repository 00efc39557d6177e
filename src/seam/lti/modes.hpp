// A linear system as the sum of its modes.
#pragma once

#include <optional>
#include <vector>

#include "seam/lti/frequency_response.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::lti {

/// One part a real pole, one a pair of complex ones, each without feed-through: their answers and D u add up to the
/// answer of the system. None if the modes cannot be told apart (chains of equal poles, as a free mass has).
std::optional<std::vector<StateSpace>> modal_parts(const StateSpace& system);

/// The sum of parts that lie side by side; their own feed-through is not looked at.
StateSpace sum_of(const std::vector<StateSpace>& parts, const Matrix& D);

/// C (p I - A)^-1 B + D in modal coordinates: a value costs as many operations as there are states. Worth its while
/// where very many are wanted.
struct ModalSystem {
  Eigen::VectorXcd poles;
  ComplexMatrix B, C;
  Matrix D;
  std::vector<Matrix> series;  ///< factors of 1/p, 1/p^2, …: all that faded poles do for |p| >= 1

  ComplexMatrix at(Complex p) const;
  /// From some inputs to some outputs.
  ModalSystem part(const std::vector<Eigen::Index>& outputs, const std::vector<Eigen::Index>& inputs) const;
};

/// Poles of discrete systems within `faded` of 0 become a series; they may be chains. None if the other modes cannot be
/// told apart well enough to keep nine digits.
std::optional<ModalSystem> modal_system(const StateSpace& system, double faded = 0.0);

}  // namespace seam::lti
