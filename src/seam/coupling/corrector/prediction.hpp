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

/// Matrices of one lane in Memory::models, column-major, of a part of its step that ends where it is looked at. `G` and
/// `D` have one block of columns a power of theta, with a column for every real input, and stand there once a part.
struct ObserverPlaces {
  int A = 0, G = 0, C = 0, D = 0;
  int gain = 0;      ///< from an innovation to what it says of the states
  int residual = 0;  ///< and to what it leaves unexplained of the outputs
  int start = 0;     ///< from outputs to the states at the start
  int drive = 0;     ///< from courses of innovations to what they drive of the outputs at the end of the next step
  int mean = 0;      ///< of the outputs over a part, from states like C, then from inputs like D
  int first_sum = 0, sums = 0;  ///< that it adds to, in Prediction::sums
};

/// Rows of `constant + sum of gains times places in Memory::values`.
struct GainRows {
  std::vector<int> entries;  ///< first entry of each row, and one behind the last
  std::vector<int> places;   ///< one an entry
  int gains = 0;             ///< in Memory::models, one an entry
  int constants = 0;         ///< the same, one a row
};

/// A connection into an integrator of the sink's model: what the sink is given adds up to what the source did.
struct KeptSum {
  int wire = -1;     ///< number among the corrected ones
  int together = 1;  ///< macro steps after which source and sink meet
};

struct Prediction {
  std::vector<ObserverPlaces> observers;  ///< one a corrected lane
  std::vector<KeptSum> sums;              ///< by their sources
  std::vector<int> rows;                  ///< first row of each wire, and one behind the last
  std::vector<GainRows> orders;           ///< coefficients of the inputs, by the order of extrapolation
  std::vector<bool> allowed;              ///< which of these orders may be chosen
  /// Where the coupled motion takes the states of lanes in one macro step that is not the end of theirs.
  GainRows on_the_way;
  int degree_of_signals = 0;  ///< of their courses over steps of other rates
  int next_states = 0;        ///< in Memory::models: room for these
  /// Parts of a step before a communication point at which an output tells of: in the middle of the constant that it
  /// answers to, one an output.
  std::vector<double> stamps;
  std::vector<double> weights;  ///< by which errors of the outputs are compared, one an output
  /// In Memory::models: the mean square that each order misses, a hold behind them, and that of the outputs themselves,
  /// then the latest errors, one an output.
  int errors = 0;
  int missed_before = 0;  ///< the same: the mean square that was missed before the present order was chosen
};

}  // namespace seam::coupling
