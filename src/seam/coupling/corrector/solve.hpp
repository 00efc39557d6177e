// What a corrector solves from the models once they are known: outputs and offsets as linear maps.
#pragma once

#include "seam/coupling/corrector/correction.hpp"

namespace seam::coupling {

/// Which lanes and wires take part: 1 or 0 each. Null: all do.
struct TakingPart {
  const double* lanes = nullptr;
  const double* wires = nullptr;

  bool lane(int number) const { return !lanes || lanes[number] != 0.0; }
  bool wire(int number) const { return !wires || wires[number] != 0.0; }
};

/// Where the two inverses go, and room for as large a matrix as the larger one.
struct Solved {
  double* outputs = nullptr;  ///< (I - K L)^-1
  double* sinks = nullptr;    ///< (I - L D)^-1
  double* work = nullptr;
};

/// The change of an output with an input of a lane at the end of a step whose error has this shape.
struct GainOf {
  const Correction& correction;
  const CorrectedLane& lane;
  Shape shape;
  const double* models;

  double operator()(int output, int input) const;
};

/// False if one of the matrices has no inverse: nothing can be corrected then.
bool solve(const Correction& correction, Shape shape, const TakingPart& part, const double* models,
           const Solved& solved);

/// The inverse of a matrix (column-major, destroyed) of `size` rows; false if there is none.
bool invert(double* matrix, int size, double* inverse);

}  // namespace seam::coupling
