// Which variables of an FMU directional derivatives join: for outputs between two steps, and for its linear model.
#pragma once

#include <cstdint>
#include <vector>

#include "seam/fmi/description/ports.hpp"
#include "seam/lti/state_space.hpp"

namespace seam::fmi {

/// Variables one after the other, and where their elements lie among the flat ports (or states).
struct DerivativeSide {
  std::vector<std::uint32_t> references;
  std::vector<int> places;
};

/// The continuous Float64 ports, and the states where the model structure lists their derivatives.
struct DerivativeSides {
  DerivativeSides(const ModelDescription& description, const Ports& ports, const Structure& structure);
  /// Without states: the inputs among the flat ports `fed`, and the outputs that depend on one of them directly.
  static DerivativeSides of_feedthrough(const ModelDescription& description, const Ports& ports,
                                        const std::vector<int>& fed);

  DerivativeSide inputs, outputs;
  DerivativeSide states, derivatives;  ///< in the same order; empty if they are not listed
  bool lists_states = false;           ///< every state's derivative is listed (an FMU without states lists none)

 private:
  DerivativeSides() = default;
};

/// Names of real outputs that depend directly on an input among `fed` which the sides do not reach.
std::string outputs_beyond(const DerivativeSides& sides, const ModelDescription& description, const Ports& ports,
                           const std::vector<int>& fed);

/// A, B, C and D column by column. `Instance::directional` is called once a column.
template <class Instance>
lti::StateSpace linear_model(Instance& instance, const DerivativeSides& sides, const Ports& ports) {
  const auto inputs = static_cast<Eigen::Index>(system::count_reals(ports.inputs));
  const auto outputs = static_cast<Eigen::Index>(system::count_reals(ports.outputs));
  const auto states = static_cast<Eigen::Index>(sides.states.places.size());
  lti::StateSpace model;
  model.A = lti::Matrix::Zero(states, states);
  model.B = lti::Matrix::Zero(states, inputs);
  model.C = lti::Matrix::Zero(outputs, states);
  model.D = lti::Matrix::Zero(outputs, inputs);
  const auto columns = [&](const DerivativeSide& unknowns, const DerivativeSide& knowns, lti::Matrix& matrix) {
    if (unknowns.references.empty() || knowns.references.empty()) return;
    std::vector<double> seed(knowns.places.size()), change(unknowns.places.size());
    for (std::size_t j = 0; j < seed.size(); ++j) {
      seed.assign(seed.size(), 0.0);
      seed[j] = 1.0;
      instance.directional(unknowns.references, knowns.references, seed, change);
      for (std::size_t i = 0; i < change.size(); ++i) matrix(unknowns.places[i], knowns.places[j]) = change[i];
    }
  };
  columns(sides.derivatives, sides.states, model.A);
  columns(sides.derivatives, sides.inputs, model.B);
  columns(sides.outputs, sides.states, model.C);
  columns(sides.outputs, sides.inputs, model.D);
  return model;
}

}  // namespace seam::fmi
