// What a corrector that predicts the coupled motion knows: a model of each subsystem, its observer, and how the inputs
// of a step follow from what is known at its begin.
#pragma once

#include <vector>

#include "seam/lti/state_space.hpp"

namespace seam::coupling {

/// Equations of a subsystem, as far as its corrected outputs show them.
struct LaneModel {
  lti::StateSpace system;   ///< its inputs are those that are corrected, then `others`
  std::vector<int> others;  ///< ports
  lti::Matrix to_states;    ///< from the states of the whole equations
  enum class Start {
    of_states,   ///< the subsystem shows them
    of_outputs,  ///< the smallest that makes the outputs
    known        ///< found before the run
  } start = Start::of_outputs;
  lti::Vector known = {};
};

/// Matrices of one lane in Memory::models, column-major. `G` and `D` have one block of columns a power of theta, with a
/// column for every real input.
struct ObserverPlaces {
  int A = 0, G = 0, C = 0, D = 0;
  int gain = 0;      ///< from an innovation to what it says of the states
  int residual = 0;  ///< and to what it leaves unexplained of the outputs
  int start = 0;     ///< from outputs to the states at the start
  int drive = 0;     ///< from courses of innovations to what they drive of the outputs at the end of the next step
};

/// Coefficients of the inputs, one row each: `constant + sum of gains times places in Memory::values`.
struct InputGains {
  std::vector<int> entries;  ///< first entry of each row, and one behind the last
  std::vector<int> places;   ///< one an entry
  int gains = 0;             ///< in Memory::models, one an entry
  int constants = 0;         ///< the same, one a row
  bool allowed = true;       ///< this order may be chosen
};

struct Prediction {
  std::vector<ObserverPlaces> observers;  ///< one a corrected lane
  std::vector<int> rows;                  ///< first row of each wire, and one behind the last
  std::vector<InputGains> orders;         ///< by the order of extrapolation
  std::vector<double> weights;            ///< by which errors of the outputs are compared, one an output
  int errors = 0;  ///< in Memory::models: the mean square that each order misses, then its latest errors, one an output
  int missed_before = 0;  ///< the same: the mean square that was missed before the present order was chosen
};

}  // namespace seam::coupling
